// SPDX-License-Identifier: Apache-2.0
// Small rewrites of core that front ends need after the fact: another variable in place of a local,
// and sequences without needless nesting. All work in place, in time linear in the tree.
#pragma once
#include <functional>

#include "core/core.hpp"

namespace chancel::core {

// Puts what `replace` gives in place of every Local in the tree under `slot` (null = leave it).
void replace_locals(Node*& slot, const std::function<Node*(const Local&)>& replace);

// (do x) is x, (do (do a b) c) is (do a b c), (do) is left alone, parts without effect or value are
// dropped when something follows them.
void flatten_sequences(Node*& slot);

// The greatest number of nodes on a way from the root to a leaf, where the last part of a node (which
// all passes follow in a loop) is as deep as the node.
std::size_t depth(const Node* root);

}  // namespace chancel::core
