// SPDX-License-Identifier: Apache-2.0
#include "session/eval.hpp"

#include <fmt/format.h>

#include "reader/reader.hpp"
#include "session/messages.hpp"

namespace chancel {

Value compile_form(Session& session, NativeContext& cx, const Value& form, Image* image) {
  Evaluator& e = session.evaluator();
  const std::lock_guard lock(e.compile_mutex);
  DiagnosticSink sink;
  FunctionProto* code = nullptr;
  // Code stays with the program: everything else ends here.
  auto stopped = within_memory([&] {
    FrontBudget data(cx.arena->heap(), e.program->constants().heap(), e.run);
    const PaysForExpansions pays(e.expansions, &data);
    const std::optional<Datum> datum =
        value_to_datum(form, Span{}, &data, [&](const Value& object, Span span) {
          return session.globals().name_object(object, span);
        });
    if (!datum) {
      sink.error(Code::F002, Span{},
                 fmt::format("the form is nested more than {} levels deep", kMaxNesting));
      return;
    }
    core::NodeArena nodes(&data);
    const Loader& loader = session.loader();
    FrontEnd front(loader.dialect() == Dialect::Venture ? Dialect::Venture : Dialect::Clojure,
                   session.names(), nodes, e.program->constants(), sink, e.program->sources);
    if (loader.front()) front.take_names(*loader.front());
    core::Node* node = nullptr;
    for (TopLevel& item : front.translate(*datum)) node = item.node ? item.node : node;
    if (node && !sink.has_errors())
      code = compile_top_level(node, nodes, *e.program, session.linker(), sink);
  });
  if (stopped) return cx.fail(stopped->code, stopped->message, -1, stopped->hint);
  if (!code) {
    for (const Diagnostic& d : sink.list())
      if (d.severity == Severity::Error) return cx.fail(d.code, "eval: " + d.message, 0, d.hint);
    return cx.fail(Code::F002, "eval: nothing to evaluate", 0);
  }
  const Value closure = e.closure(code);
  // Library functions that came in just now are constants: the image may share them. Machines hold
  // the place of its globals, which therefore must not move.
  if (image) {
    const std::vector<Value>& values = e.program->values;
    if (values.size() > image->globals.capacity())
      return cx.fail(Code::L001, "eval: too many new names in one run", 0);
    for (std::size_t i = image->globals.size(); i < values.size(); ++i)
      image->globals.push_back(values[i]);
  }
  return closure;
}

Value macroexpand(Session& session, NativeContext& cx, const Value& form, bool once) {
  Evaluator& e = session.evaluator();
  const std::lock_guard lock(e.compile_mutex);
  DiagnosticSink sink;
  std::optional<Value> made;
  auto stopped = within_memory([&] {
    FrontBudget data(cx.arena->heap(), e.program->constants().heap(), e.run);
    const PaysForExpansions pays(e.expansions, &data);
    std::optional<Datum> datum = value_to_datum(form, Span{}, &data);
    if (!datum) return;
    core::NodeArena nodes(&data);
    FrontEnd front(Dialect::Clojure, session.names(), nodes, e.program->constants(), sink,
                   e.program->sources);
    if (session.loader().front()) front.take_names(*session.loader().front());
    constexpr int kMost = 500;
    for (int i = 0; i < (once ? 1 : kMost); ++i) {
      std::optional<Datum> next = front.macroexpand(*datum);
      if (!next) break;
      datum = std::move(next);
    }
    made = datum_to_value(*datum, *cx.arena);
  });
  if (stopped) return cx.fail(stopped->code, stopped->message, -1, stopped->hint);
  for (const Diagnostic& d : sink.list())
    if (d.severity == Severity::Error) return cx.fail(d.code, d.message, 0, d.hint);
  return made ? *made : form;
}

}  // namespace chancel
