// SPDX-License-Identifier: Apache-2.0
// Bodies of programs and functions: assume and define bind for the rest of their body, functions know the name that they
// are bound to, and consecutive functions see each other.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "front/venture.hpp"

namespace chancel::front {

using core::Node;

bool makes_exchangeable(Translator& t, const Datum& value) {
  for (const char* maker : {"crp", "beta-bernoulli", "dirichlet-multinomial", "polya-urn-mem"})
    if (is_headed(value, maker)) return t.scope.find(value.items[0].name) == nullptr;
  return false;
}

namespace {

// Parameters of a lambda as a vector: a list of names, or one name for all arguments.
bool read_parameters(Translator& t, const Datum& params, std::size_t from, Datum* out) {
  out->kind = DatumKind::Vector;
  out->span = params.span;
  if (params.is(DatumKind::Symbol)) {
    out->items = {make_symbol("&", params.span), params};
    return true;
  }
  if (!params.is(DatumKind::List) && !params.is(DatumKind::Vector)) {
    t.error(Code::F003, params.span, "lambda: needs a list of parameters",
            "write (lambda (a b) body)");
    return false;
  }
  out->items.assign(params.items.begin() + static_cast<std::ptrdiff_t>(from), params.items.end());
  return true;
}

}  // namespace

core::Lambda* function_of(Translator& t, const Datum& form, const Name* name, const Name* self) {
  Translator::Function function;
  function.name = name;
  function.self = self;
  Datum params;
  if (form.items.size() < 2 ||
      !read_parameters(t, form.items[1], is_headed(form, "lambda") ? 0 : 1, &params)) {
    if (form.items.size() < 2)
      t.bad_form(form, "lambda: needs parameters and a body", "(lambda (a b) body)");
    params.kind = DatumKind::Vector;
    Datum empty = make_list({}, form.span);
    return t.lambda_of(params, empty, 0, function);
  }
  return t.lambda_of(params, form, 2, function);
}

namespace {

// A binding directive in one shape: name, and either a value or a function's parameters and body.
struct Assumption {
  const Datum* name = nullptr;
  const Datum* value = nullptr;
  const Datum* function = nullptr;  // (define (f a b) body...)
};

bool is_assumption(const Datum& item) {
  return is_headed(item, "assume") || is_headed(item, "define");
}

bool read_assumption(Translator& t, const Datum& item, Assumption* out) {
  const std::string head = item.items[0].name->full;
  if (item.items.size() >= 3 && is_form(item.items[1]) &&
      item.items[1].items[0].is(DatumKind::Symbol)) {
    *out = {&item.items[1].items[0], nullptr, &item};
    return true;
  }
  if (item.items.size() != 3 || !item.items[1].is(DatumKind::Symbol)) {
    t.error(Code::F002, item.span, fmt::format("{}: needs a name and one value", head),
            fmt::format("write [{} name value]", head));
    return false;
  }
  *out = {&item.items[1], &item.items[2], nullptr};
  return true;
}

// A run of assumptions that are all functions, of which one mentions a later one: they see each
// other.
// `clear_to`: when there is none, also from any later one before here there is none.
std::size_t mutual_run(const std::vector<Datum>& items, std::size_t from, std::size_t to,
                       std::size_t* clear_to) {
  auto function = [&](std::size_t i) {
    return i < to && is_assumption(items[i]) && items[i].items.size() == 3 &&
           items[i].items[1].is(DatumKind::Symbol) && is_headed(items[i].items[2], "lambda");
  };
  std::size_t end = from;
  std::unordered_map<const Name*, std::size_t> places;
  // The same name twice: the second shadows the first.
  while (function(end) && places.try_emplace(items[end].items[1].name, end).second) ++end;
  *clear_to = function(end) ? from + 1 : end;
  std::size_t needed = from;
  for (std::size_t i = from; i < end; ++i)
    each_symbol(items[i].items[2], [&](const Name* name) {
      const auto place = places.find(name);
      if (place != places.end() && place->second > i) needed = std::max(needed, place->second + 1);
    });
  return needed;
}

Node* body_from(Translator& t, const Datum& form, std::size_t from, std::size_t to, Position at) {
  const Translator::Level level(t);
  if (level.too_deep()) return t.too_deep(form.span);
  Translator::Bindings bindings;
  std::vector<Node*> pending;  // effects that wait for the next variable or the end
  std::size_t clear_to = from;
  auto add = [&](const core::Binding* binding, Node* value) {
    if (!pending.empty()) {
      pending.push_back(value);
      value = t.sequence(value->span, std::move(pending));
      pending.clear();
    }
    bindings.emplace_back(binding, value);
  };
  for (std::size_t i = from; i < to; ++i) {
    const Datum& item = form.items[i];
    const bool last = i + 1 == to;
    if (!is_assumption(item)) {
      pending.push_back(t.translate(item, last ? at : Position{}));
      continue;
    }
    if (const std::size_t end = i < clear_to ? i : mutual_run(form.items, i, to, &clear_to);
        end > i + 1) {
      auto* fix = t.make<core::Fix>(item.span);
      std::vector<const core::Binding*> names;
      for (std::size_t j = i; j < end; ++j) names.push_back(t.bind(form.items[j].items[1]));
      for (std::size_t j = i; j < end; ++j) {
        const Datum& function = form.items[j].items[2];
        fix->functions.emplace_back(names[j - i],
                                    function_of(t, function, names[j - i]->name, nullptr));
      }
      fix->body = body_from(t, form, end, to, at);
      pending.push_back(fix);
      break;
    }
    Assumption assumption;
    if (!read_assumption(t, item, &assumption)) continue;
    const Name* name = assumption.name->name;
    Node* value = assumption.function != nullptr
                      ? function_of(t, *assumption.function, name, name)
                      : t.translate(*assumption.value, {false, false, name});
    const bool exchangeable =
        assumption.value != nullptr && makes_exchangeable(t, *assumption.value);
    add(t.bind(*assumption.name), value);
    if (exchangeable) t.scope.mark_exchangeable();
    if (last) pending.push_back(t.nil(item.span));
  }
  return t.let_node(form.span, std::move(bindings), t.sequence(form.span, std::move(pending)));
}

}  // namespace

Node* venture_body(Translator& t, const Datum& form, std::size_t from, std::size_t to,
                   Position at) {
  Scope::Block block(t.scope);
  return body_from(t, form, from, to, at);
}

}  // namespace chancel::front
