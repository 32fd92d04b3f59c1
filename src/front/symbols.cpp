// SPDX-License-Identifier: Apache-2.0
// Names as expressions: locals, globals, classes, and special forms as values.
#include <fmt/format.h>

#include <algorithm>

#include "front/foreign_names.hpp"
#include "front/translator.hpp"
#include "value/classes.hpp"

namespace chancel::front {

using core::Node;

Node* Translator::sampling_function(Span span, const Name* name) {
  auto* lambda = make<core::Lambda>(span);
  lambda->name = name;
  core::Arity arity;
  arity.span = span;
  arity.rest = fresh("args", span);
  auto* sample = make<core::Sample>(span);
  sample->dist =
      library_call(span, "apply", {make<core::Global>(span, name), local(span, arity.rest)});
  arity.body = sample;
  lambda->arities.push_back(std::move(arity));
  return lambda;
}

// (map sample dists), (apply observe args) ...: a checkpoint as a function.
Node* Translator::special_as_value(const Datum& datum) {
  const Span span = datum.span;
  auto* lambda = make<core::Lambda>(span);
  lambda->name = datum.name;
  auto add = [&](std::initializer_list<const char*> params, auto&& body_of) {
    core::Arity arity;
    arity.span = span;
    std::vector<Node*> args;
    for (const char* param : params) {
      arity.params.push_back(fresh(param, span));
      args.push_back(local(span, arity.params.back()));
    }
    arity.body = body_of(args);
    lambda->arities.push_back(std::move(arity));
  };
  auto sample = [&](const std::vector<Node*>& a) -> Node* {
    auto* node = make<core::Sample>(span);
    node->dist = a.back();
    if (a.size() == 2) node->id = a[0];
    return node;
  };
  auto observe = [&](const std::vector<Node*>& a) -> Node* {
    auto* node = make<core::Observe>(span);
    node->value = a.back();
    node->dist = a[a.size() - 2];
    if (a.size() == 3) node->id = a[0];
    return node;
  };
  auto predict = [&](const std::vector<Node*>& a) -> Node* {
    auto* node = make<core::Predict>(span);
    node->value = a.back();
    node->label = a[0];
    return node;
  };
  if (datum.name->base == "sample") {
    add({"dist"}, sample);
    add({"id", "dist"}, sample);
  } else if (datum.name->base == "observe") {
    add({"dist", "value"}, observe);
    add({"id", "dist", "value"}, observe);
  } else if (datum.name->base == "predict") {
    add({"label", "value"}, predict);
  } else {
    add({"log-weight"}, [&](const std::vector<Node*>& a) -> Node* {
      auto* node = make<core::Observe>(span);
      node->dist = library_call(span, "%factor", {a[0]});
      node->value = nil(span);
      return node;
    });
  }
  return lambda;
}

Node* Translator::global(Span span, const Name* name) {
  Node* node = make<core::Global>(span, name);
  return names.is_dynamic(name) ? library_call(span, "%cell-get", {node}) : node;
}

const Name* Translator::class_named(const Name* spelled) const {
  std::string_view name = spelled->full;
  if (const Name* own = names.type(spelled)) return own;
  if (const Name* found = find_class(name)) return found;
  // normal-distribution, anglican.runtime.normal-distribution, and with _ for -, as Java spells it
  std::string dashed(name.starts_with("anglican.runtime.") ? name.substr(17) : name);
  std::replace(dashed.begin(), dashed.end(), '_', '-');
  for (const std::string_view end : {"-distribution", "-process"}) {
    if (!dashed.ends_with(end) || dashed.size() == end.size()) continue;
    const Name* base = intern(std::string_view(dashed).substr(0, dashed.size() - end.size()));
    const bool distribution = end == "-distribution";
    if (distribution ? names.globals().is_distribution(base) : names.globals().is_process(base))
      return distribution ? class_of_distribution(base->full) : class_of_process(base->full);
  }
  return nullptr;
}

const Name* Translator::class_at(const Datum& symbol, const char* form) {
  if (const Name* found = class_named(symbol.name)) return found;
  std::vector<std::string> candidates = class_names();
  for (const Name* own : names.types()) candidates.push_back(own->full);
  const std::string guess = did_you_mean(symbol.name->full, candidates);
  error(Code::F001, symbol.span, fmt::format("{}: unknown type {}", form, symbol.name->full),
        guess.empty()
            ? "a type is a record of the program, a distribution "
              "(anglican.runtime.normal-distribution), or a class such as String or Number"
            : fmt::format("did you mean {}?", guess));
  return nullptr;
}

Node* Translator::symbol(const Datum& datum) {
  const Name* name = datum.name;
  if (name->full.size() > 2 && name->full.compare(0, 2, "%%") == 0)
    return library(datum.span, std::string_view(name->full).substr(2));
  if (const Scope::Entry* entry = scope.find(name)) {
    if (entry->binding != nullptr) return local(datum.span, entry->binding);
    return global(datum.span, entry->global);
  }
  if (const Name* global = names.resolve(name)) {
    if (primitives_sample && !names.defined(global) && names.globals().is_distribution(global))
      return sampling_function(datum.span, global);
    if (!names.defined(global) && names.globals().is_macro(global))
      return error(Code::F002, datum.span, fmt::format("{}: a macro is not a value", name->full),
                   "wrap it in a function: #(" + name->full + " %)");
    return this->global(datum.span, global);
  }
  if (dialect == Dialect::Clojure)
    if (const Name* type = class_named(name)) return constant(datum.span, Value::class_value(type));
  for (const char* special : {"sample", "observe", "predict", "factor", "score"})
    if (name->base == special && forms->count(intern(special)) != 0) return special_as_value(datum);
  if (forms->count(name) != 0)
    return error(Code::F002, datum.span,
                 fmt::format("{}: a special form is not a value", name->full),
                 "wrap it in a function: #(" + name->full + " %)");
  if (names.report_missing(name, datum.span, sink)) return nil(datum.span);
  if (!reported.insert(name).second) return nil(datum.span);
  if (name->full.size() > 1 && name->full[0] == '.')
    return error(Code::F007, datum.span, fmt::format("{}: a method is not a value", name->full),
                 "wrap it in a function: #(" + name->full + " %)");
  std::vector<std::string> candidates = names.globals().all();
  for (const Scope::Entry& entry : scope.entries()) candidates.push_back(entry.name->full);
  for (const auto& [form, handler] : *forms) candidates.push_back(form->full);
  for (const auto& [user, counts] : arities) candidates.push_back(user->full);
  std::erase_if(candidates, [](const std::string& c) { return c.empty() || c[0] == '%'; });
  std::string hint = names.why_unknown(name);
  if (hint.empty()) hint = foreign_name_hint(name->full, candidates);
  if (hint.empty()) {
    const std::string guess = did_you_mean(name->full, candidates);
    if (!guess.empty()) hint = fmt::format("did you mean {}?", guess);
  }
  return error(Code::F001, datum.span, fmt::format("unbound name: {}", name->full), hint);
}

}  // namespace chancel::front
