// SPDX-License-Identifier: Apache-2.0
// Clojure-style files: a script of top-level forms. Definitions go to definitions.cpp, everything
// else is an expression that is evaluated where it stands. do and with-primitive-procedures are
// transparent; a top-level let around definitions turns its variables into hidden globals, since
// definitions are top-level only.
#include "front/dialects.hpp"

#include <fmt/format.h>

#include <unordered_map>

#include "core/rewrite.hpp"
#include "front/definitions.hpp"
#include "front/form_docs.hpp"

namespace chancel::front {

using core::Node;

namespace {

// (def x 1), (defn f [x] ...) inside a body: the global gets its value when the body runs. In a
// query there would be one global for all executions.
Node* definition_in_body(Translator& t, const Datum& form, Position) {
  const std::string_view head = form.items[0].name->base;
  const bool plain = head == "def" || head == "defn" || head == "defn-" || head == "defonce";
  if (plain && !t.in_query) {
    std::vector<TopLevel> out;
    definition_handler(form, &t.names)(t, form, out);
    return out.empty() || out.back().node == nullptr ? t.nil(form.span) : out.back().node;
  }
  return t.error(Code::F008, form.span,
                 fmt::format("{}: definitions stand at top level only", form.items[0].name->full),
                 "use let for a local name");
}

FormTable make_table() {
  FormTable table;
  add_basic_forms(table);
  add_binding_forms(table);
  add_function_forms(table);
  add_loop_forms(table);
  add_conditionals(table);
  add_threading(table);
  add_iteration(table);
  add_effects(table);
  add_record_forms(table);
  add_multimethod_forms(table);
  add_interop_forms(table);
  add_testing_forms(table);
  add_legacy_forms(table);
  add_form(table, {"def",        "defonce",   "defn",        "defn-",       "defm",
                   "def-cps-fn", "defquery",  "defmacro",    "defdist",     "defproc",
                   "defrecord",  "deftype",   "defprotocol", "extend-type", "extend-protocol",
                   "defmulti",   "defmethod", "deftest",     "defanglican", "defun"},
           definition_in_body, true);
  return table;
}

}  // namespace

std::vector<std::string> form_names() {
  std::vector<std::string> names;
  for (const auto& [name, form] : make_table()) names.push_back(name->full);
  return names;
}

namespace {

bool headed_by(const Datum& form, std::initializer_list<const char*> heads) {
  for (const char* head : heads)
    if (form.is_list_headed(head)) return true;
  return false;
}

bool defines_something(const Datum& form) {
  if (headed_by(form, {"do", "with-primitive-procedures", "let"})) {
    for (const Datum& item : form.items)
      if (defines_something(item)) return true;
    return false;
  }
  return definition_handler(form) != nullptr;
}

// Definitions, or macros, which may become some.
bool has_definitions(Translator& t, const Datum& form) {
  for (const Datum& item : form.items) {
    if (defines_something(item)) return true;
    if (!item.is(DatumKind::List) || item.items.empty() || !item.items[0].is(DatumKind::Symbol))
      continue;
    const Name* head = t.names.resolve(item.items[0].name);
    if (head != nullptr && t.names.globals().is_macro(head)) return true;
    if (item.is_list_headed("do") && has_definitions(t, item)) return true;
  }
  return false;
}

void add_expression(Translator& t, const Datum& form, std::vector<TopLevel>& out) {
  TopLevel item;
  item.node = t.translate(form);
  item.span = form.span;
  out.push_back(std::move(item));
}

// (let [x e ...] (defn f ...) ...): x becomes a hidden global.
void hoist_let(Translator& t, const Datum& form, std::vector<TopLevel>& out) {
  if (!t.is_binding_vector(form, 1, "(let [name value ...] body ...)")) return;
  const std::vector<Datum>& items = form.items[1].items;
  Scope::Block block(t.scope);
  std::unordered_map<const core::Binding*, const Name*> hidden;
  // In order: a later variable may shadow an earlier one.
  std::vector<std::pair<const Name*, const Name*>> aliases;
  auto hide = [&](Node*& node) {
    core::replace_locals(node, [&](const core::Local& use) -> Node* {
      auto found = hidden.find(use.binding);
      return found == hidden.end() ? nullptr : t.make<core::Global>(use.span, found->second);
    });
  };
  for (std::size_t i = 0; i + 1 < items.size(); i += 2) {
    Translator::Bindings bindings;
    t.destructure(items[i], t.translate(items[i + 1]), bindings);
    for (auto& [binding, value] : bindings) {
      hide(value);
      const Name* global = intern(fmt::format("%let:{}:{}:{}", binding->name->full, form.span.file,
                                              form.span.begin + binding->id));
      hidden[binding] = global;
      aliases.emplace_back(binding->name, global);
      t.names.globals().declare(global, binding->span);
      add_definition(t, items[i], global, value, out);
    }
  }
  for (const auto& [name, global] : aliases) t.scope.alias(name, global);
  for (std::size_t i = 2; i < form.items.size(); ++i) translate_top_level(t, form.items[i], out);
}

}  // namespace

const FormTable& clojure_forms() {
  static const FormTable table = make_table();
  return table;
}

void translate_top_level(Translator& t, const Datum& form, std::vector<TopLevel>& out) {
  const bool own = form.is(DatumKind::List) && !form.items.empty() &&
                   form.items[0].is(DatumKind::Symbol) && t.names.defined(form.items[0].name);
  if (!own && headed_by(form, {"ns", "ns+", "require", "use", "import", "in-ns", "refer", "alias",
                               "set!", "gen-class", "refer-clojure"})) {
    t.names.read_namespace_form(form, t.sink);
    return;
  }
  if (headed_by(form, {"do"}) && has_definitions(t, form)) {
    for (std::size_t i = 1; i < form.items.size(); ++i) translate_top_level(t, form.items[i], out);
    return;
  }
  if (headed_by(form, {"with-primitive-procedures"}) && form.items.size() > 1 &&
      form.items[1].is(DatumKind::Vector)) {
    Scope::Block block(t.scope);
    alias_primitives(t, form.items[1]);
    for (std::size_t i = 2; i < form.items.size(); ++i) translate_top_level(t, form.items[i], out);
    return;
  }
  if (form.is_list_headed("let") && defines_something(form)) return hoist_let(t, form, out);
  if (DefinitionHandler handler = definition_handler(form, &t.names)) return handler(t, form, out);
  if (form.is(DatumKind::List) && !form.items.empty() && form.items[0].is(DatumKind::Symbol)) {
    const Name* head = t.names.resolve(form.items[0].name);
    if (head != nullptr && t.scope.find(form.items[0].name) == nullptr && !t.names.defined(head) &&
        t.names.globals().is_macro(head)) {
      auto expansion = t.expansion_of(head, form);
      if (!expansion) return;
      Setting<int> deeper(t.expansions, t.expansions + 1);
      Setting<Span> from(t.expanded_from, t.expanded_from.known() ? t.expanded_from : form.span);
      return translate_top_level(t, *expansion, out);
    }
  }
  add_expression(t, form, out);
}

}  // namespace chancel::front
