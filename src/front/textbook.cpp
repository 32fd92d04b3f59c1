// SPDX-License-Identifier: Apache-2.0
// The textbook's languages FOPPL and HOPPL: definitions, then one expression whose value is
// predicted as :result. They are Clojure-style with two more loops, and with maps whose numeric
// keys are known by their value.
#include <fmt/format.h>

#include "front/definitions.hpp"
#include "front/dialects.hpp"
#include "front/translator.hpp"

namespace chancel::front {

using core::Node;

namespace {

// Counts i from 0 to below n, carrying one value: step(i, value) gives the next.
template <class Step>
Node* counted_loop(Translator& t, const Datum& form, Node* times, Node* initial, Step&& step) {
  const Span span = form.span;
  const core::Binding* count = t.fresh("count", span);
  const core::Binding* index = t.fresh("index", span);
  const core::Binding* value = t.fresh("value", span);
  auto* loop = t.make<core::Loop>(span);
  loop->bindings.emplace_back(index, t.constant(span, Value::integer(0)));
  loop->bindings.emplace_back(value, initial);
  auto* recur = t.make<core::Recur>(span);
  recur->target = loop;
  recur->args.push_back(t.library_call(span, "inc", {t.local(span, index)}));
  recur->args.push_back(step(index, value));
  loop->body =
      t.if_node(span, t.library_call(span, "<", {t.local(span, index), t.local(span, count)}),
                recur, t.local(span, value));
  return t.let_node(span, {{count, times}}, loop);
}

// (foreach n [v e ...] body...): the vector of the bodies' values, v being the i-th element of e.
Node* translate_foreach(Translator& t, const Datum& form, Position) {
  constexpr const char* kShape = "(foreach n [name sequence ...] body ...)";
  if (form.items.size() < 3)
    return t.bad_form(form, "foreach: needs a count, bindings and a body", kShape);
  if (!t.is_binding_vector(form, 2, kShape)) return t.nil(form.span);
  const std::vector<Datum>& items = form.items[2].items;
  Node* times = t.translate(form.items[1]);
  Translator::Bindings sequences;
  for (std::size_t i = 0; i + 1 < items.size(); i += 2)
    sequences.emplace_back(t.fresh("sequence", items[i + 1].span), t.translate(items[i + 1]));
  Node* empty = t.library_call(form.span, "vector", {});
  Node* loop = counted_loop(
      t, form, times, empty, [&](const core::Binding* index, const core::Binding* value) {
        Scope::Block block(t.scope);
        Translator::Bindings parts;
        for (std::size_t i = 0; i + 1 < items.size(); i += 2) {
          const Span span = items[i].span;
          Node* element = t.library_call(
              span, "nth", {t.local(span, sequences[i / 2].first), t.local(span, index)});
          t.destructure(items[i], element, parts);
        }
        Node* body = t.body(form, 3);
        body = t.let_node(form.span, std::move(parts), body);
        return t.library_call(form.span, "conj", {t.local(form.span, value), body});
      });
  return t.let_node(form.span, std::move(sequences), loop);
}

// (loop n init f a ...): f n times, (f i value a ...). With a vector in second place it is
// Clojure's.
Node* translate_loop(Translator& t, const Datum& form, Position at) {
  if (form.items.size() > 1 && form.items[1].is(DatumKind::Vector))
    return clojure_forms().at(intern("loop")).handler(t, form, at);
  if (form.items.size() < 4)
    return t.bad_form(form, "loop: needs a count, an initial value and a function",
                      "(loop n initial f argument ...)");
  Node* times = t.translate(form.items[1]);
  Node* initial = t.translate(form.items[2]);
  Translator::Bindings fixed;
  for (std::size_t i = 3; i < form.items.size(); ++i)
    fixed.emplace_back(t.fresh(i == 3 ? "step" : "arg", form.items[i].span),
                       t.translate(form.items[i]));
  Node* loop = counted_loop(
      t, form, times, initial, [&](const core::Binding* index, const core::Binding* value) {
        std::vector<Node*> args = {t.local(form.span, index), t.local(form.span, value)};
        for (std::size_t i = 1; i < fixed.size(); ++i)
          args.push_back(t.local(form.span, fixed[i].first));
        return t.call_of(form.span, t.local(form.span, fixed[0].first), std::move(args));
      });
  return t.let_node(form.span, std::move(fixed), loop);
}

}  // namespace

const FormTable& textbook_forms() {
  static const FormTable table = [] {
    FormTable forms = clojure_forms();
    add_form(forms, {"foreach"}, translate_foreach);
    add_form(forms, {"loop"}, translate_loop);
    return forms;
  }();
  return table;
}

std::vector<TopLevel> translate_textbook(Translator& t, const std::vector<Datum>& forms) {
  for (auto [from, to] : {std::pair{"get", "%textbook-get"},
                          {"put", "%textbook-put"},
                          {"hash-map", "%textbook-hash-map"},
                          {"uniform", "uniform-continuous"},
                          {"append", "conj"}})
    t.names.rename(intern(from), intern(to));
  std::vector<TopLevel> out;
  std::vector<const Datum*> expressions;
  for (const Datum& form : forms) {
    if (DefinitionHandler handler = definition_handler(form)) {
      handler(t, form, out);
    } else if (form.is_list_headed("ns")) {
      t.names.read_namespace_form(form, t.sink);
    } else if (!form.is_list_headed("comment")) {
      expressions.push_back(&form);
    }
  }
  if (expressions.empty()) {
    t.error(Code::F011, forms.empty() ? Span{} : forms.back().span,
            "the program has no expression to infer",
            "a textbook program ends with one expression, whose value is the result");
    return out;
  }
  const Datum& last = *expressions.back();
  const Name* name = intern("main");
  t.names.globals().declare(name, last.span);
  auto* query = t.make<core::Lambda>(last.span);
  query->is_query = true;
  query->name = name;
  query->source = t.source_text(last);
  core::Arity arity;
  arity.span = last.span;
  arity.params.push_back(t.fresh("value", last.span));
  t.recur_frames.push_back({});
  Setting<bool> inside(t.in_function, true);
  Setting<bool> inside_query(t.in_query, true);
  Setting<bool> recur_rule(t.liberal_recur, true);
  std::vector<Node*> parts;
  for (std::size_t i = 0; i + 1 < expressions.size(); ++i)
    parts.push_back(t.translate(*expressions[i]));
  const core::Binding* result = t.fresh("result", last.span);
  Node* value = t.translate(last);
  auto* predict = t.make<core::Predict>(last.span);
  predict->label = t.constant(last.span, Value::keyword(intern("result")));
  predict->value = t.local(last.span, result);
  parts.push_back(t.let_node(last.span, {{result, value}},
                             t.sequence(last.span, {predict, t.local(last.span, result)})));
  t.recur_frames.pop_back();
  arity.body = t.sequence(last.span, std::move(parts));
  query->arities.push_back(std::move(arity));
  add_definition(t, last, name, query, out);
  QuerySignature info;
  info.name = name;
  info.span = last.span;
  out.back().query = std::move(info);
  return out;
}

}  // namespace chancel::front
