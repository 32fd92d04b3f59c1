// SPDX-License-Identifier: Apache-2.0
#include "core/effects.hpp"

#include <string_view>

namespace chancel::core {
namespace {

std::uint8_t of_kind(Kind kind) {
  switch (kind) {
    case Kind::Sample:
      return kDraws;
    case Kind::Observe:
      return kObserves;
    case Kind::Predict:
      return kPredicts;
    case Kind::Throw:
      return kFence;
    case Kind::Catch:
    case Kind::Try:
      return kFence | kCatches;
    default:
      return 0;
  }
}

// They remember what is drawn, by arguments: the same for all callers.
bool is_mem(const Name* name) { return name->full == "mem" || name->full == "%mem-named"; }

}  // namespace

Effects::Effects(Lambda* query, const Definitions& globals, LibraryUses library)
    : globals_(globals), library_(std::move(library)) {
  enter(query);
  for (const Arity& arity : query->arities) {  // plain data
    for (const Binding* p : arity.params) parameters_.erase(p);
    parameters_.erase(arity.rest);
  }
  for (std::size_t i = 0; i < reached_.size(); ++i) enter(reached_[i]);
  propagate();
  // What functions do when they are called. The query itself is none of them.
  for (const auto& [holder, latent] : latent_) functions_ |= latent.effects;
  std::vector<Node*> roots = reached_;
  for (const Arity& arity : query->arities) roots.push_back(arity.body);
  for (Node* root : roots)
    each_node(root, [&](Node* node) {
      if (node->kind != Kind::Lambda) return;
      for (const Arity& arity : as<Lambda>(node)->arities)
        if (arity.body != nullptr) functions_ |= sum(arity.body, false);
    });
}

std::uint8_t Effects::of_name(const Name* name) const {
  if (globals_.contains(name)) return 0;  // by what it holds
  return is_mem(name) || library_(name) == LibraryUse::Free ? 0 : kFence | kCatches;
}

bool Effects::makes_memo(const Node* node) const {
  if (node->kind != Kind::Call) return false;
  const auto* call = as<Call>(node);
  if (call->function->kind != Kind::Global || call->args.size() != 1) return false;
  const Name* name = as<Global>(call->function)->name;
  return is_mem(name) && !globals_.contains(name) && call->args[0]->kind == Kind::Lambda;
}
// Evaluating it calls nothing.
bool Effects::is_at_rest(const Node* node) const {
  return node->kind == Kind::Lambda || node->kind == Kind::Local || node->kind == Kind::Const ||
         makes_memo(node);
}

bool Effects::gives_data(const Call* call) const {
  if (call->function->kind != Kind::Global) return false;
  const Name* name = as<Global>(call->function)->name;
  return !globals_.contains(name) && library_(name) == LibraryUse::GivesData;
}

// All variables in the tree, with what they may hold, and the definitions that it names.
void Effects::enter(Node* root) {
  each_node(root, [&](Node* node) {
    if (node->kind == Kind::Let)
      for (const auto& [binding, value] : as<Let>(node)->bindings) hold(binding, value);
    if (node->kind == Kind::Fix)
      for (const auto& [binding, function] : as<Fix>(node)->functions) hold(binding, function);
    if (node->kind == Kind::Loop)
      for (const auto& [binding, value] : as<Loop>(node)->bindings) hold(binding, value);
    if (node->kind == Kind::Recur) {
      const auto* recur = as<Recur>(node);
      for (std::size_t i = 0; i < recur->args.size(); ++i)
        hold(recur->target->bindings[i].first, recur->args[i]);
    }
    if (node->kind == Kind::Lambda) {
      const auto* function = as<Lambda>(node);
      if (function->self != nullptr) hold(function->self, node);
      for (const Arity& arity : function->arities) {
        parameters_.insert(arity.params.begin(), arity.params.end());
        if (arity.rest != nullptr) parameters_.insert(arity.rest);
      }
    }
    if (node->kind == Kind::Global) {
      const Name* name = as<Global>(node)->name;
      const auto found = globals_.find(name);
      if (found == globals_.end() || !entered_.insert(name).second) return;
      if (found->second == nullptr) {  // declared only
        latent_[name].effects = kFence | kCatches;
      } else {
        hold(name, found->second);
        reached_.push_back(found->second);
      }
    }
  });
}

// A value holds the functions written in its expression and those that its names hold. Parts other
// than functions have been evaluated when it is used.
void Effects::hold(const void* holder, Node* value) {
  Latent& latent = latent_[holder];
  latent.is_function = value->kind == Kind::Lambda || makes_memo(value);
  std::uint8_t effects = 0;
  std::vector<std::pair<Node*, bool>> open = {{value, false}};  // with: inside a function
  std::vector<const void*> names;
  while (!open.empty()) {
    const auto [node, inside] = open.back();
    open.pop_back();
    if (inside) effects |= of_kind(node->kind);
    if (node->kind == Kind::Local) names.push_back(as<Local>(node)->binding);
    if (node->kind == Kind::Global) {
      names.push_back(as<Global>(node)->name);
      effects |= of_name(as<Global>(node)->name);
    }
    const bool within = inside || node->kind == Kind::Lambda;
    const Node* called = !inside && node->kind == Kind::Call && gives_data(as<Call>(node))
                             ? as<Call>(node)->function
                             : nullptr;
    each_child(node, [&](Node*& child) {
      if (child != called) open.emplace_back(child, within);
    });
  }
  latent.effects |= effects;
  for (const void* name : names) latent_[name].named_by.push_back(holder);
}

// Who names a holder of functions holds them too.
void Effects::propagate() {
  std::vector<const void*> open;
  for (auto& [holder, latent] : latent_)
    if (latent.effects != 0) open.push_back(holder);
  while (!open.empty()) {
    const Latent& latent = latent_.at(open.back());
    open.pop_back();
    for (const void* other : latent.named_by) {
      Latent& named = latent_.at(other);
      if ((named.effects | latent.effects) == named.effects) continue;
      named.effects |= latent.effects;
      open.push_back(other);
    }
  }
}

std::uint8_t Effects::sum(Node* part, bool functions_only) const {
  std::uint8_t effects = 0;
  each_node(part, [&](Node* node) {
    effects |= of_kind(node->kind);
    const void* name = nullptr;
    if (node->kind == Kind::Local) name = as<Local>(node)->binding;
    if (node->kind == Kind::Global) {
      name = as<Global>(node)->name;
      effects |= of_name(as<Global>(node)->name);
    }
    if (name == nullptr) return;
    // Any function of the query may be the argument of an inner one.
    if (!functions_only && parameters_.contains(name)) effects |= functions_;
    const auto found = latent_.find(name);
    if (found != latent_.end() && (!functions_only || found->second.is_function))
      effects |= found->second.effects;
  });
  return effects;
}

std::uint8_t Effects::of(Node* part) const { return is_at_rest(part) ? 0 : sum(part, false); }
std::uint8_t Effects::when_called(Node* part) const {
  return is_at_rest(part) ? 0 : sum(part, true);
}

}  // namespace chancel::core
