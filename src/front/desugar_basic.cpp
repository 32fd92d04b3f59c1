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
  if (!t.is_constant(form)) return t.symbol(form.items[1]);  // a function from a macro
  return t.constant(form.span, t.quoted_value(form.items[1]));
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

// (condition x): x is true, in the sense of if, or the execution is impossible.
Node* translate_condition(Translator& t, const Datum& form, Position) {
  if (form.items.size() != 2)
    return t.bad_form(form, "condition: takes one truth value", "(condition (> x 0))");
  auto* node = t.make<core::Observe>(form.span);
  node->dist = t.library_call(form.span, "flip", {t.constant(form.span, Value::integer(1))});
  node->value = t.library_call(form.span, "boolean", {t.translate(form.items[1])});
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

// (instance? Class x)
Node* translate_instance(Translator& t, const Datum& form, Position) {
  if (form.items.size() != 3)
    return t.bad_form(form, "instance?: takes a type and a value", "(instance? Type value)");
  Node* type = nullptr;
  const bool bound = form.items[1].is(DatumKind::Symbol) &&
                     t.scope.find(form.items[1].name) == nullptr &&
                     t.names.resolve(form.items[1].name) == nullptr;
  if (bound) {
    const Name* name = t.class_at(form.items[1], "instance?");
    type = name ? t.constant(form.items[1].span, Value::class_value(name)) : t.nil(form.span);
  } else {
    type = t.translate(form.items[1]);
  }
  return t.library_call(form.span, "%instance?", {type, t.translate(form.items[2])});
}

// (doc name), (source name): the name itself, not its value.
Node* translate_about(Translator& t, const Datum& form, Position) {
  const std::string head(form.items[0].name->base);
  if (form.items.size() != 2 || !form.items[1].is(DatumKind::Symbol))
    return t.bad_form(form, fmt::format("{}: takes a name", head), fmt::format("({} name)", head));
  const Name* name = form.items[1].name;
  if (const Name* resolved = t.names.resolve(name)) name = resolved;
  return t.library_call(form.span, head == "doc" ? "%doc" : "%source",
                        {t.constant(form.items[1].span, Value::symbol(name))});
}

// (meta #'name) is what its definition says about it; other values have their own.
Node* translate_meta(Translator& t, const Datum& form, Position) {
  if (form.items.size() == 2 && form.items[1].is_list_headed("var") &&
      form.items[1].items.size() == 2 && form.items[1].items[1].is(DatumKind::Symbol)) {
    const Datum& symbol = form.items[1].items[1];
    const Name* name = t.names.resolve(symbol.name);
    if (name == nullptr) return t.symbol(symbol);  // which says that it is unbound
    return t.library_call(form.span, "%var-meta", {t.constant(symbol.span, Value::symbol(name))});
  }
  return t.call(form);
}

// (with-open [name value ...] body ...)
Node* translate_with_open(Translator& t, const Datum& form, Position at) {
  constexpr const char* kShape = "(with-open [name value ...] body ...)";
  if (!t.is_binding_vector(form, 1, kShape)) return t.nil(form.span);
  const std::vector<Datum>& bindings = form.items[1].items;
  Datum body = form;
  body.items.erase(body.items.begin(), body.items.begin() + 2);
  body.items.insert(body.items.begin(), make_symbol("do", form.span));
  for (std::size_t i = bindings.size(); i >= 2; i -= 2) {
    if (!bindings[i - 2].is(DatumKind::Symbol))
      return t.bad_form(form, "with-open: binds names", kShape);
    Datum close =
        make_list({make_symbol("finally", form.span),
                   make_list({make_symbol("%%%close", form.span), bindings[i - 2]}, form.span)},
                  form.span);
    Datum guarded =
        make_list({make_symbol("try", form.span), std::move(body), std::move(close)}, form.span);
    body =
        make_list({make_symbol("let", form.span),
                   make_vector({bindings[i - 2], bindings[i - 1]}, form.span), std::move(guarded)},
                  form.span);
  }
  return t.translate(body, at);
}

}  // namespace

void add_basic_forms(FormTable& table) {
  add_form(table, {"quote"}, translate_quote, true);
  add_form(table, {"if"}, translate_if, true);
  add_form(table, {"do"}, translate_do, true);
  add_form(table, {"dosync"}, translate_do);
  add_form(table, {"sample"}, translate_sample);
  add_form(table, {"observe"}, translate_observe);
  add_form(table, {"predict"}, translate_predict);
  add_form(table, {"factor", "score"}, translate_factor);
  add_form(table, {"condition"}, translate_condition);
  add_form(table, {"comment"}, translate_nothing);
  add_form(table, {"declare"}, translate_declare);
  add_form(table, {"var"}, translate_var);
  add_form(table, {"doc", "source"}, translate_about);
  add_form(table, {"meta"}, translate_meta);
  add_form(table, {"with-open"}, translate_with_open);
  add_form(table, {"instance?"}, translate_instance);
  add_form(table, {"new"}, translate_new);
}

}  // namespace chancel::front
