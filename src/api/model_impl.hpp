// SPDX-License-Identifier: Apache-2.0
// The state of a Model.
#pragma once
#include "chancel/chancel.hpp"
#include "runs/program.hpp"

namespace chancel {

struct Model::Impl : LoadedProgram {};

}  // namespace chancel
