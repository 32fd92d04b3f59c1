// SPDX-License-Identifier: Apache-2.0
// Functions: arities, parameters that take their argument apart, conditions, recur to the function
// itself, memoised functions and queries. A query is a function of one argument, the whole initial
// value, which its parameter vector takes apart.
#include <fmt/format.h>

#include <algorithm>

#include "front/translator.hpp"
#include "value/collections.hpp"

namespace chancel::front {

using core::Node;

namespace {

constexpr const char* kFnShape = "(fn name? [parameters] body ...)";

bool is_rest_mark(const Datum& datum) { return datum.is_symbol("&"); }

// {:pre [..] :post [..]} as the first of several body forms.
const Datum* conditions(const Datum& form, std::size_t at, const char* key) {
  if (at + 1 >= form.items.size() || !form.items[at].is(DatumKind::Map)) return nullptr;
  const Datum& map = form.items[at];
  for (std::size_t i = 0; i + 1 < map.items.size(); i += 2)
    if (map.items[i].is(DatumKind::Keyword) && map.items[i].name->full == key &&
        map.items[i + 1].is(DatumKind::Vector))
      return &map.items[i + 1];
  return nullptr;
}

Node* check(Translator& t, const Datum& condition) {
  Node* message = t.constant(condition.span, make_string(t.constants, to_text(condition)));
  return t.if_node(condition.span, t.translate(condition, {false, true}), t.nil(condition.span),
                   t.library_call(condition.span, "%assert-failed", {message}));
}

Node* body_with_conditions(Translator& t, const Datum& form, std::size_t from) {
  const Datum* pre = conditions(form, from, "pre");
  const Datum* post = conditions(form, from, "post");
  if (pre == nullptr && post == nullptr) return t.body(form, from, {true});
  std::vector<Node*> parts;
  if (pre != nullptr)
    for (const Datum& condition : pre->items) parts.push_back(check(t, condition));
  if (post == nullptr) {
    parts.push_back(t.body(form, from + 1, {true}));
    return t.sequence(form.span, std::move(parts));
  }
  Node* value = t.body(form, from + 1);
  Scope::Block block(t.scope);
  const core::Binding* result = t.bind(make_symbol("%", post->span));
  std::vector<Node*> after;
  for (const Datum& condition : post->items) after.push_back(check(t, condition));
  after.push_back(t.local(post->span, result));
  parts.push_back(
      t.let_node(form.span, {{result, value}}, t.sequence(form.span, std::move(after))));
  return t.sequence(form.span, std::move(parts));
}

}  // namespace

core::Arity Translator::arity(const Datum& params, const Datum& form, std::size_t from) {
  Scope::Block block(scope);
  core::Arity arity;
  arity.span = form.span;
  Bindings parts;
  std::vector<std::pair<const Datum*, const core::Binding*>> patterns;
  auto parameter = [&](const Datum& datum) -> const core::Binding* {
    if (datum.is(DatumKind::Symbol)) return bind(datum);
    const core::Binding* binding = fresh("arg", datum.span);
    if (is_pattern(datum)) {
      patterns.emplace_back(&datum, binding);
    } else {
      error(Code::F003, datum.span, fmt::format("{} cannot be a parameter", to_text(datum)),
            "a parameter is a name, or a vector or map of names that takes the argument apart");
    }
    return binding;
  };
  for (std::size_t i = 0; i < params.items.size(); ++i) {
    if (!is_rest_mark(params.items[i])) {
      arity.params.push_back(parameter(params.items[i]));
      continue;
    }
    if (i + 2 != params.items.size()) {
      error(Code::F003, params.span, "& must be followed by exactly one parameter", "[a b & more]");
      break;
    }
    arity.rest = parameter(params.items[i + 1]);
    break;
  }
  for (auto& [pattern, binding] : patterns)
    destructure(*pattern, local(pattern->span, binding), parts);

  RecurFrame frame;
  frame.kind = RecurFrame::Kind::Function;
  frame.count = arity.params.size() + (arity.rest != nullptr ? 1 : 0);
  recur_frames.push_back(std::move(frame));
  Node* inside = let_node(form.span, std::move(parts), body_with_conditions(*this, form, from));
  frame = std::move(recur_frames.back());
  recur_frames.pop_back();
  if (frame.uses.empty()) {
    arity.body = inside;
    return arity;
  }
  // The body is a loop over copies of the parameters.
  auto* loop = make<core::Loop>(form.span);
  auto copy = [&](const core::Binding*& param) {
    const core::Binding* given = nodes.bind(param->name, param->span);
    loop->bindings.emplace_back(param, local(param->span, given));
    param = given;
  };
  for (const core::Binding*& param : arity.params) copy(param);
  if (arity.rest != nullptr) copy(arity.rest);
  loop->body = inside;
  arity.body = finish_loop(loop, std::move(frame));
  return arity;
}

void Translator::order_arities(core::Lambda* lambda) {
  std::stable_sort(lambda->arities.begin(), lambda->arities.end(),
                   [](const core::Arity& a, const core::Arity& b) {
                     if ((a.rest != nullptr) != (b.rest != nullptr)) return b.rest != nullptr;
                     return a.params.size() < b.params.size();
                   });
  for (std::size_t i = 1; i < lambda->arities.size(); ++i) {
    const core::Arity& previous = lambda->arities[i - 1];
    const core::Arity& arity = lambda->arities[i];
    if (previous.rest == nullptr &&
        (arity.rest != nullptr || previous.params.size() < arity.params.size()))
      continue;
    error(Code::F003, arity.span, "two arities of this function take the same number of arguments");
    lambda->arities.erase(lambda->arities.begin() + static_cast<std::ptrdiff_t>(i));
    --i;
  }
}

core::Lambda* Translator::lambda(const Datum& form, std::size_t from, const Function& function) {
  auto* lambda = make<core::Lambda>(form.span);
  lambda->name = function.name;
  Scope::Block block(scope);
  Setting<bool> inside(in_function, true);
  Setting<bool> recur_rule(liberal_recur, function.liberal_recur.value_or(liberal_recur));
  if (function.self != nullptr) {
    lambda->self = nodes.bind(function.self, form.span);
    scope.bind(function.self, lambda->self);
  }
  auto no_body = [&] {
    core::Arity arity;
    arity.span = form.span;
    arity.body = nil(form.span);
    lambda->arities.push_back(std::move(arity));
  };
  if (from < form.items.size() && form.items[from].is(DatumKind::Vector)) {
    lambda->arities.push_back(arity(form.items[from], form, from + 1));
    return lambda;
  }
  for (std::size_t i = from; i < form.items.size(); ++i) {
    const Datum& part = form.items[i];
    if (part.is(DatumKind::Map) && i + 1 == form.items.size() && i > from)
      continue;  // attributes at the end
    if (!part.is(DatumKind::List) || part.items.empty() || !part.items[0].is(DatumKind::Vector)) {
      error(Code::F003, part.span, "a function needs a vector of parameters here", kFnShape);
      lambda->arities.clear();
      break;
    }
    lambda->arities.push_back(arity(part.items[0], part, 1));
  }
  if (lambda->arities.empty()) {
    if (from >= form.items.size())
      error(Code::F003, form.span, "a function needs a vector of parameters", kFnShape);
    no_body();
    return lambda;
  }
  order_arities(lambda);
  return lambda;
}

core::Lambda* Translator::lambda_of(const Datum& params, const Datum& form, std::size_t from,
                                    const Function& function) {
  auto* lambda = make<core::Lambda>(form.span);
  lambda->name = function.name;
  Scope::Block block(scope);
  Setting<bool> inside(in_function, true);
  Setting<bool> recur_rule(liberal_recur, function.liberal_recur.value_or(liberal_recur));
  if (function.self != nullptr) {
    lambda->self = nodes.bind(function.self, form.span);
    scope.bind(function.self, lambda->self);
  }
  lambda->arities.push_back(arity(params, form, from));
  return lambda;
}

core::Lambda* Translator::thunk(const Datum& form, std::size_t from, RecurFrame::Kind kind,
                                std::size_t to) {
  auto* lambda = make<core::Lambda>(form.span);
  core::Arity arity;
  arity.span = form.span;
  RecurFrame frame;
  frame.kind = kind;
  recur_frames.push_back(std::move(frame));
  Setting<bool> inside(in_function, true);
  Scope::Block block(scope);
  arity.body = body(form, from, {}, to);
  recur_frames.pop_back();
  lambda->arities.push_back(std::move(arity));
  return lambda;
}

Node* Translator::memoised(Span span, const Name* name,
                           const std::function<core::Lambda*()>& function) {
  auto* outer = make<core::Lambda>(span);
  outer->name = name;
  core::Arity arity;
  arity.span = span;
  Scope::Block block(scope);
  const core::Binding* self = nodes.bind(name, span);
  scope.bind(name, self);
  arity.params.push_back(self);
  arity.body = function();
  outer->arities.push_back(std::move(arity));
  return library_call(span, "%mem-named", {outer});
}

void note_parameters(const Datum& params, QuerySignature* info) {
  bool rest = false;
  for (std::size_t i = 0; i < params.items.size(); ++i) {
    const Datum& param = params.items[i];
    if (is_rest_mark(param)) {
      rest = true;
    } else if (param.is(DatumKind::Keyword)) {
      // :as all has all arguments, however many they are
      if (++i < params.items.size() && !rest)
        info->parameters.push_back({to_text(params.items[i]), true});
    } else {
      info->parameters.push_back({to_text(param), rest});
    }
  }
}

core::Lambda* translate_query(Translator& t, const Datum& form, std::size_t from, const Name* name,
                              QuerySignature* info) {
  auto* lambda = t.make<core::Lambda>(form.span);
  lambda->is_query = true;
  lambda->name = name;
  lambda->source = t.source_text(form);
  info->name = name;
  info->span = form.span;
  Scope::Block block(t.scope);
  Setting<bool> inside(t.in_function, true);
  Setting<bool> inside_query(t.in_query, true);
  Setting<bool> recur_rule(t.liberal_recur, true);
  t.recur_frames.push_back({});  // a recur does not leave a query
  core::Arity arity;
  arity.span = form.span;
  Translator::Bindings parts;
  if (from < form.items.size() && form.items[from].is(DatumKind::Symbol)) {
    info->whole_value = true;
    info->parameters.push_back({form.items[from].name->full, false});
    arity.params.push_back(t.bind(form.items[from]));
    ++from;
  } else if (from < form.items.size() && form.items[from].is(DatumKind::Vector)) {
    const Datum& params = form.items[from];
    const core::Binding* value = t.fresh("value", params.span);
    arity.params.push_back(value);
    note_parameters(params, info);
    if (!params.items.empty()) t.destructure(params, t.local(params.span, value), parts);
    ++from;
  } else {
    arity.params.push_back(t.fresh("value", form.span));
  }
  arity.body = t.let_node(form.span, std::move(parts), t.body(form, from));
  t.recur_frames.pop_back();
  lambda->arities.push_back(std::move(arity));
  return lambda;
}

namespace {

// (fn name? [params] body...), (fn name? ([params] body...) ...)
Node* translate_fn(Translator& t, const Datum& form, Position at) {
  Translator::Function function;
  function.name = at.name;
  std::size_t from = 1;
  if (form.items.size() > 1 && form.items[1].is(DatumKind::Symbol)) {
    function.name = function.self = form.items[1].name;
    from = 2;
  }
  if (form.items[0].name->base == "fm" || form.items[0].name->base == "cps-fn")
    function.liberal_recur = true;
  core::Lambda* lambda = t.lambda(form, from, function);
  lambda->is_anglican = function.liberal_recur.has_value();
  return lambda;
}

Node* translate_mem(Translator& t, const Datum& form, Position at) {
  if (form.items.size() != 2)
    return t.bad_form(form, "mem: takes one function", "(mem (fn [..] ..))");
  const Datum& function = form.items[1];
  const bool fn = function.is_list_headed("fn") || function.is_list_headed("fm");
  if (fn && function.items.size() > 2 && function.items[1].is(DatumKind::Symbol) &&
      t.scope.find(function.items[0].name) == nullptr)
    return t.memoised(function.span, function.items[1].name, [&] {
      Translator::Function named;
      named.name = function.items[1].name;
      return t.lambda(function, 2, named);
    });
  return t.library_call(form.span, "mem", {t.translate(function, {false, false, at.name})});
}

// (query name? parameter? body...)
Node* translate_query_form(Translator& t, const Datum& form, Position at) {
  const Name* name = at.name;
  std::size_t from = 1;
  if (form.items.size() >= 4 && form.items[1].is(DatumKind::Symbol) &&
      (form.items[2].is(DatumKind::Symbol) || form.items[2].is(DatumKind::Vector))) {
    name = form.items[1].name;
    from = 2;
  }
  if (form.items.size() < 2)
    return t.bad_form(form, "query: has no body", "(query [parameters] body ...)");
  QuerySignature info;
  return translate_query(t, form, from, name, &info);
}

}  // namespace

void add_function_forms(FormTable& table) {
  add_form(table, {"fn", "fm", "cps-fn"}, translate_fn);
  add_form(table, {"fn*"}, translate_fn, true);
  add_form(table, {"mem"}, translate_mem);
  add_form(table, {"query"}, translate_query_form);
}

}  // namespace chancel::front
