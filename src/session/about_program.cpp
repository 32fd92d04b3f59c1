// SPDX-License-Identifier: Apache-2.0
// What a session knows about its program: macro expansion, documentation, source and metadata of
// names.
#include <fmt/format.h>

#include "chancel/chancel.hpp"
#include "session/messages.hpp"
#include "session/session.hpp"
#include "value/collections.hpp"

namespace chancel {

Value Session::macroexpand(NativeContext& cx, const Value& form, bool once) {
  const std::lock_guard lock(compile_mutex_);
  DiagnosticSink sink;
  std::optional<Value> made;
  auto stopped = within_memory([&] {
    FrontBudget data(cx.arena->heap(), program_->constants().heap(), run_);
    const PaysForExpansions pays(expansions_, &data);
    std::optional<Datum> datum = value_to_datum(form, Span{}, &data);
    if (!datum) return;
    core::NodeArena nodes(&data);
    FrontEnd front(Dialect::Clojure, *this, nodes, program_->constants(), sink, program_->sources);
    if (front_) front.take_names(*front_);
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

std::string Session::documentation_of(const Name* name) const {
  const Name* plain = name->ns == "clojure.core" ? intern(name->base) : name;
  if (const auto own = documentation_.find(name); own != documentation_.end()) {
    const Documentation& said = own->second;
    std::string text =
        name->ns.empty() ? fmt::format("{}/{}", main_namespace_, name->full) : name->full;
    if (!said.arguments.empty()) text += "\n" + said.arguments;
    if (said.is_macro) text += "\nMacro";
    if (!said.doc.empty()) text += "\n  " + said.doc;
    return text;
  }
  for (const FunctionInfo& f : library()) {
    if (f.name != plain->full) continue;
    std::string text = f.name;
    if (!f.signature.empty())
      text += f.kind == "form" ? "\n" + f.signature : "\n(" + f.signature + ")";
    if (f.kind == "form") text += "\nMacro or special form";
    return f.doc.empty() ? text : text + "\n  " + f.doc;
  }
  return "";
}

std::string Session::source_of(const Name* name) const {
  const Name* plain = name->ns == "clojure.core" ? intern(name->base) : name;
  if (const auto own = documentation_.find(name);
      own != documentation_.end() && own->second.span.known())
    return std::string(program_->sources.text(own->second.span));
  std::string text(library_.prelude(plain));
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  return text;
}

Value Session::var_meta(NativeContext& cx, const Name* name) {
  Arena& arena = *cx.arena;
  Value map = empty_map(arena);
  const auto add = [&](const char* key, const Value& value) {
    map = map_assoc(arena, map, Value::keyword(intern(key)), value);
  };
  // Data that was written as text, as a value.
  const auto read = [&](const std::string& text) {
    SourceMap passing;
    DiagnosticSink unsaid;
    const std::vector<Value> values =
        read_values(passing, passing.add("<meta>", text), arena, unsaid);
    return values.size() == 1 ? values[0] : Value::nil();
  };
  const auto own = documentation_.find(name);
  if (own == documentation_.end()) {
    const Name* plain = name->ns == "clojure.core" ? intern(name->base) : name;
    for (const FunctionInfo& f : library()) {
      if (f.name != plain->full) continue;
      add("name", Value::symbol(plain));
      if (!f.signature.empty()) add("arglists", read("(" + f.signature + ")"));
      add("doc", make_string(arena, f.doc));
    }
    return map_count(map) > 0 ? map : Value::nil();
  }
  const Documentation& said = own->second;
  if (!said.meta.empty())
    if (const Value given = read(said.meta); is_map(given)) map = given;
  add("name", Value::symbol(intern(name->base)));
  add("ns", Value::symbol(intern(name->ns.empty() ? main_namespace_ : std::string(name->ns))));
  if (!said.arguments.empty()) add("arglists", read(said.arguments));
  if (!said.doc.empty()) add("doc", make_string(arena, said.doc));
  if (said.is_macro) add("macro", Value::boolean(true));
  if (said.span.known()) {
    const auto at = program_->sources.position(said.span.file, said.span.begin);
    add("file", make_string(arena, program_->sources.name(said.span.file)));
    add("line", Value::integer(static_cast<std::int64_t>(at.line)));
    add("column", Value::integer(static_cast<std::int64_t>(at.column)));
  }
  return map;
}

}  // namespace chancel
