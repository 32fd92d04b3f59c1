// SPDX-License-Identifier: Apache-2.0
// defmulti and defmethod. A multimethod is an ordinary function: it computes the dispatch value and
// compares it with the constants of the methods that are defined so far. Each defmethod redefines
// it with one more method, so that nothing is needed at run time. Dispatch values are data, as case
// constants are; the last definition for a value wins.
#include <fmt/format.h>

#include "front/definitions.hpp"

namespace chancel::front {

using core::Node;

namespace {

bool is_default(const Datum& value) {
  return value.is(DatumKind::Keyword) && value.name->full == "default";
}

// (fn [& args] (let [key (apply dispatch args)] (if (= key c) (apply method args) ...)))
Node* dispatcher(Translator& t, const Datum& form, const Name* name, const Multimethod& multi) {
  const Span span = form.span;
  auto* lambda = t.make<core::Lambda>(span);
  lambda->name = name;
  core::Arity arity;
  arity.span = span;
  arity.rest = t.fresh("args", span);
  auto apply = [&](const Name* function) {
    return t.library_call(span, "apply",
                          {t.make<core::Global>(span, function), t.local(span, arity.rest)});
  };
  const core::Binding* key = t.fresh("key", span);
  Node* choice = nullptr;
  for (const auto& [value, method] : multi.methods)
    if (is_default(value)) choice = apply(method);
  if (choice == nullptr) choice = t.library_call(span, "%no-matching-clause", {t.local(span, key)});
  for (const auto& [value, method] : multi.methods) {
    if (is_default(value)) continue;
    Node* test = t.library_call(
        span, "=", {t.local(span, key), t.constant(value.span, t.constant_value(value))});
    choice = t.if_node(span, test, apply(method), choice);
  }
  arity.body = t.let_node(span, {{key, apply(multi.dispatch)}}, choice);
  lambda->arities.push_back(std::move(arity));
  return lambda;
}

}  // namespace

// (defmulti name doc? dispatch-function)
void define_multimethod(Translator& t, const Datum& form, std::vector<TopLevel>& out) {
  constexpr const char* kShape = "(defmulti name dispatch-function)";
  const Name* name = defined_name(t, form, kShape);
  if (name == nullptr) return;
  const std::size_t from = skip_documentation(form, 2, nullptr);
  if (from >= form.items.size()) {
    t.error(Code::F008, form.span, "defmulti: needs a dispatch function",
            std::string("write ") + kShape);
    return;
  }
  t.names.define(name);
  t.names.globals().declare(name, form.items[1].span);
  Multimethod& multi = t.multimethods[name];
  multi = {intern("%dispatch:" + name->full), {}};
  t.names.globals().declare(multi.dispatch, form.span);
  add_definition(t, form, multi.dispatch, t.translate(form.items[from]), out);
  add_definition(t, form, name, dispatcher(t, form, name, multi), out);
}

// (defmethod name dispatch-value [parameters] body...)
void define_method(Translator& t, const Datum& form, std::vector<TopLevel>& out) {
  constexpr const char* kShape = "(defmethod name dispatch-value [parameters] body ...)";
  if (form.items.size() < 4 || !form.items[1].is(DatumKind::Symbol)) {
    t.error(Code::F008, form.span, "defmethod: needs a name, a value and a function",
            std::string("write ") + kShape);
    return;
  }
  const Name* name = form.items[1].name;
  auto found = t.multimethods.find(name);
  if (found == t.multimethods.end()) {
    t.error(Code::F008, form.items[1].span,
            fmt::format("defmethod: {} is not a multimethod", name->full),
            fmt::format("write (defmulti {} dispatch-function) before it", name->full));
    return;
  }
  const Datum& value = form.items[2];
  if (!t.is_constant(value)) {
    t.error(Code::F008, value.span, "defmethod: the dispatch value must be a constant",
            std::string("write ") + kShape);
    return;
  }
  Multimethod& multi = found->second;
  const Name* global = intern(fmt::format("%method:{}:{}", name->full, to_text(value)));
  t.names.globals().declare(global, form.span);
  Translator::Function function;
  function.name = name;
  // A name for the method is allowed.
  const std::size_t from = form.items[3].is(DatumKind::Symbol) ? 4 : 3;
  add_definition(t, form, global, t.lambda(form, from, function), out);
  bool replaced = false;
  for (auto& [old, method] : multi.methods)
    if (same_data(old, value)) replaced = true;
  if (!replaced) multi.methods.emplace_back(value, global);
  add_definition(t, form, name, dispatcher(t, form, name, multi), out);
}

}  // namespace chancel::front
