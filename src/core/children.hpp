// SPDX-License-Identifier: Apache-2.0
// The one place that knows which parts a core node has. Passes walk with each_child, which hands
// out the slots themselves (in evaluation order), so that a pass may also put another node there.
// Null slots are skipped.
#pragma once
#include "core/core.hpp"

namespace chancel::core {

template <class T>
T* as(Node* node) {
  return static_cast<T*>(node);
}
template <class T>
const T* as(const Node* node) {
  return static_cast<const T*>(node);
}

// The part that the node ends with: its value is the node's, and nothing of the node is left to do
// after it. Chains along it (else after else, let in let, long and) have any length, so passes follow
// it in a loop and recurse into the other parts only. Null: the node has no such part.
inline Node* last_part(const Node* node) {
  switch (node->kind) {
    case Kind::If: {
      const auto* branch = as<If>(node);
      const Kind otherwise = branch->otherwise ? branch->otherwise->kind : Kind::Const;
      const bool leaf = otherwise == Kind::Const || otherwise == Kind::Local;
      return leaf ? branch->then : branch->otherwise;
    }
    case Kind::Let:
      return as<Let>(node)->body;
    case Kind::Do:
      return as<Do>(node)->body.empty() ? nullptr : as<Do>(node)->body.back();
    default:
      return nullptr;
  }
}

// Calls f(Node*& slot) for each child. Lambdas that are parts of Fix, Catch and Try are handed out
// as a copy of the pointer: they may be changed inside but not replaced.
template <class F>
void each_child(Node* node, F&& f) {
  auto slot = [&](Node*& child) {
    if (child != nullptr) f(child);
  };
  auto lambda = [&](Lambda* child) {
    Node* copy = child;
    if (copy != nullptr) f(copy);
  };
  switch (node->kind) {
    case Kind::Const:
    case Kind::Local:
    case Kind::Global:
      break;
    case Kind::Lambda:
      for (Arity& arity : as<Lambda>(node)->arities) slot(arity.body);
      break;
    case Kind::Let:
      for (auto& [binding, value] : as<Let>(node)->bindings) slot(value);
      slot(as<Let>(node)->body);
      break;
    case Kind::Fix:
      for (auto& [binding, function] : as<Fix>(node)->functions) lambda(function);
      slot(as<Fix>(node)->body);
      break;
    case Kind::Loop:
      for (auto& [binding, value] : as<Loop>(node)->bindings) slot(value);
      slot(as<Loop>(node)->body);
      break;
    case Kind::Recur:
      for (Node*& arg : as<Recur>(node)->args) slot(arg);
      break;
    case Kind::If:
      slot(as<If>(node)->test);
      slot(as<If>(node)->then);
      slot(as<If>(node)->otherwise);
      break;
    case Kind::Do:
      for (Node*& part : as<Do>(node)->body) slot(part);
      break;
    case Kind::Call:
      slot(as<Call>(node)->function);
      for (Node*& arg : as<Call>(node)->args) slot(arg);
      break;
    case Kind::Sample:
      slot(as<Sample>(node)->id);
      slot(as<Sample>(node)->dist);
      break;
    case Kind::Observe:
      slot(as<Observe>(node)->id);
      slot(as<Observe>(node)->dist);
      slot(as<Observe>(node)->value);
      break;
    case Kind::Predict:
      slot(as<Predict>(node)->label);
      slot(as<Predict>(node)->value);
      break;
    case Kind::Catch:
      slot(as<Catch>(node)->tag);
      lambda(as<Catch>(node)->body);
      break;
    case Kind::Throw:
      slot(as<Throw>(node)->tag);
      slot(as<Throw>(node)->value);
      break;
    case Kind::Try:
      lambda(as<Try>(node)->body);
      lambda(as<Try>(node)->handler);
      lambda(as<Try>(node)->finally);
      break;
    case Kind::Def:
      slot(as<Def>(node)->value);
      break;
  }
}

}  // namespace chancel::core
