// SPDX-License-Identifier: Apache-2.0
// Venture-style programs taken apart into their lines ([assume ...], [observe ...], [predict ...])
// and put together again in another order or without some of them. An order respects scope: a line
// stands behind the assumes of the names it mentions.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace chancel::paper {

std::vector<std::string> directives(std::string_view program);
// The paper's measure tests: the program with its observes left out.
std::string without_observes(std::string_view program);

// The program in the wished order, where each line pulls the assumes it needs, which have not been
// placed yet, before itself.
std::string in_order(const std::vector<std::string>& lines, const std::vector<std::size_t>& wish);
std::string reversed(std::string_view program);
// A uniformly random wish; the same for the same seed everywhere.
std::string shuffled(std::string_view program, std::uint64_t seed);

}  // namespace chancel::paper
