// SPDX-License-Identifier: Apache-2.0
#include "session/host_values.hpp"

#include <fmt/format.h>

#include "session/shown_value.hpp"
#include "value/classes.hpp"
#include "value/collections.hpp"

namespace chancel {

std::optional<Value> read_value(Session& session, std::string text, std::string name) {
  Evaluator& e = session.evaluator();
  Program& program = *e.program;
  {  // Texts that messages point into are kept; this is for the others.
    SourceMap passing;
    DiagnosticSink unsaid;
    FrontBudget data(e.heap, program.constants().heap(), e.run);
    const std::vector<Value> values =
        read_values(passing, passing.add(name, text), e.machine.arena(), unsaid, &data);
    if (unsaid.list().empty() && values.size() == 1) return values[0];
  }
  const std::uint32_t file = program.sources.add(std::move(name), std::move(text));
  FrontBudget data(e.heap, program.constants().heap(), e.run);
  const std::vector<Value> values =
      read_values(program.sources, file, e.machine.arena(), e.sink, &data);
  if (e.sink.has_errors()) return std::nullopt;
  if (values.size() == 1) return values[0];
  e.sink.error(Code::U003, {file, 0, 0}, fmt::format("expected one value, found {}", values.size()),
               "put several values into a vector: [1 2 3]");
  return std::nullopt;
}

std::optional<std::string> print_value(Session& session, const Value& v) {
  Machine& machine = session.machine();
  Value out;
  if (machine.call(session.linker().function("pr-str"), &v, 1, &out))
    return std::string(string_view_of(out));
  session.diagnostics().add(machine.failure());
  return std::nullopt;
}

bool realise_for_show(Session& session, const Value& v, bool* more) {
  ShownValue shown(session.machine(), session.linker().function("seq"));
  const bool ok = shown.realise(v);
  *more = shown.has_more();
  if (!ok) session.diagnostics().add(session.machine().failure());
  return ok;
}

Value exception_of(Session& session, const Diagnostic& failure) {
  Machine& machine = session.machine();
  const Value message = make_string(machine.arena(), failure.message);
  auto* e = machine.arena().make<Exception>(Tag::Exception);
  e->code = static_cast<std::uint64_t>(failure.code);
  e->type = class_of_code(failure.code);
  e->file = failure.span.file;
  e->begin = failure.span.begin;
  e->end = failure.span.end;
  e->unused = 0;
  e->message = message;
  e->cause = Value::nil();
  const bool newest =
      machine.failure().code == failure.code && machine.failure().message == failure.message;
  e->data = newest ? machine.failure_payload() : Value::nil();
  return Value::object(e);
}

}  // namespace chancel
