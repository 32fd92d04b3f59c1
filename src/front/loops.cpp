// SPDX-License-Identifier: Apache-2.0
// loop and recur. Clojure's recur stands in tail position and goes to the nearest loop or function.
// Anglican's is a call of the nearest loop: it may stand anywhere, also in an inner function. Both
// are served: a loop is a Loop while every recur to it is in tail position of the same function,
// and becomes a function that calls itself otherwise.
#include <fmt/format.h>

#include <unordered_map>

#include "core/rewrite.hpp"
#include "front/translator.hpp"

namespace chancel::front {

using core::Node;

Node* Translator::recur(const Datum& form, Position at) {
  const std::size_t given = form.items.size() - 1;
  RecurFrame* loop = nullptr;
  RecurFrame* function = nullptr;
  bool direct = at.tail;  // the loop is left by nothing but tail positions
  bool passed_thunk = false;
  bool wall = false;
  for (std::size_t i = recur_frames.size(); i-- > 0 && loop == nullptr && !wall;) {
    RecurFrame& frame = recur_frames[i];
    switch (frame.kind) {
      case RecurFrame::Kind::Loop:
        loop = &frame;
        break;
      case RecurFrame::Kind::Function:
        if (function == nullptr && !passed_thunk) function = &frame;
        direct = false;
        if (!liberal_recur) wall = true;  // Clojure: the nearest function or loop, nothing else
        break;
      case RecurFrame::Kind::Thunk:
        direct = false;
        passed_thunk = true;
        break;
      case RecurFrame::Kind::Wall:
        wall = true;
        break;
    }
  }
  RecurFrame* target = loop;
  if (function != nullptr && at.tail && given == function->count &&
      (loop == nullptr || loop->count != given))
    target = function;
  if (target == nullptr && function != nullptr) {
    if (given == function->count)
      return error(Code::F004, form.span, "recur is not in tail position",
                   "nothing may be left to do after recur; call the function by its name instead");
    return error(Code::F004, form.span,
                 fmt::format("recur passes {} value{}, the function takes {}", given,
                             given == 1 ? "" : "s", function->count));
  }
  if (target == nullptr)
    return error(
        Code::F004, form.span,
        recur_frames.empty() ? "recur has no loop to go back to" : "recur cannot leave this form",
        "recur belongs in the body of a loop or fn, not across try, query or delay");
  if (target->count != given)
    return error(Code::F004, form.span,
                 fmt::format("recur passes {} value{}, the loop takes {}", given,
                             given == 1 ? "" : "s", target->count));
  if (target == loop && !direct) {
    if (!liberal_recur)
      return error(Code::F004, form.span, "recur is not in tail position",
                   "nothing may be left to do after recur in the loop");
    target->needs_call = true;
  }
  // Arguments may hold a recur of their own, which moves the frames: find the target again by its
  // index.
  const std::size_t index = static_cast<std::size_t>(target - recur_frames.data());
  RecurUse use;
  use.args = arguments(form);
  use.holder = make<core::Do>(form.span);
  Node* holder = use.holder;
  recur_frames[index].uses.push_back(std::move(use));
  return holder;
}

Node* Translator::finish_loop(core::Loop* loop, RecurFrame frame) {
  if (!frame.needs_call) {
    for (RecurUse& use : frame.uses) {
      auto* recur = make<core::Recur>(use.holder->span);
      recur->target = loop;
      recur->args = std::move(use.args);
      use.holder->body = {recur};
    }
    return loop;
  }
  const core::Binding* self = fresh("loop", loop->span);
  for (RecurUse& use : frame.uses)
    use.holder->body = {
        call_of(use.holder->span, local(use.holder->span, self), std::move(use.args))};
  auto* lambda = make<core::Lambda>(loop->span);
  lambda->name = self->name;
  core::Arity arity;
  arity.span = loop->span;
  arity.body = loop->body;
  // The initialisers are outside the function: what they say about earlier variables of the loop
  // becomes outer ones.
  std::unordered_map<const core::Binding*, const core::Binding*> outer;
  Bindings initial;
  std::vector<Node*> args;
  for (auto& [binding, value] : loop->bindings) {
    core::replace_locals(value, [&](const core::Local& use) -> Node* {
      auto found = outer.find(use.binding);
      return found == outer.end() ? nullptr : local(use.span, found->second);
    });
    arity.params.push_back(binding);
    const core::Binding* copy = nodes.bind(binding->name, binding->span);
    outer[binding] = copy;
    initial.emplace_back(copy, value);
    args.push_back(local(binding->span, copy));
  }
  lambda->arities.push_back(std::move(arity));
  auto* fix = make<core::Fix>(loop->span);
  fix->functions.emplace_back(self, lambda);
  fix->body = call_of(loop->span, local(loop->span, self), std::move(args));
  return let_node(loop->span, std::move(initial), fix);
}

namespace {

// (loop [name init ...] body...)
Node* translate_loop(Translator& t, const Datum& form, Position) {
  if (!t.is_binding_vector(form, 1, "(loop [name value ...] body ...)")) return t.nil(form.span);
  const std::vector<Datum>& items = form.items[1].items;
  bool patterns = false;
  for (std::size_t i = 0; i < items.size(); i += 2) patterns = patterns || t.is_pattern(items[i]);
  auto* loop = t.make<core::Loop>(form.span);
  Scope::Block block(t.scope);
  Translator::Bindings before, inside;
  std::vector<const core::Binding*> variables;
  for (std::size_t i = 0; i + 1 < items.size(); i += 2) {
    const Datum& pattern = items[i];
    Node* value = t.translate(
        items[i + 1], {false, false, pattern.is(DatumKind::Symbol) ? pattern.name : nullptr});
    if (!patterns) {
      loop->bindings.emplace_back(t.bind(pattern), value);
      continue;
    }
    // Initialisers see the parts of earlier patterns, so those are taken apart once before the
    // loop, too.
    const core::Binding* first = t.is_pattern(pattern) ? t.fresh("part", pattern.span)
                                                       : t.nodes.bind(pattern.name, pattern.span);
    before.emplace_back(first, value);
    const core::Binding* variable = t.nodes.bind(first->name, pattern.span);
    loop->bindings.emplace_back(variable, t.local(pattern.span, first));
    variables.push_back(variable);
    if (t.is_pattern(pattern)) {
      t.destructure(pattern, t.local(pattern.span, first), before);
    } else {
      t.scope.bind(pattern.name, first);
    }
  }
  for (std::size_t i = 0; patterns && i + 1 < items.size(); i += 2) {
    const Datum& pattern = items[i];
    if (t.is_pattern(pattern)) {
      t.destructure(pattern, t.local(pattern.span, variables[i / 2]), inside);
    } else {
      t.scope.bind(pattern.name, variables[i / 2]);
    }
  }
  RecurFrame frame;
  frame.kind = RecurFrame::Kind::Loop;
  frame.count = items.size() / 2;
  t.recur_frames.push_back(std::move(frame));
  loop->body = t.let_node(form.span, std::move(inside), t.body(form, 2, {true}));
  frame = std::move(t.recur_frames.back());
  t.recur_frames.pop_back();
  return t.let_node(form.span, std::move(before), t.finish_loop(loop, std::move(frame)));
}

Node* translate_recur(Translator& t, const Datum& form, Position at) { return t.recur(form, at); }

}  // namespace

void add_loop_forms(FormTable& table) {
  add_form(table, {"loop"}, translate_loop);
  add_form(table, {"loop*"}, translate_loop, true);
  add_form(table, {"recur"}, translate_recur, true);
}

}  // namespace chancel::front
