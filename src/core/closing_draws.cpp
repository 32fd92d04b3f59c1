// SPDX-License-Identifier: Apache-2.0
// See closing_draws.hpp.
#include "core/closing_draws.hpp"

#include <algorithm>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "core/walk.hpp"

namespace chancel::core {
namespace {

constexpr unsigned kDeepest = 500;  // of nested forms

// They call the functions that they are given, and keep none.
bool calls_and_forgets(std::string_view name) {
  static const std::unordered_set<std::string_view> names = {
      "reduce",      "map",        "mapv",      "filter", "filterv", "remove", "mapcat", "keep",
      "map-indexed", "repeatedly", "reduce-kv", "some",   "every?",  "apply",  "run!",   "doall"};
  return names.contains(name);
}
// They give back what was stored somewhere else.
bool looks_up(std::string_view name) {
  return name == "deref" || name == "retrieve" || name == "%cell-get" || name == "force";
}

class ClosingDraws {
 public:
  explicit ClosingDraws(const std::vector<Node*>& program) : globals_(definitions_of(program)) {
    observing_ = reaching(globals_, [&](Node* node) { return observes(node); });
    for (const auto& [name, value] : globals_)
      if (value == nullptr) observing_.insert(name);
  }

  std::vector<Span> find(const Name* name) {
    const Lambda* query = function_of(globals_, name);
    if (query == nullptr) return {};
    for (const Arity& arity : query->arities)
      if (arity.body != nullptr) {
        carries(arity.body, 0);
        visit(arity.body, false, 0);
      }
    using Place = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;
    const auto place = [](const Node* n) {
      return Place{n->span.file, n->span.begin, n->span.end};
    };
    std::vector<Place> others;
    for (const auto& [definition, value] : globals_)
      if (value != nullptr)
        each_node(value, [&](Node* node) {
          if (node->kind == Kind::Sample && !found_.contains(node)) others.push_back(place(node));
        });
    std::sort(others.begin(), others.end());
    std::vector<Span> out;
    for (const Node* node : found_)
      if (!std::binary_search(others.begin(), others.end(), place(node))) out.push_back(node->span);
    return out;
  }

 private:
  bool is_library(const Name* name) const { return !globals_.contains(name); }

  bool observes(Node* node) const {
    if (node->kind == Kind::Observe) return true;
    if (node->kind != Kind::Global || !is_library(as<Global>(node)->name)) return false;
    const std::string& name = as<Global>(node)->name->full;
    return name.starts_with("%observe") || looks_up(name);
  }
  // Something that is evaluated there, or called from there, may observe.
  bool may_observe(Node* root) const {
    bool found = false;
    each_node(root, [&](Node* node) {
      found = found || observes(node) ||
              (node->kind == Kind::Global && observing_.contains(as<Global>(node)->name)) ||
              (node->kind == Kind::Local && carriers_.contains(as<Local>(node)->binding));
    });
    return found;
  }

  void note(const Binding* binding, Node* value, unsigned depth) {
    if (value->kind == Kind::Lambda) functions_[binding] = value;
    if (carries(value, depth)) carriers_.insert(binding);
  }
  // The value may be, or hold, a function that observes. Parameters of functions are taken for values that do not:
  // where one does, the call that passes it counts.
  bool carries(Node* node, unsigned depth) {
    if (++depth > kDeepest) return may_observe(node);
    switch (node->kind) {
      case Kind::Const:
      case Kind::Recur:
      case Kind::Observe:
      case Kind::Predict:
      case Kind::Def:
        return false;
      case Kind::Local:
        return carriers_.contains(as<Local>(node)->binding);
      case Kind::If: {
        const bool then = carries(as<If>(node)->then, depth);
        return (as<If>(node)->otherwise && carries(as<If>(node)->otherwise, depth)) || then;
      }
      case Kind::Let:
        for (const auto& [binding, value] : as<Let>(node)->bindings) note(binding, value, depth);
        return carries(as<Let>(node)->body, depth);
      case Kind::Fix:
        for (const auto& [binding, function] : as<Fix>(node)->functions)
          note(binding, function, depth);
        return carries(as<Fix>(node)->body, depth);
      case Kind::Loop:
        return loop_carries(as<Loop>(node), depth);
      case Kind::Do: {
        bool last = false;
        for (Node* part : as<Do>(node)->body) last = carries(part, depth);
        return last;
      }
      case Kind::Call: {
        const auto* call = as<Call>(node);
        const bool forgets = call->function->kind == Kind::Global &&
                             is_library(as<Global>(call->function)->name) &&
                             calls_and_forgets(as<Global>(call->function)->name->full);
        bool any = returns_carrier(call->function, depth);
        for (Node* arg : call->args)
          any = (forgets ? returns_carrier(arg, depth) : carries(arg, depth)) || any;
        return any;
      }
      default:
        return may_observe(node);
    }
  }
  bool loop_carries(Loop* loop, unsigned depth) {
    for (const auto& [binding, value] : loop->bindings) note(binding, value, depth);
    bool again = false;
    each_node(loop->body, [&](Node* node) {
      if (node->kind != Kind::Recur || as<Recur>(node)->target != loop) return;
      const auto& args = as<Recur>(node)->args;
      for (std::size_t i = 0; i < args.size() && i < loop->bindings.size(); ++i)
        if (may_observe(args[i])) again = carriers_.insert(loop->bindings[i].first).second || again;
    });
    return carries(loop->body, depth) || again;
  }
  // What a call of it gives back may hold a function that observes, if its arguments do not.
  bool returns_carrier(Node* function, unsigned depth) {
    switch (function->kind) {
      case Kind::Local: {
        const auto known = functions_.find(as<Local>(function)->binding);
        return known == functions_.end() ? carries(function, depth)
                                         : returns_carrier(known->second, depth);
      }
      case Kind::Global: {
        const Name* name = as<Global>(function)->name;
        if (is_library(name) || !observing_.contains(name)) return false;
        Node* definition = globals_.at(name);
        return definition == nullptr || returns_carrier(definition, depth);
      }
      case Kind::Lambda: {
        if (const auto known = returns_.find(function); known != returns_.end())
          return known->second;
        if (!at_work_.insert(function).second) {  // a recursive call: its other results decide
          recursive_ = true;
          return false;
        }
        const bool outer = std::exchange(recursive_, false);
        bool any = false;
        for (const Arity& arity : as<Lambda>(function)->arities)
          if (arity.body != nullptr) any = carries(arity.body, depth) || any;
        at_work_.erase(function);
        if (any || !recursive_ || at_work_.empty()) returns_[function] = any;
        recursive_ = recursive_ || outer;
        return any;
      }
      default:
        return carries(function, depth);
    }
  }

  // `after`: something that comes later in the query may observe.
  void visit(Node* node, bool after, unsigned depth) {
    const bool itself = may_observe(node);
    if (!after && !itself) {
      each_node(node, [&](Node* inner) {
        if (inner->kind == Kind::Sample) found_.insert(inner);
      });
      return;
    }
    if (after || ++depth > kDeepest) return;
    switch (node->kind) {
      case Kind::Let: {
        Node* body = as<Let>(node)->body;
        visit(body, after, depth);
        after = may_observe(body);
        const auto& bindings = as<Let>(node)->bindings;
        for (auto b = bindings.rbegin(); b != bindings.rend() && !after; ++b) {
          visit(b->second, after, depth);
          after = may_observe(b->second);
        }
        return;
      }
      case Kind::Do: {
        const auto& body = as<Do>(node)->body;
        for (auto part = body.rbegin(); part != body.rend() && !after; ++part) {
          visit(*part, after, depth);
          after = may_observe(*part);
        }
        return;
      }
      case Kind::If:
        visit(as<If>(node)->then, after, depth);
        if (as<If>(node)->otherwise) visit(as<If>(node)->otherwise, after, depth);
        return;
      default:
        return;
    }
  }

  const Definitions globals_;
  std::unordered_set<const Name*> observing_;            // definitions
  std::unordered_set<const Binding*> carriers_;          // may hold a function that observes
  std::unordered_map<const Binding*, Node*> functions_;  // bound to one that is known
  std::unordered_map<const Node*, bool> returns_;        // results of returns_carrier
  std::unordered_set<const Node*> at_work_;              // functions
  bool recursive_ = false;                               // one of them has been met again
  std::unordered_set<const Node*> found_;
};

}  // namespace

std::vector<Span> closing_draws(const std::vector<Node*>& program, const Name* query) {
  return ClosingDraws(program).find(query);
}

}  // namespace chancel::core
