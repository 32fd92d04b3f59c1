// SPDX-License-Identifier: Apache-2.0
#include "core/rewrite.hpp"

#include "core/children.hpp"

namespace chancel::core {

void replace_locals(Node*& root, const std::function<Node*(const Local&)>& replace) {
  auto put = [&](Node*& slot) {
    if (slot->kind != Kind::Local) return false;
    if (Node* other = replace(*as<Local>(slot))) slot = other;
    return true;
  };
  if (put(root)) return;
  std::vector<Node*> open = {root};
  while (!open.empty()) {
    Node* node = open.back();
    open.pop_back();
    each_child(node, [&](Node*& child) {
      if (!put(child)) open.push_back(child);
    });
  }
}

std::size_t depth(const Node* root) {
  std::size_t deepest = 0;
  std::vector<std::pair<Node*, std::size_t>> open = {{const_cast<Node*>(root), 1}};
  while (!open.empty()) {
    const auto [node, level] = open.back();
    open.pop_back();
    if (level > deepest) deepest = level;
    const Node* last = last_part(node);
    const std::size_t here = level;
    each_child(node,
               [&](Node*& child) { open.emplace_back(child, child == last ? here : here + 1); });
  }
  return deepest;
}

namespace {

bool without_effect(const Node* node) {
  return node->kind == Kind::Const || node->kind == Kind::Local || node->kind == Kind::Lambda;
}

// The parts of a sequence are flat already.
void flatten(Node*& slot) {
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

}  // namespace

void flatten_sequences(Node*& root) {
  // Parents come before their children in this list, so that its reverse does children first.
  std::vector<Node*> order = {root};
  for (std::size_t i = 0; i < order.size(); ++i)
    each_child(order[i], [&](Node*& child) { order.push_back(child); });
  for (std::size_t i = order.size(); i-- > 0;)
    each_child(order[i], [](Node*& child) { flatten(child); });
  flatten(root);
}

}  // namespace chancel::core
