// SPDX-License-Identifier: Apache-2.0
// defmulti, defmethod and what goes with them. A multimethod is an ordinary function that computes
// the dispatch value and asks the library (%find-method) for the method: the one for that value, or
// the nearest that it isa?. Its methods are a map in a hidden global, which each defmethod replaces
// by one with an entry more, so that methods may be added in any file, and executions of a query
// see those that were there when it was started.
#include <fmt/format.h>

#include "front/definitions.hpp"
#include "value/collections.hpp"

namespace chancel::front {

using core::Node;

namespace {

// The hidden globals of a multimethod.
const Name* dispatch_of(const Name* name) { return intern("%dispatch:" + name->full); }
const Name* methods_of(const Name* name) { return intern("%methods:" + name->full); }
const Name* preferences_of(const Name* name) { return intern("%prefers:" + name->full); }

Node* empty_map_node(Translator& t, Span span) { return t.constant(span, empty_map(t.constants)); }

// (fn [& args] (apply (%find-method 'name methods prefers default (apply dispatch args)) args))
Node* dispatcher(Translator& t, const Datum& form, const Name* name, Node* otherwise) {
  auto* lambda = t.make<core::Lambda>(form.span);
  lambda->name = name;
  core::Arity arity;
  arity.span = form.span;
  const Span span;  // nothing of it is to blame: messages point at the call
  arity.rest = t.fresh("args", span);
  const auto global = [&](const Name* g) { return t.make<core::Global>(span, g); };
  Node* key = t.library_call(span, "apply", {global(dispatch_of(name)), t.local(span, arity.rest)});
  Node* method = t.library_call(span, "%find-method",
                                {t.constant(span, Value::symbol(name)), global(methods_of(name)),
                                 global(preferences_of(name)), otherwise, key});
  arity.body = t.library_call(span, "apply", {method, t.local(span, arity.rest)});
  lambda->arities.push_back(std::move(arity));
  return lambda;
}

// The multimethod that a symbol means; reports and gives null when it is none.
const Name* multimethod(Translator& t, const Datum& form, std::size_t index, const char* shape) {
  const std::string& head = form.items[0].name->full;
  if (form.items.size() <= index || !form.items[index].is(DatumKind::Symbol)) {
    t.error(Code::F008, form.span, fmt::format("{}: needs the name of a multimethod", head),
            std::string("write ") + shape);
    return nullptr;
  }
  const Datum& symbol = form.items[index];
  const Name* name = t.names.resolve(symbol.name);
  if (name != nullptr && t.names.globals().known(methods_of(name))) return name;
  t.error(Code::F008, symbol.span,
          fmt::format("{}: {} is not a multimethod", head, symbol.name->full),
          fmt::format("write (defmulti {} dispatch-function) before it", symbol.name->full));
  return nullptr;
}

Node* set_global(Translator& t, Span span, const Name* name, Node* value) {
  auto* def = t.make<core::Def>(span, name);
  def->value = value;
  return def;
}

Node* translate_methods(Translator& t, const Datum& form, Position) {
  const Name* name = multimethod(t, form, 1, "(methods multimethod)");
  return name ? t.make<core::Global>(form.span, methods_of(name)) : t.nil(form.span);
}

// (get-method multimethod value)
Node* translate_get_method(Translator& t, const Datum& form, Position) {
  constexpr const char* kShape = "(get-method multimethod value)";
  const Name* name = multimethod(t, form, 1, kShape);
  if (name == nullptr) return t.nil(form.span);
  if (form.items.size() != 3) return t.bad_form(form, "get-method: takes a value", kShape);
  const auto global = [&](const Name* g) { return t.make<core::Global>(form.span, g); };
  return t.library_call(
      form.span, "%method-for",
      {global(methods_of(name)), global(preferences_of(name)), t.translate(form.items[2])});
}

// (remove-method multimethod value), (remove-all-methods multimethod),
// (prefer-method multimethod value over)
Node* translate_change(Translator& t, const Datum& form, Position) {
  const std::string head(form.items[0].name->base);
  const char* shape = head == "prefer-method"   ? "(prefer-method multimethod value over)"
                      : head == "remove-method" ? "(remove-method multimethod value)"
                                                : "(remove-all-methods multimethod)";
  const Name* name = multimethod(t, form, 1, shape);
  if (name == nullptr) return t.nil(form.span);
  const std::size_t values = head == "prefer-method" ? 2 : head == "remove-method" ? 1 : 0;
  if (form.items.size() != 2 + values)
    return t.bad_form(form, fmt::format("{}: wrong number of parts", head), shape);
  const Span span = form.span;
  const Name* changed = values == 2 ? preferences_of(name) : methods_of(name);
  Node* now = t.make<core::Global>(span, changed);
  Node* value = values == 0 ? empty_map_node(t, span)
                : values == 1
                    ? t.library_call(span, "dissoc", {now, t.translate(form.items[2])})
                    : t.library_call(span, "%prefer",
                                     {now, t.translate(form.items[2]), t.translate(form.items[3])});
  return t.sequence(span, {set_global(t, span, changed, value), t.symbol(form.items[1])});
}

}  // namespace

// (defmulti name doc? attributes? dispatch-function :default value)
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
  Node* otherwise = t.constant(form.span, Value::keyword(intern("default")));
  for (std::size_t i = from + 1; i + 1 < form.items.size(); i += 2)
    if (form.items[i].is(DatumKind::Keyword) && form.items[i].name->full == "default")
      otherwise = t.translate(form.items[i + 1]);
  t.names.define(name);
  t.names.globals().declare(name, form.items[1].span);
  for (const Name* hidden : {dispatch_of(name), methods_of(name), preferences_of(name)})
    t.names.globals().declare(hidden, form.span);
  add_definition(t, form, dispatch_of(name), t.translate(form.items[from]), out);
  add_definition(t, form, methods_of(name), empty_map_node(t, form.span), out);
  add_definition(t, form, preferences_of(name), empty_map_node(t, form.span), out);
  add_definition(t, form, name, dispatcher(t, form, name, otherwise), out);
}

// (defmethod name dispatch-value [parameters] body...)
void define_method(Translator& t, const Datum& form, std::vector<TopLevel>& out) {
  constexpr const char* kShape = "(defmethod name dispatch-value [parameters] body ...)";
  const Name* name = multimethod(t, form, 1, kShape);
  if (name == nullptr) return;
  if (form.items.size() < 4) {
    t.error(Code::F008, form.span, "defmethod: needs a name, a value and a function",
            std::string("write ") + kShape);
    return;
  }
  Translator::Function function;
  function.name = name;
  // A name for the method is allowed.
  std::size_t from = 3;
  if (form.items[3].is(DatumKind::Symbol)) {
    function.name = function.self = form.items[3].name;
    from = 4;
  }
  Node* method = t.lambda(form, from, function);
  Node* now = t.make<core::Global>(form.span, methods_of(name));
  add_definition(t, form, methods_of(name),
                 t.library_call(form.span, "assoc", {now, t.translate(form.items[2]), method}),
                 out);
}

void add_multimethod_forms(FormTable& table) {
  add_form(table, {"methods"}, translate_methods);
  add_form(table, {"get-method"}, translate_get_method);
  add_form(table, {"remove-method", "remove-all-methods", "prefer-method"}, translate_change);
}

}  // namespace chancel::front
