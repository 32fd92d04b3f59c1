// SPDX-License-Identifier: Apache-2.0
// Whether a program's runs may use native code.
#pragma once
#include <cstdint>

namespace chancel {

enum class NativeUse : std::uint8_t {
  WhereHot,
  Never,
  Always,
  Evaluated,  // as segments that the program evaluates itself, without a compiler
};

}  // namespace chancel
