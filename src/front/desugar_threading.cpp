// SPDX-License-Identifier: Apache-2.0
// -> ->> as-> some-> some->> cond-> cond->> doto: rewritten as data, step by step. Steps that need
// their value twice keep it in a fresh variable; a long chain becomes one let, not a deep nest,
// where it can.
#include <fmt/format.h>

#include "front/translator.hpp"

namespace chancel::front {

using core::Node;

namespace {

// The step with the value put in as its first (or last) argument. A step that is not a list is
// called.
Datum threaded(const Datum& step, Datum value, bool last) {
  Datum call = step;
  if (!step.is(DatumKind::List) || step.items.empty()) {
    call = make_list({step}, step.span);
    last = true;
  }
  call.items.insert(last ? call.items.end() : call.items.begin() + 1, std::move(value));
  return call;
}

// (-> value ...) or (->> value ...), where the program gives these names no other meaning.
bool is_chain(Translator& t, const Datum& form, bool* last) {
  if (!form.is(DatumKind::List) || form.items.size() < 2 || form.meta ||
      !form.items[0].is(DatumKind::Symbol))
    return false;
  const Name* name = form.items[0].name;
  if (name->full != "->" && name->full != "->>") return false;
  *last = name->full == "->>";
  return t.scope.find(name) == nullptr && !t.names.defined(name);
}

Node* thread(Translator& t, const Datum& form, Position at, bool last) {
  if (form.items.size() < 2)
    return t.bad_form(form, fmt::format("{}: needs a value", form.items[0].name->full),
                      "(-> value step ...)");
  // A chain whose value is a chain is one chain: a nest of them would be copied at every level.
  struct Step {
    const Datum* step;
    bool last;
  };
  std::vector<Step> steps;  // the last one first
  const Datum* first = &form;
  do {
    for (std::size_t i = first->items.size(); i-- > 2;) steps.push_back({&first->items[i], last});
    first = &first->items[1];
  } while (is_chain(t, *first, &last));
  if (steps.size() > kMaxDepth)
    return t.error(Code::F002, form.span,
                   fmt::format("this expression is nested too deeply: {} steps, at most {}",
                               steps.size(), kMaxDepth),
                   "split it into functions");
  Datum value = *first;
  for (std::size_t i = steps.size(); i-- > 0;)
    value = threaded(*steps[i].step, std::move(value), steps[i].last);
  return t.translate(value, at);
}

Node* translate_thread_first(Translator& t, const Datum& form, Position at) {
  return thread(t, form, at, false);
}
Node* translate_thread_last(Translator& t, const Datum& form, Position at) {
  return thread(t, form, at, true);
}

// (as-> value name step ...)
Node* translate_as(Translator& t, const Datum& form, Position at) {
  if (form.items.size() < 3 || !form.items[2].is(DatumKind::Symbol))
    return t.bad_form(form, "as->: needs a value and a name", "(as-> value name step ...)");
  Scope::Block block(t.scope);
  Translator::Bindings bindings;
  t.destructure(form.items[2], t.translate(form.items[1]), bindings);
  if (form.items.size() == 3) {
    Node* name = t.symbol(form.items[2]);
    return t.let_node(form.span, std::move(bindings), name);
  }
  for (std::size_t i = 3; i + 1 < form.items.size(); ++i)
    t.destructure(form.items[2], t.translate(form.items[i]), bindings);
  Node* result = t.translate(form.items.back(), at.inner());
  return t.let_node(form.span, std::move(bindings), result);
}

// (some-> value step ...): stops at nil.
Node* some_thread(Translator& t, const Datum& form, bool last) {
  if (form.items.size() < 2)
    return t.bad_form(form, fmt::format("{}: needs a value", form.items[0].name->full),
                      "(some-> value step ...)");
  Scope::Block block(t.scope);
  Node* first = t.translate(form.items[1]);
  if (form.items.size() == 2) return first;
  struct Step {
    const core::Binding* binding;
    Node* value;
    Span span;
  };
  std::vector<Step> steps;
  Node* value = first;
  for (std::size_t i = 2; i < form.items.size(); ++i) {
    const Datum name = t.fresh_symbol("step", form.items[i].span);
    steps.push_back({t.bind(name), value, form.items[i].span});
    value = t.translate(threaded(form.items[i], name, last));
  }
  for (std::size_t i = steps.size(); i-- > 0;) {
    const Step& step = steps[i];
    Node* stop = t.library_call(step.span, "nil?", {t.local(step.span, step.binding)});
    value = t.let_node(step.span, {{step.binding, step.value}},
                       t.if_node(step.span, stop, t.nil(step.span), value));
  }
  return value;
}

Node* translate_some_first(Translator& t, const Datum& form, Position) {
  return some_thread(t, form, false);
}
Node* translate_some_last(Translator& t, const Datum& form, Position) {
  return some_thread(t, form, true);
}

// (cond-> value test step ...): each step only if its test holds; tests do not see the value.
Node* cond_thread(Translator& t, const Datum& form, bool last) {
  if (form.items.size() < 2 || form.items.size() % 2 != 0)
    return t.bad_form(
        form,
        fmt::format("{}: needs a value, then tests and steps in pairs", form.items[0].name->full),
        "(cond-> value test step ...)");
  Scope::Block block(t.scope);
  Translator::Bindings bindings;
  Node* value = t.translate(form.items[1]);
  for (std::size_t i = 2; i + 1 < form.items.size(); i += 2) {
    const Span span = form.items[i + 1].span;
    const Datum name = t.fresh_symbol("step", span);
    Node* test = t.translate(form.items[i], {false, true});
    const core::Binding* binding = t.bind(name);
    bindings.emplace_back(binding, value);
    value = t.if_node(span, test, t.translate(threaded(form.items[i + 1], name, last)),
                      t.local(span, binding));
  }
  return t.let_node(form.span, std::move(bindings), value);
}

Node* translate_cond_first(Translator& t, const Datum& form, Position) {
  return cond_thread(t, form, false);
}
Node* translate_cond_last(Translator& t, const Datum& form, Position) {
  return cond_thread(t, form, true);
}

// (doto value step ...)
Node* translate_doto(Translator& t, const Datum& form, Position) {
  if (form.items.size() < 2)
    return t.bad_form(form, "doto: needs a value", "(doto value step ...)");
  Scope::Block block(t.scope);
  Node* value = t.translate(form.items[1]);
  const Datum name = t.fresh_symbol("it", form.items[1].span);
  const core::Binding* binding = t.bind(name);
  std::vector<Node*> parts;
  for (std::size_t i = 2; i < form.items.size(); ++i)
    parts.push_back(t.translate(threaded(form.items[i], name, false)));
  parts.push_back(t.local(form.span, binding));
  return t.let_node(form.span, {{binding, value}}, t.sequence(form.span, std::move(parts)));
}

}  // namespace

void add_threading(FormTable& table) {
  add_form(table, {"->"}, translate_thread_first);
  add_form(table, {"->>"}, translate_thread_last);
  add_form(table, {"as->"}, translate_as);
  add_form(table, {"some->"}, translate_some_first);
  add_form(table, {"some->>"}, translate_some_last);
  add_form(table, {"cond->"}, translate_cond_first);
  add_form(table, {"cond->>"}, translate_cond_last);
  add_form(table, {"doto"}, translate_doto);
}

}  // namespace chancel::front
