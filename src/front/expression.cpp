// SPDX-License-Identifier: Apache-2.0
// Expressions: what kind each is, the choice of a handler for a list, and the nodes that handlers make.
#include <fmt/format.h>

#include <algorithm>

#include "front/translator.hpp"

namespace chancel::front {

using core::Node;

Node* Translator::error(Code code, Span span, std::string message, std::string hint) {
  Diagnostic& diagnostic = sink.error(code, span, std::move(message), std::move(hint));
  if (expanded_from.known() && !(expanded_from == span))
    diagnostic.notes.push_back({expanded_from, "in the expansion of this macro"});
  return nil(span);
}

Node* Translator::too_deep(Span span) {
  return error(Code::F002, span,
               fmt::format("this expression is nested more than {} levels deep", kMaxDepth),
               "split it into functions");
}

std::string Translator::source_text(const Datum& datum) const {
  if (datum.span.known()) return std::string(sources.text(datum.span));
  return to_text(datum);
}

Node* Translator::quoted(const Datum& datum) {
  return constant(datum.span, datum_to_value(datum, constants));
}

Node* Translator::call_of(Span span, Node* function, std::vector<Node*> args) {
  auto* call = make<core::Call>(span);
  call->function = function;
  call->args = std::move(args);
  return call;
}

Node* Translator::sequence(Span span, std::vector<Node*> parts) {
  if (parts.empty()) return nil(span);
  if (parts.size() == 1) return parts[0];
  auto* sequence = make<core::Do>(span);
  sequence->body = std::move(parts);
  return sequence;
}

Node* Translator::let_node(Span span, Bindings bindings, Node* body) {
  if (bindings.empty()) return body;
  auto* let = make<core::Let>(span);
  let->bindings = std::move(bindings);
  let->body = body;
  return let;
}

Datum Translator::fresh_symbol(std::string_view name, Span span) {
  return make_symbol(fmt::format("{}`{}", name, ++fresh_count_), span);
}

namespace {
// ^{:a 1} [x] gives a vector with metadata, ^{:a 1} (f x) only says something about the text.
bool evaluates_with_meta(const Datum& datum) {
  return datum.is(DatumKind::Vector) || datum.is(DatumKind::Map) || datum.is(DatumKind::Set) ||
         datum.is_list_headed("fn");
}
}  // namespace

Node* Translator::translate(const Datum& datum, Position at) {
  const Level level(*this);
  if (level.too_deep()) return too_deep(datum.span);
  if (datum.is(DatumKind::Symbol)) return symbol(datum);
  if (datum.meta != nullptr && dialect == Dialect::Clojure && evaluates_with_meta(datum)) {
    Datum plain = datum;
    plain.meta = nullptr;
    Node* value = translate(plain, at);
    return library_call(datum.span, "with-meta", {value, translate(*datum.meta)});
  }
  if (is_atom(datum)) return constant(datum.span, constant_value(datum));
  if (datum.is(DatumKind::List) || is_venture_form(datum)) return list_form(datum, at);
  return collection(datum);
}

std::vector<Node*> Translator::arguments(const Datum& form, std::size_t from) {
  std::vector<Node*> args;
  args.reserve(form.items.size());
  for (std::size_t i = from; i < form.items.size(); ++i) args.push_back(translate(form.items[i]));
  return args;
}

Node* Translator::body(const Datum& form, std::size_t from, Position at, std::size_t to) {
  to = std::min(to, form.items.size());
  if (dialect == Dialect::Venture) return venture_body(*this, form, from, to, at.inner());
  std::vector<Node*> parts;
  for (std::size_t i = from; i < to; ++i) {
    const bool last = i + 1 == to;
    parts.push_back(translate(form.items[i], last ? at.inner() : Position{}));
  }
  return sequence(form.span, std::move(parts));
}

std::optional<Datum> Translator::expansion_of(const Name* macro, const Datum& form) {
  constexpr int kMostExpansions = 500;
  if (expands_without_end_) return std::nullopt;
  if (expansions < kMostExpansions) return names.globals().expand(macro, form, sink);
  expands_without_end_ = true;
  error(Code::F009, form.span, fmt::format("{}: the macro expands without end", macro->full));
  return std::nullopt;
}

Node* Translator::list_form(const Datum& form, Position at) {
  const Datum& head = form.items[0];
  if (!head.is(DatumKind::Symbol)) return call(form);
  const Scope::Entry* entry = scope.find(head.name);
  const Name* spelled = head.name;
  if (entry == nullptr && !spelled->ns.empty())
    if (const Name* form_name = names.form(spelled)) spelled = form_name;
  if (auto form_entry = forms->find(spelled); form_entry != forms->end()) {
    const Form& special = form_entry->second;
    const bool qualified = !head.name->ns.empty();
    if (special.reserved || (entry == nullptr && (qualified || !names.defined(spelled))))
      return special.handler(*this, form, at);
  }
  if (entry == nullptr) {
    const Name* global = names.resolve(head.name);
    if (global != nullptr && !names.defined(global) && names.globals().is_macro(global)) {
      auto expansion = expansion_of(global, form);
      if (!expansion) return nil(form.span);
      Setting<int> deeper(expansions, expansions + 1);
      Setting<Span> from(expanded_from, expanded_from.known() ? expanded_from : form.span);
      return translate(*expansion, at);
    }
    if (global == nullptr && forms->count(spelled) == 0 &&
        names.report_missing(head.name, head.span, sink))
      return nil(form.span);
    if (global == nullptr && head.name->full.size() > 1 &&
        (head.name->full.front() == '.' || head.name->full.back() == '.'))
      return interop(form);
  }
  return call(form);
}

}  // namespace chancel::front
