// SPDX-License-Identifier: Apache-2.0
#include "core/rewrite.hpp"

#include "core/children.hpp"

namespace chancel::core {

void replace_locals(Node*& slot, const std::function<Node*(const Local&)>& replace) {
  if (slot->kind == Kind::Local) {
    if (Node* other = replace(*as<Local>(slot))) slot = other;
    return;
  }
  each_child(slot, [&](Node*& child) { replace_locals(child, replace); });
}

namespace {

bool without_effect(const Node* node) {
  return node->kind == Kind::Const || node->kind == Kind::Local || node->kind == Kind::Lambda;
}

}  // namespace

void flatten_sequences(Node*& slot) {
  each_child(slot, [](Node*& child) { flatten_sequences(child); });
  if (slot->kind != Kind::Do) return;
  auto& body = as<Do>(slot)->body;
  std::vector<Node*> flat;
  flat.reserve(body.size());
  for (std::size_t i = 0; i < body.size(); ++i) {
    const bool last = i + 1 == body.size();
    if (body[i]->kind == Kind::Do && !as<Do>(body[i])->body.empty()) {
      const auto& inner = as<Do>(body[i])->body;
      for (std::size_t j = 0; j < inner.size(); ++j)
        if ((last && j + 1 == inner.size()) || !without_effect(inner[j])) flat.push_back(inner[j]);
    } else if (last || !without_effect(body[i])) {
      flat.push_back(body[i]);
    }
  }
  if (flat.size() == 1) {
    slot = flat[0];
  } else {
    body = std::move(flat);
  }
}

}  // namespace chancel::core
