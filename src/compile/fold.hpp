// SPDX-License-Identifier: Apache-2.0
// Constant folding: calls of pure library functions on constants, above all distributions with
// constant parameters, are done once at compile time. What fails stays in the program and fails at
// run time, at its place.
#pragma once
#include "compile/compile.hpp"

namespace chancel {
void fold_constants(core::Node*& root, core::NodeArena& nodes, Program& program, Library& library);
}
