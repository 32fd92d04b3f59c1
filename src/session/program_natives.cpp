// SPDX-License-Identifier: Apache-2.0
// See program_natives.hpp. The session is reached through the services of the run.
#include "session/program_natives.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "diag/diagnostic.hpp"
#include "session/about_program.hpp"
#include "session/eval.hpp"
#include "value/collections.hpp"
#include "value/metadata.hpp"
#include "value/print.hpp"
#include "vm/host_services.hpp"
#include "vm/machine.hpp"

namespace chancel {

namespace {

// The session; null after a failure.
Session* session_of(NativeContext& cx) {
  auto* services = cx.in_query ? nullptr : dynamic_cast<Services*>(services_of(cx.run));
  if (services != nullptr) return &services->session();
  cx.fail(Code::F010, fmt::format("{}: not available in a query", cx.callee->name), -1,
          "ask at top level");
  return nullptr;
}

Value text(NativeContext& cx, std::string_view s) { return make_string(*cx.arena, s); }
Value keyword(const char* name) { return Value::keyword(intern(name)); }
std::string_view string_of(const Value& v) {
  return v.is(Tag::String) ? string_view_of(v) : std::string_view{};
}

// --- macros ---
template <bool once>
Value macroexpand(NativeContext& cx, const Value* args, std::uint32_t) {
  Session* session = session_of(cx);
  return session ? chancel::macroexpand(*session, cx, args[0], once) : Value::nil();
}

// --- names ---
Value documentation(NativeContext& cx, const Value* args, std::uint32_t) {
  Session* session = session_of(cx);
  if (!session || !args[0].is(Tag::Symbol)) return Value::nil();
  const std::string said = documentation_of(*session, args[0].name);
  return said.empty() ? Value::nil() : text(cx, said);
}
Value source_text(NativeContext& cx, const Value* args, std::uint32_t) {
  Session* session = session_of(cx);
  if (!session || !args[0].is(Tag::Symbol)) return Value::nil();
  const std::string source = source_of(*session, args[0].name);
  return source.empty() ? Value::nil() : text(cx, source);
}
Value known_names(NativeContext& cx, const Value*, std::uint32_t) {
  Session* session = session_of(cx);
  if (!session) return Value::nil();
  std::vector<std::string> names = session->names().all();
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  std::vector<Value> values;
  for (const std::string& name : names) values.push_back(text(cx, name));
  return make_vector(*cx.arena, values.data(), values.size());
}
Value var_meta(NativeContext& cx, const Value* args, std::uint32_t) {
  Session* session = session_of(cx);
  return session ? chancel::var_meta(*session, *cx.arena, args[0].name) : Value::nil();
}
Value global_value(NativeContext& cx, const Value* args, std::uint32_t) {
  Session* session = session_of(cx);
  if (!session) return Value::nil();
  const auto value = session->globals().value(args[0].name);
  if (value) return *value;
  return cx.fail(Code::R015, fmt::format("{} has no value yet", args[0].name->full), 0);
}
Value main_namespace(NativeContext& cx, const Value*, std::uint32_t) {
  Session* session = session_of(cx);
  return session ? text(cx, session->names().main_namespace()) : Value::nil();
}
Value exception_place(NativeContext& cx, const Value* args, std::uint32_t) {
  Session* session = session_of(cx);
  if (!session || !args[0].is(Tag::Exception)) return text(cx, "");
  const auto* e = args[0].as<Exception>();
  const Span span{e->file, e->begin, e->end};
  if (!span.known()) return text(cx, "");
  const SourceMap& sources = session->program()->sources;
  const auto at = sources.position(span.file, span.begin);
  return text(cx, fmt::format(" ({}:{}:{})", sources.name(span.file), at.line, at.column));
}

// --- tests ---
Value register_test(NativeContext& cx, const Value* args, std::uint32_t) {
  Session* session = session_of(cx);
  if (session) session->tests().add(args[0].name, std::string(string_of(args[1])), args[2].i);
  return args[0];
}
Value tests_of(NativeContext& cx, const Value* args, std::uint32_t) {
  Session* session = session_of(cx);
  if (!session) return Value::nil();
  std::vector<Value> names;
  for (const TestRecord::Test& test : session->tests().tests)
    if (test.name->ns == string_of(args[0])) names.push_back(Value::symbol(test.name));
  return make_vector(*cx.arena, names.data(), names.size());
}
Value test_namespaces(NativeContext& cx, const Value*, std::uint32_t) {
  Session* session = session_of(cx);
  if (!session) return Value::nil();
  std::vector<std::string_view> all;
  for (const TestRecord::Test& test : session->tests().tests)
    if (std::find(all.begin(), all.end(), test.name->ns) == all.end()) all.push_back(test.name->ns);
  std::vector<Value> values;
  for (const std::string_view ns : all) values.push_back(text(cx, ns));
  return make_vector(*cx.arena, values.data(), values.size());
}
const TestRecord::Test* find_test(Session& session, const Value& name) {
  for (const TestRecord::Test& test : session.tests().tests)
    if (name.is(Tag::Symbol) && test.name == name.name) return &test;
  return nullptr;
}
Value test_file(NativeContext& cx, const Value* args, std::uint32_t) {
  Session* session = session_of(cx);
  const TestRecord::Test* test = session ? find_test(*session, args[0]) : nullptr;
  return text(cx, test ? test->file : "");
}
Value test_line(NativeContext& cx, const Value* args, std::uint32_t) {
  Session* session = session_of(cx);
  const TestRecord::Test* test = session ? find_test(*session, args[0]) : nullptr;
  return Value::integer(test ? test->line : 0);
}
Value fixtures(NativeContext& cx, const Value* args, std::uint32_t) {
  Session* session = session_of(cx);
  if (!session) return Value::nil();
  const Name* global =
      intern(fmt::format("%fixtures:{}:{}", args[0].name->full, string_of(args[1])));
  const auto value = session->globals().value(global);
  return value ? *value : make_vector(*cx.arena, nullptr, 0);
}
Value begin_tests(NativeContext& cx, const Value*, std::uint32_t) {
  if (Session* session = session_of(cx)) {
    session->tests().counts = {};
    session->tests().were_run = true;
  }
  return Value::nil();
}
Value begin_test(NativeContext& cx, const Value* args, std::uint32_t) {
  if (Session* session = session_of(cx)) {
    session->tests().current = args[0].name;
    ++session->tests().counts.tests;
  }
  return Value::nil();
}
Value end_test(NativeContext& cx, const Value*, std::uint32_t) {
  if (Session* session = session_of(cx)) session->tests().current = nullptr;
  return Value::nil();
}
Value current_test(NativeContext& cx, const Value*, std::uint32_t) {
  Session* session = session_of(cx);
  const Name* name = session ? session->tests().current : nullptr;
  return text(cx, name ? name->base : std::string_view{});
}
Value count_assertion(NativeContext& cx, const Value* args, std::uint32_t) {
  Session* session = session_of(cx);
  if (!session) return Value::nil();
  TestCounts& counts = session->tests().counts;
  const std::string& kind = args[0].name->full;
  ++(kind == "pass" ? counts.passes : kind == "fail" ? counts.failures : counts.errors);
  return Value::nil();
}
Value test_counts(NativeContext& cx, const Value*, std::uint32_t) {
  Session* session = session_of(cx);
  if (!session) return Value::nil();
  const TestCounts& counts = session->tests().counts;
  Value map = empty_map(*cx.arena);
  const auto add = [&](const char* key, std::size_t n) {
    map = map_assoc(*cx.arena, map, keyword(key), Value::integer(static_cast<std::int64_t>(n)));
  };
  add("test", counts.tests);
  add("pass", counts.passes);
  add("fail", counts.failures);
  add("error", counts.errors);
  return map;
}
Value context_push(NativeContext& cx, const Value* args, std::uint32_t) {
  if (Session* session = session_of(cx))
    session->tests().contexts.push_back(show(args[0], false, 1000));
  return Value::nil();
}
Value context_pop(NativeContext& cx, const Value*, std::uint32_t) {
  Session* session = session_of(cx);
  if (session && !session->tests().contexts.empty()) session->tests().contexts.pop_back();
  return Value::nil();
}
Value contexts(NativeContext& cx, const Value*, std::uint32_t) {
  Session* session = session_of(cx);
  if (!session) return Value::nil();
  std::vector<Value> values;
  for (const std::string& context : session->tests().contexts) values.push_back(text(cx, context));
  return make_vector(*cx.arena, values.data(), values.size());
}

}  // namespace

std::span<const NativeDef> program_natives() {
  static const NativeDef natives[] = {
      {"macroexpand-1", 1, 1, macroexpand<true>, kTopLevelOnly, "[form]",
       "What the macro at the head of a form makes of it; the form itself when there is none."},
      {"macroexpand", 1, 1, macroexpand<false>, kTopLevelOnly, "[form]",
       "macroexpand-1 repeated until the head is not a macro."},
      {"%documentation", 1, 1, documentation, kTopLevelOnly, "[name]",
       "The documentation of a name."},
      {"%source-text", 1, 1, source_text, kTopLevelOnly, "[name]", "The text of a definition."},
      {"%known-names", 0, 0, known_names, kTopLevelOnly, "[]", "All names."},
      {"%var-meta", 1, 1, var_meta, kTopLevelOnly, "[name]", "The metadata of a variable."},
      {"%global-value", 1, 1, global_value, kTopLevelOnly, "[name]", "The value of a variable."},
      {"%main-namespace", 0, 0, main_namespace, kTopLevelOnly, "[]", "What the program is called."},
      {"%exception-place", 1, 1, exception_place, kTopLevelOnly, "[e]", "Where it was thrown."},
      {"%register-test", 3, 3, register_test, kTopLevelOnly, "[name file line]", "Knows a test."},
      {"%tests-of", 1, 1, tests_of, kTopLevelOnly, "[ns]", "The tests of a namespace."},
      {"%test-namespaces", 0, 0, test_namespaces, kTopLevelOnly, "[]", "Those that have tests."},
      {"%test-file", 1, 1, test_file, kTopLevelOnly, "[test]", "Where a test is."},
      {"%test-line", 1, 1, test_line, kTopLevelOnly, "[test]", "Where a test is."},
      {"%fixtures", 2, 2, fixtures, kTopLevelOnly, "[kind ns]", "What use-fixtures has said."},
      {"%begin-tests", 0, 0, begin_tests, kTopLevelOnly, "[]", "Counts from nothing."},
      {"%begin-test", 1, 1, begin_test, kTopLevelOnly, "[test]", "A test begins."},
      {"%end-test", 0, 0, end_test, kTopLevelOnly, "[]", "A test ends."},
      {"%current-test", 0, 0, current_test, kTopLevelOnly, "[]", "The test that runs."},
      {"%count-assertion", 1, 1, count_assertion, kTopLevelOnly, "[kind]", "Counts an assertion."},
      {"%test-counts", 0, 0, test_counts, kTopLevelOnly, "[]", "The counts."},
      {"%test-context-push", 1, 1, context_push, kTopLevelOnly, "[text]", "What is tested."},
      {"%test-context-pop", 0, 0, context_pop, kTopLevelOnly, "[]", "It is no longer."},
      {"%test-contexts", 0, 0, contexts, kTopLevelOnly, "[]", "What is tested, outermost first."},
  };
  return natives;
}

}  // namespace chancel
