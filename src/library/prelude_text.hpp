// SPDX-License-Identifier: Apache-2.0
// The part of the library that is written in the language itself (src/library/prelude/*.clj), as text
// inside the program. A definition is compiled when a program first refers to it, so that start-up
// does not pay for the rest.
#pragma once
#include <span>
#include <string_view>

namespace chancel {
struct PreludeFile {
  std::string_view name;
  std::string_view text;
};
std::span<const PreludeFile> prelude_files();
}  // namespace chancel
