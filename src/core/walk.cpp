// SPDX-License-Identifier: Apache-2.0
#include "core/walk.hpp"

#include "value/print.hpp"

namespace chancel::core {
namespace {
constexpr std::size_t kLabelLength = 2000;  // as labels of draws are printed
}

Definitions definitions_of(const std::vector<Node*>& program) {
  Definitions definitions;
  for (Node* node : program)
    if (node->kind == Kind::Def) definitions[as<Def>(node)->name] = as<Def>(node)->value;
  return definitions;
}

Lambda* function_of(const Definitions& definitions, const Name* name) {
  const auto found = definitions.find(name);
  if (found == definitions.end() || found->second == nullptr || found->second->kind != Kind::Lambda)
    return nullptr;
  return as<Lambda>(found->second);
}

std::unordered_set<const Name*> reaching(const Definitions& definitions,
                                         const std::function<bool(Node*)>& is_such) {
  std::unordered_map<const Name*, std::vector<const Name*>> named_by;
  std::unordered_set<const Name*> found;
  std::vector<const Name*> open;
  for (const auto& [name, value] : definitions) {
    if (value == nullptr) continue;
    bool such = false;
    each_node(value, [&, name = name](Node* node) {  // clang 14 captures no binding
      such = such || is_such(node);
      if (node->kind == Kind::Global) named_by[as<Global>(node)->name].push_back(name);
    });
    if (such && found.insert(name).second) open.push_back(name);
  }
  while (!open.empty()) {
    const Name* name = open.back();
    open.pop_back();
    for (const Name* other : named_by[name])
      if (found.insert(other).second) open.push_back(other);
  }
  return found;
}

std::map<std::string, std::vector<Node*>> predicts_of(const Definitions& definitions) {
  std::map<std::string, std::vector<Node*>> by_label;
  for (const auto& [name, value] : definitions) {
    if (value == nullptr) continue;
    each_node(value, [&](Node* node) {
      if (node->kind == Kind::Predict && as<Predict>(node)->label->kind == Kind::Const)
        by_label[show(as<Const>(as<Predict>(node)->label)->value, true, kLabelLength)].push_back(
            as<Predict>(node)->value);
    });
  }
  return by_label;
}

Node* result_of(const Lambda* function) {
  if (function->arities.size() != 1) return nullptr;
  Node* node = function->arities.front().body;
  while (node != nullptr) {
    if (node->kind == Kind::Let && as<Let>(node)->body != nullptr) {
      node = as<Let>(node)->body;
    } else if (node->kind == Kind::Do && !as<Do>(node)->body.empty()) {
      node = as<Do>(node)->body.back();
    } else {
      break;
    }
  }
  return node;
}

}  // namespace chancel::core
