// SPDX-License-Identifier: Apache-2.0
// Two calls of the library, one of which makes a sequence only for the other, become one call that makes none
// (library/prelude/fused.clj): (dorun (map f xs)), (reduce + (map f xs ys)).
#pragma once
#include "compile/compile.hpp"

namespace chancel {
void fuse_calls(core::Node* root, core::NodeArena& nodes, Library& library);
}
