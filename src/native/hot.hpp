// SPDX-License-Identifier: Apache-2.0
// Finds the loops and functions that a program spends its time in, has them compiled beside the run,
// and runs them (vm/hot_code.hpp).
#pragma once
#include <memory>

#include "vm/hot_code.hpp"

namespace chancel::native {

// `wait`: for the compiler, and for no more than a first look. Null: there is no compiler.
std::shared_ptr<HotCode> make_hot_code(bool wait);

}  // namespace chancel::native
