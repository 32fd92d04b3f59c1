// SPDX-License-Identifier: Apache-2.0
// Calls of functions, with the number of their arguments checked where it is known.
#include <fmt/format.h>

#include "front/translator.hpp"
#include "value/argument_names.hpp"
#include "value/collections.hpp"

namespace chancel::front {

using core::Node;

namespace {

std::string arguments_phrase(const std::vector<GlobalNames::ArgumentCount>& counts) {
  std::string numbers;
  bool one = false;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const auto& c = counts[i];
    if (i > 0) numbers += i + 1 == counts.size() ? " or " : ", ";
    if (c.max < 0)
      numbers += fmt::format("at least {}", c.min);
    else if (c.max == c.min)
      numbers += fmt::format("{}", c.min);
    else
      numbers += fmt::format("{} to {}", c.min, c.max);
    one = c.min == 1 && c.max <= 1;
  }
  numbers += one ? " argument" : " arguments";
  std::string names;
  for (const auto& c : counts) names += c.parameters;
  return numbers + argument_names(names);
}

}  // namespace

void Translator::check_arity(const Name* name, std::size_t given, Span span) {
  std::vector<GlobalNames::ArgumentCount> counts;
  if (auto own = arities.find(name); own != arities.end()) {
    counts = own->second;
  } else if (!names.defined(name)) {
    if (auto library = names.globals().arity(name)) counts.push_back(*library);
  }
  if (counts.empty()) return;
  for (const auto& c : counts)
    if (given >= static_cast<std::size_t>(c.min) &&
        (c.max < 0 || given <= static_cast<std::size_t>(c.max)))
      return;
    else if (c.anglican && !in_query && given == static_cast<std::size_t>(c.min) + 2)
      return;  // (f continuation state argument ...)
  // In other languages one name stands for the distribution with and without location and scale.
  std::string hint;
  const std::string moved = name->full + "-loc-scale";
  if (auto other = names.globals().arity(intern(moved));
      other && given == static_cast<std::size_t>(other->min))
    hint = fmt::format("{} takes {}, location and scale among them", moved,
                       arguments_phrase({*other}));
  error(Code::F005, span,
        fmt::format("{}: takes {}, got {}", name->full, arguments_phrase(counts), given), hint);
}

Node* Translator::global_call(const Name* name, const Datum& form, std::size_t from) {
  check_arity(name, form.items.size() - from, form.span);
  Node* node = call_of(form.span, global(form.items[0].span, name), arguments(form, from));
  if (primitives_sample && !names.defined(name) && names.globals().is_distribution(name)) {
    auto* sample = make<core::Sample>(form.span);
    sample->dist = node;
    return sample;
  }
  return node;
}

Node* Translator::call(const Datum& form) {
  const Datum& head = form.items[0];
  switch (head.kind) {
    case DatumKind::Nil:
    case DatumKind::Bool:
    case DatumKind::Int:
    case DatumKind::Double:
    case DatumKind::Ratio:
    case DatumKind::BigInt:
    case DatumKind::Char:
    case DatumKind::String:
      return error(Code::F012, head.span, fmt::format("{} is not a function", to_text(head)),
                   "a list is a call of its first part; data is written [..] or '(..)");
    case DatumKind::Symbol: {
      const Scope::Entry* entry = scope.find(head.name);
      if (entry != nullptr && entry->global != nullptr) return global_call(entry->global, form, 1);
      if (entry != nullptr || head.name->full.compare(0, 2, "%%") == 0) break;
      const Name* global = names.resolve(head.name);
      if (global == nullptr) break;
      // (Math/PI): a field of Java may be written as a call.
      if (form.items.size() == 1 && !head.name->ns.empty() && names.globals().is_constant(global))
        return this->global(head.span, global);
      // Long lists of constants, as data is often written in programs, are constants.
      if (form.items.size() > kPieceOfLiteral && !names.defined(global) &&
          (global->full == "list" || global->full == "vector")) {
        std::vector<Value> items;
        bool all = true;
        for (std::size_t i = 1; all && i < form.items.size(); ++i) all = is_constant(form.items[i]);
        for (std::size_t i = 1; all && i < form.items.size(); ++i)
          items.push_back(constant_value(form.items[i]));
        if (all && global->full == "list")
          return constant(form.span, chancel::make_list(constants, items.data(), items.size()));
        if (all)
          return constant(form.span, chancel::make_vector(constants, items.data(), items.size()));
      }
      return global_call(global, form, 1);
    }
    default:
      break;
  }
  Node* function = translate(head);
  return call_of(form.span, function, arguments(form));
}

}  // namespace chancel::front
