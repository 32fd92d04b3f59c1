// SPDX-License-Identifier: Apache-2.0
// The paper's syntax: [assume x e] [observe e c] [predict e]. Lists and vectors are the same;
// assume and define bind for the rest of their body, so a program is one flat let. Applying a
// random primitive samples it and the head of an observe is scored, unless the program writes
// sample itself: then primitives are distributions (defanglican style). Functions know the name
// that they are bound to, and consecutive functions see each other.
#include "front/venture.hpp"

#include <algorithm>

#include "front/definitions.hpp"
#include "front/dialects.hpp"

namespace chancel::front {

using core::Node;

namespace {

bool writes_sample(const Datum& datum) {
  if (is_headed(datum, "sample")) return true;
  if (is_headed(datum, "quote")) return false;
  return std::any_of(datum.items.begin(), datum.items.end(), writes_sample);
}

// While it lives, the translator speaks Venture.
class SpeakVenture {
 public:
  SpeakVenture(Translator& t, const Datum& program)
      : dialect_(t.dialect, Dialect::Venture),
        forms_(t.forms, &venture_forms()),
        sampling_(t.primitives_sample, !writes_sample(program)),
        recur_(t.liberal_recur, true) {}

 private:
  Setting<Dialect> dialect_;
  Setting<const FormTable*> forms_;
  Setting<bool> sampling_;
  Setting<bool> recur_;
};

core::Lambda* program_query(Translator& t, const Datum& form, std::size_t from, const Name* name,
                            QuerySignature* info) {
  SpeakVenture venture(t, form);
  auto* query = t.make<core::Lambda>(form.span);
  query->is_query = true;
  query->name = info->name = name;
  query->source = t.source_text(form);
  info->span = form.span;
  Scope::Block block(t.scope);
  Setting<bool> inside(t.in_function, true);
  Setting<bool> inside_query(t.in_query, true);
  t.recur_frames.push_back({});
  core::Arity arity;
  arity.span = form.span;
  arity.params.push_back(t.fresh("value", form.span));
  arity.body = t.body(form, from);
  t.recur_frames.pop_back();
  query->arities.push_back(std::move(arity));
  return query;
}

// (anglican name? forms...)
Node* translate_anglican(Translator& t, const Datum& form, Position at) {
  const bool named = form.items.size() > 2 && form.items[1].is(DatumKind::Symbol);
  QuerySignature info;
  return program_query(t, form, named ? 2 : 1, named ? form.items[1].name : at.name, &info);
}

Node* translate_legacy_lambda(Translator& t, const Datum& form, Position at) {
  SpeakVenture venture(t, form);
  Setting<bool> explicit_sample(t.primitives_sample, false);
  return function_of(t, form, at.name, at.name);
}

}  // namespace

Node* translate_venture_expression(Translator& t, const Datum& form) {
  SpeakVenture venture(t, form);
  return t.translate(form);
}

void define_legacy_query(Translator& t, const Datum& form, std::vector<TopLevel>& out) {
  const Name* name = defined_name(t, form, "(defanglican name [assume x e] ... [predict x])");
  if (name == nullptr) return;
  t.names.define(name);
  t.names.globals().declare(name, form.items[1].span);
  QuerySignature info;
  const bool documented = form.items.size() > 3 && form.items[2].is(DatumKind::String);
  if (documented) info.doc = form.items[2].text;
  core::Lambda* query = program_query(t, form, documented ? 3 : 2, name, &info);
  add_definition(t, form, name, query, out);
  out.back().query = std::move(info);
}

// (defun name (a b) body...)
void define_legacy_function(Translator& t, const Datum& form, std::vector<TopLevel>& out) {
  const Name* name = defined_name(t, form, "(defun name (a b) body ...)");
  if (name == nullptr) return;
  t.names.define(name);
  t.names.globals().declare(name, form.items[1].span);
  Datum function = form;
  function.items.erase(function.items.begin());
  function.items[0] = make_symbol("lambda", form.items[0].span);
  add_definition(t, form, name, translate_legacy_lambda(t, function, {}), out);
}

void add_legacy_forms(FormTable& table) {
  add_form(table, {"anglican"}, translate_anglican);
  add_form(table, {"lambda"}, translate_legacy_lambda);
}

std::vector<TopLevel> translate_venture(Translator& t, const std::vector<Datum>& forms) {
  std::vector<TopLevel> out;
  // Here it makes an exchangeable procedure; elsewhere it is the distribution of counts.
  t.names.rename(intern("dirichlet-multinomial"), intern("%dirichlet-multinomial"));
  Datum program =
      make_list({}, forms.empty() ? Span{} : join(forms.front().span, forms.back().span));
  for (const Datum& form : forms) {
    if (form.is_list_headed("defanglican")) {
      define_legacy_query(t, form, out);
    } else {
      program.items.push_back(form);
    }
  }
  if (program.items.empty() && !out.empty()) return out;
  const Name* name = intern("main");
  t.names.globals().declare(name, program.span);
  QuerySignature info;
  core::Lambda* query = program_query(t, program, 0, name, &info);
  add_definition(t, program, name, query, out);
  out.back().query = std::move(info);
  return out;
}

}  // namespace chancel::front
