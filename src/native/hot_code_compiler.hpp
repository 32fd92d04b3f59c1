// SPDX-License-Identifier: Apache-2.0
// Finds the loops and functions in which a program spends its time, compiles them in the background
// and runs the compiled code (vm/hot_code.hpp).
#pragma once
#include <memory>

#include "vm/hot_code.hpp"

namespace chancel::native {

// `wait`: compile at the first opportunity, and wait for the compiler. Null: no compiler was found.
std::shared_ptr<HotCode> make_hot_code(bool wait);

}  // namespace chancel::native
