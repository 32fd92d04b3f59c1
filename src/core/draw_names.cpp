// SPDX-License-Identifier: Apache-2.0
#include "core/draw_names.hpp"

#include <unordered_map>

#include "core/children.hpp"

namespace chancel::core {
namespace {
// Not one that destructuring made up.
bool is_written(const Binding* binding) {
  return binding->span.known() &&
         binding->span.end - binding->span.begin == binding->name->full.size();
}
}  // namespace

DrawNames draw_names(const std::vector<Node*>& program) {
  struct Open {
    Node* node;
    const Name* name;  // of the nearest variable around
  };
  DrawNames names;
  std::vector<Open> open;
  for (Node* node : program) open.push_back({node, nullptr});
  while (!open.empty()) {
    const auto [node, name] = open.back();
    open.pop_back();
    if (node->kind == Kind::Sample && name != nullptr)
      names.emplace(std::pair(node->span.file, node->span.begin), name->full);
    std::unordered_map<const Node*, const Name*> bound;
    if (node->kind == Kind::Let)
      for (const auto& [binding, value] : as<Let>(node)->bindings)
        if (is_written(binding)) bound[value] = binding->name;
    each_child(node, [&, name = name](Node*& child) {
      const auto found = bound.find(child);
      open.push_back({child, found == bound.end() ? name : found->second});
    });
  }
  return names;
}

}  // namespace chancel::core
