// SPDX-License-Identifier: Apache-2.0
// The verifier of code: registers, jumps, constants, captured values, call windows, live marks at
// natives and checkpoints, that nothing runs past the end, and the same of nested functions; with a
// program also the indices of globals and sites. Empty when all holds, else what is broken.
#pragma once
#include "bytecode/program.hpp"

namespace chancel {

std::string verify(const FunctionProto& function, const Program* program);

}  // namespace chancel
