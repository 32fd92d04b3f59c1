// SPDX-License-Identifier: Apache-2.0
// The forms that are nearly core already: quote, if, do, the three checkpoints, and declarations
// that need nothing.
#include <fmt/format.h>

#include "front/translator.hpp"

namespace chancel::front {

using core::Node;

namespace {

Node* translate_quote(Translator& t, const Datum& form, Position) {
  if (form.items.size() != 2) return t.bad_form(form, "quote: takes one form", "(quote x) or 'x");
  return t.constant(form.span, datum_to_value(form.items[1], t.constants));
}

Node* translate_if(Translator& t, const Datum& form, Position at) {
  const std::size_t parts = form.items.size() - 1;
  if (parts < 2 || parts > 3)
    return t.bad_form(form,
                      fmt::format("if: takes a test and one or two branches, got {} part{}", parts,
                                  parts == 1 ? "" : "s"),
                      "(if test then else)");
  Node* test = t.translate(form.items[1], {false, true});
  Node* then = t.translate(form.items[2], at.inner());
  Node* otherwise = parts == 3 ? t.translate(form.items[3], at.inner()) : t.nil(form.span);
  return t.if_node(form.span, test, then, otherwise);
}

Node* translate_do(Translator& t, const Datum& form, Position at) { return t.body(form, 1, at); }

Node* translate_sample(Translator& t, const Datum& form, Position) {
  const std::size_t parts = form.items.size() - 1;
  if (parts != 1 && parts != 2)
    return t.bad_form(form, fmt::format("sample: takes a distribution, got {} parts", parts),
                      "(sample distribution) or (sample id distribution)");
  auto* node = t.make<core::Sample>(form.span);
  if (parts == 2) node->id = t.translate(form.items[1]);
  node->dist = t.translate(form.items[parts]);
  return node;
}

Node* translate_observe(Translator& t, const Datum& form, Position) {
  const std::size_t parts = form.items.size() - 1;
  if (parts != 2 && parts != 3)
    return t.bad_form(form,
                      fmt::format("observe: takes a distribution and a value, got {} part{}", parts,
                                  parts == 1 ? "" : "s"),
                      "(observe distribution value) or (observe id distribution value)");
  auto* node = t.make<core::Observe>(form.span);
  if (parts == 3) node->id = t.translate(form.items[1]);
  node->dist = t.translate(form.items[parts - 1]);
  node->value = t.translate(form.items[parts]);
  return node;
}

Node* translate_predict(Translator& t, const Datum& form, Position) {
  const std::size_t parts = form.items.size() - 1;
  if (parts != 1 && parts != 2)
    return t.bad_form(
        form, fmt::format("predict: takes a value, or a label and a value, got {} parts", parts),
        "(predict expression) or (predict :label expression)");
  auto* node = t.make<core::Predict>(form.span);
  node->label = parts == 1 ? t.quoted(form.items[1]) : t.translate(form.items[1]);
  node->value = t.translate(form.items[parts]);
  return node;
}

// (factor w), (score w): w is added to the log-weight.
Node* translate_factor(Translator& t, const Datum& form, Position) {
  if (form.items.size() != 2)
    return t.bad_form(form, fmt::format("{}: takes one number", to_text(form.items[0])),
                      "(factor log-weight)");
  auto* node = t.make<core::Observe>(form.span);
  node->dist = t.library_call(form.span, "%factor", {t.translate(form.items[1])});
  node->value = t.nil(form.span);
  return node;
}

Node* translate_nothing(Translator& t, const Datum& form, Position) { return t.nil(form.span); }

// (declare :primitive f), (declare f) inside a body: nothing to do. At top level definitions.cpp
// sees it first.
Node* translate_declare(Translator& t, const Datum& form, Position) { return t.nil(form.span); }

// (var x), #'x: variables are not values of their own; what they hold is.
Node* translate_var(Translator& t, const Datum& form, Position) {
  if (form.items.size() != 2 || !form.items[1].is(DatumKind::Symbol))
    return t.bad_form(form, "var: takes a name", "(var name) or #'name");
  return t.symbol(form.items[1]);
}

// (new Exception "msg") is (Exception. "msg").
Node* translate_new(Translator& t, const Datum& form, Position at) {
  if (form.items.size() < 2 || !form.items[1].is(DatumKind::Symbol))
    return t.bad_form(form, "new: takes the name of a class", "(Exception. \"message\")");
  Datum call = form;
  call.items.erase(call.items.begin());
  call.items[0] = make_symbol(form.items[1].name->full + ".", form.items[1].span);
  return t.translate(call, at);
}

// (instance? Class x): classes that the program does not define go by their name.
Node* translate_instance(Translator& t, const Datum& form, Position) {
  if (form.items.size() != 3 || !form.items[1].is(DatumKind::Symbol))
    return t.bad_form(form, "instance?: takes the name of a type and a value",
                      "(instance? Type value)");
  const Name* type = form.items[1].name;
  Node* node = nullptr;
  if (t.scope.find(type) != nullptr || t.names.resolve(type) != nullptr) {
    node = t.symbol(form.items[1]);
  } else {
    node = t.quoted(make_string(type->full, form.items[1].span));
  }
  return t.library_call(form.span, "%instance?", {node, t.translate(form.items[2])});
}

// (macroexpand-1 'form), (macroexpand 'form): the program's own macros.
Node* translate_macroexpand(Translator& t, const Datum& form, Position) {
  if (form.items.size() != 2 || !form.items[1].is_list_headed("quote") ||
      form.items[1].items.size() != 2)
    return t.bad_form(form, fmt::format("{}: takes a quoted form", form.items[0].name->full),
                      "(macroexpand-1 '(name argument ...))");
  Datum expansion = form.items[1].items[1];
  const bool once = form.items[0].name->base == "macroexpand-1";
  for (int steps = 0; steps < 500; ++steps) {
    if (!expansion.is(DatumKind::List) || expansion.items.empty() ||
        !expansion.items[0].is(DatumKind::Symbol))
      break;
    const Name* name = t.names.resolve(expansion.items[0].name);
    if (name == nullptr || !t.names.globals().is_macro(name)) break;
    auto next = t.names.globals().expand(name, expansion, t.sink);
    if (!next) break;
    expansion = std::move(*next);
    if (once) break;
  }
  return t.quoted(expansion);
}

}  // namespace

void add_basic_forms(FormTable& table) {
  add_form(table, {"quote"}, translate_quote, true);
  add_form(table, {"if"}, translate_if, true);
  add_form(table, {"do"}, translate_do, true);
  add_form(table, {"sample"}, translate_sample);
  add_form(table, {"observe"}, translate_observe);
  add_form(table, {"predict"}, translate_predict);
  add_form(table, {"factor", "score"}, translate_factor);
  add_form(table, {"comment"}, translate_nothing);
  add_form(table, {"declare"}, translate_declare);
  add_form(table, {"var"}, translate_var);
  add_form(table, {"macroexpand", "macroexpand-1"}, translate_macroexpand);
  add_form(table, {"instance?"}, translate_instance);
  add_form(table, {"new"}, translate_new);
}

}  // namespace chancel::front
