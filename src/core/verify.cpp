// SPDX-License-Identifier: Apache-2.0
// Checks the rules that core.hpp states and that later rooms rely on: locals are in scope, a
// binding is bound once, recur goes to a loop of the same function from tail position with as many
// values as the loop has, and the parts that must be there are. Linear in the tree; run by tests
// and debug builds after each translation and pass.
#include <fmt/format.h>

#include <unordered_set>

#include "core/children.hpp"
#include "core/core.hpp"

namespace chancel::core {

namespace {

class Verifier {
 public:
  std::string check(const Node* node) {
    if (node == nullptr) return "no node";
    if (node->kind == Kind::Def) {
      if (as<Def>(node)->value != nullptr) visit(as<Def>(node)->value, false);
    } else {
      visit(node, false);
    }
    return problem_;
  }

 private:
  void fail(const Node* node, std::string what) {
    if (problem_.empty())
      problem_ =
          fmt::format("{} (at {}..{}): {}", what, node->span.begin, node->span.end, print(node));
  }

  void bind(const Node* node, const Binding* binding) {
    if (binding == nullptr) return fail(node, "null binding");
    if (!bound_.insert(binding).second)
      return fail(node, fmt::format("{}.{} is bound twice", binding->name->full, binding->id));
    scope_.insert(binding);
  }
  void unbind(const Binding* binding) { scope_.erase(binding); }

  void visit_lambda(const Lambda* lambda) {
    if (lambda->arities.empty()) return fail(lambda, "function without a body");
    if (lambda->self != nullptr) bind(lambda, lambda->self);
    std::vector<const Loop*> outer;
    outer.swap(loops_);
    for (std::size_t i = 0; i < lambda->arities.size(); ++i) {
      const Arity& arity = lambda->arities[i];
      if (arity.rest != nullptr && i + 1 != lambda->arities.size())
        fail(lambda, "the variadic arity is not the last");
      if (i > 0 && lambda->arities[i - 1].params.size() >= arity.params.size() &&
          arity.rest == nullptr)
        fail(lambda, "arities are not in order");
      for (const Binding* param : arity.params) bind(lambda, param);
      if (arity.rest != nullptr) bind(lambda, arity.rest);
      require(lambda, arity.body, true);
      for (const Binding* param : arity.params) unbind(param);
      if (arity.rest != nullptr) unbind(arity.rest);
    }
    outer.swap(loops_);
    if (lambda->self != nullptr) unbind(lambda->self);
    if (lambda->is_query && (lambda->arities.size() != 1 || lambda->arities[0].params.size() != 1 ||
                             lambda->arities[0].rest != nullptr))
      fail(lambda, "a query takes one argument");
  }

  void thunk(const Node* node, const Lambda* lambda, std::size_t params) {
    if (lambda == nullptr) return fail(node, "part is missing");
    if (lambda->arities.size() != 1 || lambda->arities[0].params.size() != params ||
        lambda->arities[0].rest != nullptr)
      return fail(node, "part has the wrong parameters");
    visit_lambda(lambda);
  }

  void require(const Node* parent, const Node* child, bool tail) {
    if (child == nullptr) return fail(parent, "part is missing");
    visit(child, tail);
  }

  // tail: a recur here would be in tail position of all loops in loops_. Follows the node to its
  // last part, so that long chains need no stack.
  void visit(const Node* node, bool tail) {
    std::vector<const Binding*> bound;
    for (const Node* last; problem_.empty() && (last = last_part(node)) != nullptr; node = last) {
      if (node->kind == Kind::Let) {
        for (const auto& [binding, value] : as<Let>(node)->bindings) {
          require(node, value, false);
          bind(node, binding);
          bound.push_back(binding);
        }
      } else if (node->kind == Kind::Do) {
        const auto& body = as<Do>(node)->body;
        for (std::size_t i = 0; i + 1 < body.size(); ++i) require(node, body[i], false);
      } else {
        const If* branch = as<If>(node);
        require(node, branch->test, false);
        require(node, last == branch->then ? branch->otherwise : branch->then, tail);
      }
    }
    visit_single(node, tail);
    for (const Binding* binding : bound) unbind(binding);
  }

  void visit_single(const Node* node, bool tail) {
    if (!problem_.empty()) return;
    switch (node->kind) {
      case Kind::Const:
        break;
      case Kind::Global:
        if (as<Global>(node)->name == nullptr) fail(node, "global without a name");
        break;
      case Kind::Local:
        if (scope_.count(as<Local>(node)->binding) == 0) fail(node, "local is not in scope");
        break;
      case Kind::Lambda:
        visit_lambda(as<Lambda>(node));
        break;
      case Kind::Let:
      case Kind::If:
        fail(node, "part is missing");
        break;
      case Kind::Fix: {
        const Fix* fix = as<Fix>(node);
        for (const auto& [binding, function] : fix->functions) bind(node, binding);
        for (const auto& [binding, function] : fix->functions) require(node, function, false);
        require(node, fix->body, tail);
        for (const auto& [binding, function] : fix->functions) unbind(binding);
        break;
      }
      case Kind::Loop: {
        const Loop* loop = as<Loop>(node);
        for (const auto& [binding, value] : loop->bindings) {
          require(node, value, false);
          bind(node, binding);
        }
        std::vector<const Loop*> outer;
        if (!tail) outer.swap(loops_);
        loops_.push_back(loop);
        require(node, loop->body, true);
        loops_.pop_back();
        if (!tail) outer.swap(loops_);
        for (const auto& [binding, value] : loop->bindings) unbind(binding);
        break;
      }
      case Kind::Recur: {
        const Recur* recur = as<Recur>(node);
        bool found = false;
        for (const Loop* loop : loops_) found = found || loop == recur->target;
        if (recur->target == nullptr || !found || !tail) return fail(node, "recur out of place");
        if (recur->args.size() != recur->target->bindings.size())
          return fail(node, "recur with the wrong number of values");
        for (const Node* arg : recur->args) require(node, arg, false);
        break;
      }
      case Kind::Do:
        if (!as<Do>(node)->body.empty()) fail(node, "part is missing");
        break;
      case Kind::Call:
        require(node, as<Call>(node)->function, false);
        for (const Node* arg : as<Call>(node)->args) require(node, arg, false);
        break;
      case Kind::Sample:
        if (as<Sample>(node)->id != nullptr) visit(as<Sample>(node)->id, false);
        require(node, as<Sample>(node)->dist, false);
        break;
      case Kind::Observe:
        if (as<Observe>(node)->id != nullptr) visit(as<Observe>(node)->id, false);
        require(node, as<Observe>(node)->dist, false);
        require(node, as<Observe>(node)->value, false);
        break;
      case Kind::Predict:
        require(node, as<Predict>(node)->label, false);
        require(node, as<Predict>(node)->value, false);
        break;
      case Kind::Catch:
        require(node, as<Catch>(node)->tag, false);
        thunk(node, as<Catch>(node)->body, 0);
        break;
      case Kind::Throw:
        if (as<Throw>(node)->tag != nullptr) visit(as<Throw>(node)->tag, false);
        require(node, as<Throw>(node)->value, false);
        break;
      case Kind::Try:
        thunk(node, as<Try>(node)->body, 0);
        if (as<Try>(node)->handler != nullptr) thunk(node, as<Try>(node)->handler, 1);
        if (as<Try>(node)->finally != nullptr) thunk(node, as<Try>(node)->finally, 0);
        break;
      case Kind::Def:  // inside a body: the global gets its value when the body runs
        if (as<Def>(node)->value != nullptr) visit(as<Def>(node)->value, false);
        break;
    }
  }

  std::unordered_set<const Binding*> bound_;
  std::unordered_set<const Binding*> scope_;
  std::vector<const Loop*> loops_;  // that a recur may go to from here, if it is in tail position
  std::string problem_;
};

}  // namespace

std::string verify(const Node* node) { return Verifier().check(node); }

}  // namespace chancel::core
