// SPDX-License-Identifier: Apache-2.0
// A second tree with the same variables, for a pass that must leave the first one alone.
#pragma once
#include <functional>

#include "core/core.hpp"

namespace chancel::core {

Node* copy_tree(const Node* root, NodeArena& nodes);
// With what `replace` gives in place of parts for which it is not null.
Node* copy_tree(const Node* root, NodeArena& nodes,
                const std::function<Node*(const Node*)>& replace);

}  // namespace chancel::core
