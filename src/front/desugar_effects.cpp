// SPDX-License-Identifier: Apache-2.0
// Control that leaves or delays: try, catch, throw, lazy-seq, delay, time, assert. Anglican's
// (catch tag body...) and (throw tag value) are distinguished from Clojure's by their place and
// number of parts.
#include <fmt/format.h>

#include "front/translator.hpp"
#include "value/collections.hpp"

namespace chancel::front {

using core::Node;

namespace {

bool is_clause(const Datum& datum, const char* head) { return datum.is_list_headed(head); }

bool catches_everything(const Datum& type) {
  return type.is(DatumKind::Keyword) || type.is_symbol("Throwable") ||
         type.is_symbol("java.lang.Throwable") || type.is_symbol("Object") ||
         type.is_symbol("js/Error") || type.is_symbol("_");
}

// (catch Class name body...)
core::Lambda* exception_handler(Translator& t, const Datum& form, std::size_t from,
                                std::size_t to) {
  auto* lambda = t.make<core::Lambda>(form.items[from].span);
  core::Arity arity;
  arity.span = form.items[from].span;
  const core::Binding* thrown = t.fresh("thrown", arity.span);
  arity.params.push_back(thrown);
  auto* rethrow = t.make<core::Throw>(arity.span);
  rethrow->value = t.local(arity.span, thrown);
  Node* otherwise = rethrow;
  t.recur_frames.push_back({});
  Setting<bool> inside(t.in_function, true);
  for (std::size_t i = to; i-- > from;) {
    const Datum& clause = form.items[i];
    if (clause.items.size() < 3 || !clause.items[2].is(DatumKind::Symbol) ||
        (!clause.items[1].is(DatumKind::Symbol) && !clause.items[1].is(DatumKind::Keyword))) {
      t.bad_form(clause, "catch: needs a class and a name",
                 "(try body ... (catch Exception e handler ...))");
      continue;
    }
    Scope::Block block(t.scope);
    Translator::Bindings bindings;
    t.destructure(clause.items[2], t.local(clause.span, thrown), bindings);
    Node* body = t.body(clause, 3);
    body = t.let_node(clause.span, std::move(bindings), body);
    if (catches_everything(clause.items[1])) {
      otherwise = body;
    } else if (const Name* type = t.class_at(clause.items[1], "catch")) {
      Node* name = t.constant(clause.items[1].span, Value::class_value(type));
      otherwise = t.if_node(
          clause.span,
          t.library_call(clause.span, "%exception-is?", {t.local(clause.span, thrown), name}), body,
          otherwise);
    }
  }
  t.recur_frames.pop_back();
  arity.body = otherwise;
  lambda->arities.push_back(std::move(arity));
  return lambda;
}

// (try body... (catch Class name body...)... (finally body...))
Node* translate_try(Translator& t, const Datum& form, Position) {
  std::size_t catches = form.items.size(), finally = form.items.size();
  for (std::size_t i = 1; i < form.items.size(); ++i) {
    if (is_clause(form.items[i], "catch") && catches == form.items.size() &&
        form.items[i].items.size() >= 3 && form.items[i].items[2].is(DatumKind::Symbol))
      catches = i;
    if (is_clause(form.items[i], "finally")) {
      finally = i;
      break;
    }
  }
  if (catches > finally) catches = finally;
  if (finally + 1 < form.items.size())
    return t.bad_form(form, "try: finally must be the last part",
                      "(try body ... (catch Exception e ...) (finally ...))");
  auto* node = t.make<core::Try>(form.span);
  node->body = t.thunk(form, 1, RecurFrame::Kind::Wall, catches);
  if (catches < finally) node->handler = exception_handler(t, form, catches, finally);
  if (finally < form.items.size())
    node->finally = t.thunk(form.items[finally], 1, RecurFrame::Kind::Wall);
  return node;
}

// (catch tag body...)
Node* translate_catch(Translator& t, const Datum& form, Position) {
  if (form.items.size() < 2)
    return t.bad_form(form, "catch: needs a tag",
                      "(catch tag body ...) with (throw tag value) inside");
  auto* node = t.make<core::Catch>(form.span);
  node->tag = t.translate(form.items[1]);
  node->body = t.thunk(form, 2);
  return node;
}

// (throw exception), (throw tag value)
Node* translate_throw(Translator& t, const Datum& form, Position) {
  if (form.items.size() != 2 && form.items.size() != 3)
    return t.bad_form(form, "throw: takes an exception, or a tag and a value", "(throw tag value)");
  auto* node = t.make<core::Throw>(form.span);
  if (form.items.size() == 3) node->tag = t.translate(form.items[1]);
  node->value = t.translate(form.items.back());
  return node;
}

// (name body...): the library function gets the body as a function of no arguments.
Node* thunk_call(Translator& t, const Datum& form, const char* function) {
  core::Lambda* thunk = t.thunk(form, 1);
  return t.library_call(form.span, function, {thunk});
}
Node* translate_lazy_seq(Translator& t, const Datum& form, Position) {
  return thunk_call(t, form, "%lazy-seq");
}
Node* translate_delay(Translator& t, const Datum& form, Position) {
  return thunk_call(t, form, "%delay");
}
Node* translate_future(Translator& t, const Datum& form, Position) {
  return thunk_call(t, form, "future-call");
}
Node* translate_with_out_str(Translator& t, const Datum& form, Position) {
  return thunk_call(t, form, "%with-out-str");
}
Node* translate_time(Translator& t, const Datum& form, Position) {
  return form.items.size() == 1 ? t.call(form) : thunk_call(t, form, "%time");
}

// (lazy-cat a b ...) is (concat (lazy-seq a) (lazy-seq b) ...)
Node* translate_lazy_cat(Translator& t, const Datum& form, Position) {
  std::vector<Node*> parts;
  for (std::size_t i = 1; i < form.items.size(); ++i) {
    core::Lambda* thunk = t.thunk(form, i, RecurFrame::Kind::Thunk, i + 1);
    parts.push_back(t.library_call(form.items[i].span, "%lazy-seq", {thunk}));
  }
  return t.library_call(form.span, "concat", std::move(parts));
}

// (assert test message?)
Node* translate_assert(Translator& t, const Datum& form, Position) {
  if (form.items.size() != 2 && form.items.size() != 3)
    return t.bad_form(form, "assert: takes a test and perhaps a message",
                      "(assert test \"message\")");
  std::vector<Node*> args = {
      t.constant(form.span, make_string(t.constants, to_text(form.items[1])))};
  if (form.items.size() == 3) args.push_back(t.translate(form.items[2]));
  return t.if_node(form.span, t.translate(form.items[1], {false, true}), t.nil(form.span),
                   t.library_call(form.span, "%assert-failed", std::move(args)));
}

}  // namespace

void add_effects(FormTable& table) {
  add_form(table, {"try"}, translate_try);
  add_form(table, {"catch"}, translate_catch);
  add_form(table, {"throw"}, translate_throw);
  add_form(table, {"lazy-seq"}, translate_lazy_seq);
  add_form(table, {"delay"}, translate_delay);
  add_form(table, {"future"}, translate_future);
  add_form(table, {"time"}, translate_time);
  add_form(table, {"with-out-str"}, translate_with_out_str);
  add_form(table, {"lazy-cat"}, translate_lazy_cat);
  add_form(table, {"assert"}, translate_assert);
}

}  // namespace chancel::front
