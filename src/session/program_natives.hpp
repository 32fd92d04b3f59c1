// SPDX-License-Identifier: Apache-2.0
// Functions that ask about the program itself: macroexpand, documentation and source of names,
// metadata of variables, and the tests of clojure.test. They work at top level only.
#pragma once
#include <span>

#include "value/native.hpp"

namespace chancel {

std::span<const NativeDef> program_natives();

}  // namespace chancel
