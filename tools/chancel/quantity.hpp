// SPDX-License-Identifier: Apache-2.0
// Numbers as people write them on a command line. Each throws a UsageError that names the option
// and what it takes.
#pragma once
#include <cstdint>
#include <string>

namespace chancel::tool {

std::uint64_t parse_count(const std::string& option, const std::string& text);  // 10000, 1e6
std::uint64_t parse_bytes(const std::string& option,
                          const std::string& text);                        // 4G, 512M, 4GiB, 100000
double parse_seconds(const std::string& option, const std::string& text);  // 10, 10s, 500ms, 5m, 2h

}  // namespace chancel::tool
