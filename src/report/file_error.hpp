// SPDX-License-Identifier: Apache-2.0
// A file that cannot be read (U002), written (U004) or understood (U003), as the public error.
#pragma once
#include <string>

namespace chancel::report {

// The reason is the system's (errno) when none is given.
[[noreturn]] void throw_unreadable(const std::string& path, std::string why = {},
                                   const std::string& hint = {});
[[noreturn]] void throw_unwritable(const std::string& path, std::string why = {},
                                   const std::string& hint = {});
[[noreturn]] void throw_malformed(const std::string& path, const std::string& why,
                                  const std::string& hint = {});

}  // namespace chancel::report
