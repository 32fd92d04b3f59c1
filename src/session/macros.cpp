// SPDX-License-Identifier: Apache-2.0
#include "session/macros.hpp"

#include <fmt/format.h>

#include "reader/reader.hpp"
#include "value/collections.hpp"

namespace chancel {

void Macros::define(const Name* name, core::Lambda* function) {
  Evaluator& e = evaluator_;
  FunctionProto* code = compile_top_level(function, e.nodes, *e.program, linker_, e.sink);
  if (!code) return;
  Value closure;
  if (e.machine.call(e.closure(code), nullptr, 0, &closure))
    macros_[name] = closure;
  else
    e.sink.add(e.machine.failure());
}

std::optional<Datum> Macros::expand(const Name* name, const Datum& form, DiagnosticSink& sink) {
  // Many short calls never ask the machine.
  if (evaluator_.checking)
    if (auto stop = stop_requested(&evaluator_.run)) return not_expanded(name, form, *stop, sink);
  Machine& machine = evaluator_.machine;
  Arena& arena = machine.arena();
  std::vector<Value> args;
  for (std::size_t i = 1; i < form.items.size(); ++i)
    args.push_back(datum_to_value(form.items[i], arena));
  const Value list = make_list(arena, args.data(), args.size());
  const Value apply = linker_.function("%apply");
  const Value call_args[2] = {macros_.at(name), list};
  Value out;
  if (!machine.call(apply, call_args, 2, &out))
    return not_expanded(name, form, machine.failure(), sink);
  // Lazy parts of what the macro gave.
  const Value realise = linker_.function("%realise");
  Value realised;
  if (!machine.call(realise, &out, 1, &realised))
    return not_expanded(name, form, machine.failure(), sink);
  std::optional<Datum> expansion = value_to_datum(
      realised, form.span, evaluator_.expansions,
      [this](const Value& object, Span span) { return globals_.name_object(object, span); });
  if (!expansion)
    sink.error(Code::F009, form.span,
               fmt::format("{}: the expansion is nested more than {} levels deep", name->full,
                           kMaxNesting));
  return expansion;
}

std::optional<Datum> Macros::not_expanded(const Name* macro, const Datum& form, Diagnostic why,
                                          DiagnosticSink& sink) {
  // What check denies to macros is not a mistake of the program.
  if (evaluator_.checking &&
      (is_limit(why.code) || why.code == Code::R015 || why.code == Code::U002)) {
    if (!left_some_)
      sink.warning(Code::F009, form.span,
                   fmt::format("{}: check cannot expand this: {}", macro->full, why.message),
                   "check calls macros for a moment only, without files and without the values of "
                   "definitions; names that they define are not known to it");
    left_some_ = true;
    return std::nullopt;
  }
  why.notes.push_back({why.span, "the macro failed here"});
  why.code = Code::F009;
  why.message = fmt::format("{}: {}", macro->full, why.message);
  why.span = form.span;
  sink.add(std::move(why));
  return std::nullopt;
}

void Macros::visit(Evacuator& e) {
  for (auto& [name, macro] : macros_) e.visit(macro);
}

}  // namespace chancel
