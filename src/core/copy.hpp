// SPDX-License-Identifier: Apache-2.0
// A second tree with the same variables, for a pass that must leave the first one alone.
#pragma once
#include "core/core.hpp"

namespace chancel::core {

Node* copy_tree(const Node* root, NodeArena& nodes);

}  // namespace chancel::core
