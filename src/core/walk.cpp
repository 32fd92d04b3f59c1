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
