// SPDX-License-Identifier: Apache-2.0
// What analyses of whole programs share: walking trees, definitions by name, predicts by label.
#pragma once
#include <functional>
#include <map>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/children.hpp"

namespace chancel::core {

// Visits the whole tree, parents before children, the first child first.
template <class F>
void each_node(Node* root, F&& visit) {
  std::vector<Node*> open = {root};
  std::vector<Node*> children;
  while (!open.empty()) {
    Node* node = open.back();
    open.pop_back();
    visit(node);
    children.clear();
    each_child(node, [&](Node*& child) { children.push_back(child); });
    open.insert(open.end(), children.rbegin(), children.rend());
  }
}

using Definitions = std::unordered_map<const Name*, Node*>;  // null: declared only
Definitions definitions_of(const std::vector<Node*>& program);
// Null when there is no such function.
Lambda* function_of(const Definitions& definitions, const Name* name);

// Definitions with such a node, those that name them, and so on.
std::unordered_set<const Name*> reaching(const Definitions& definitions,
                                         const std::function<bool(Node*)>& is_such);

// Values of the predicts with literal labels, of all definitions. Labels are as draws have them.
std::map<std::string, std::vector<Node*>> predicts_of(const Definitions& definitions);
// What the value of the function comes from; null when it has several bodies.
Node* result_of(const Lambda* function);

}  // namespace chancel::core
