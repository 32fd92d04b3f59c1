// SPDX-License-Identifier: Apache-2.0
#include "core/copy.hpp"

#include <unordered_map>

#include "core/children.hpp"

namespace chancel::core {
namespace {

class Copier {
 public:
  Copier(NodeArena& nodes, const std::function<Node*(const Node*)>& replace)
      : nodes_(nodes), replace_(replace) {}

  Node* copy(const Node* root) {
    Node* out = const_cast<Node*>(root);
    open_.push_back(&out);
    while (!open_.empty()) {
      Node** slot = open_.back();
      open_.pop_back();
      if (Node* const other = replace_ ? replace_(*slot) : nullptr) {
        *slot = other;
        continue;
      }
      *slot = alone(*slot);
      // The functions of these are not handed out as slots.
      if ((*slot)->kind == Kind::Fix) {
        for (auto& [binding, function] : as<Fix>(*slot)->functions) lambda(function);
        open_.push_back(&as<Fix>(*slot)->body);
      } else if ((*slot)->kind == Kind::Catch) {
        open_.push_back(&as<Catch>(*slot)->tag);
        lambda(as<Catch>(*slot)->body);
      } else if ((*slot)->kind == Kind::Try) {
        lambda(as<Try>(*slot)->body);
        lambda(as<Try>(*slot)->handler);
        lambda(as<Try>(*slot)->finally);
      } else {
        each_child(*slot, [&](Node*& child) { open_.push_back(&child); });
      }
    }
    // A loop comes before the recurs that target it, but these may be copied first.
    for (Recur* recur : recurs_) {
      const auto found = loops_.find(recur->target);
      if (found != loops_.end()) recur->target = found->second;
    }
    return out;
  }

 private:
  void lambda(Lambda*& function) {
    if (function == nullptr) return;
    function = nodes_.make<Lambda>(*function);
    each_child(function, [&](Node*& child) { open_.push_back(&child); });
  }
  template <class T>
  Node* again(const Node* node) {
    return nodes_.make<T>(*as<T>(node));
  }
  Node* alone(Node* node) {
    switch (node->kind) {
      case Kind::Const:
        return again<Const>(node);
      case Kind::Local:
        return again<Local>(node);
      case Kind::Global:
        return again<Global>(node);
      case Kind::Lambda:
        return again<Lambda>(node);
      case Kind::Let:
        return again<Let>(node);
      case Kind::Fix:
        return again<Fix>(node);
      case Kind::Loop: {
        auto* loop = nodes_.make<Loop>(*as<Loop>(node));
        loops_[as<Loop>(node)] = loop;
        return loop;
      }
      case Kind::Recur: {
        auto* recur = nodes_.make<Recur>(*as<Recur>(node));
        recurs_.push_back(recur);
        return recur;
      }
      case Kind::If:
        return again<If>(node);
      case Kind::Do:
        return again<Do>(node);
      case Kind::Call:
        return again<Call>(node);
      case Kind::Sample:
        return again<Sample>(node);
      case Kind::Observe:
        return again<Observe>(node);
      case Kind::Predict:
        return again<Predict>(node);
      case Kind::Catch:
        return again<Catch>(node);
      case Kind::Throw:
        return again<Throw>(node);
      case Kind::Try:
        return again<Try>(node);
      case Kind::Def:
        return again<Def>(node);
    }
    return node;
  }

  NodeArena& nodes_;
  const std::function<Node*(const Node*)>& replace_;
  std::vector<Node**> open_;
  std::unordered_map<const Loop*, Loop*> loops_;
  std::vector<Recur*> recurs_;
};

}  // namespace

Node* copy_tree(const Node* root, NodeArena& nodes) { return copy_tree(root, nodes, {}); }

Node* copy_tree(const Node* root, NodeArena& nodes,
                const std::function<Node*(const Node*)>& replace) {
  return Copier(nodes, replace).copy(root);
}

}  // namespace chancel::core
