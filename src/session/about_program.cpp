// SPDX-License-Identifier: Apache-2.0
#include "session/about_program.hpp"

#include <fmt/format.h>

#include "chancel/chancel.hpp"
#include "session/messages.hpp"
#include "value/collections.hpp"

namespace chancel {

std::string documentation_of(Session& session, const Name* name) {
  const Names& names = session.names();
  const Name* plain = name->ns == "clojure.core" ? intern(name->base) : name;
  if (const auto* own = names.documentation(name)) {
    std::string text =
        name->ns.empty() ? fmt::format("{}/{}", names.main_namespace(), name->full) : name->full;
    if (!own->arguments.empty()) text += "\n" + own->arguments;
    if (own->is_macro) text += "\nMacro";
    if (!own->doc.empty()) text += "\n  " + own->doc;
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

std::string source_of(Session& session, const Name* name) {
  const Name* plain = name->ns == "clojure.core" ? intern(name->base) : name;
  const auto* own = session.names().documentation(name);
  if (own && own->span.known()) return std::string(session.program()->sources.text(own->span));
  std::string text(session.library().prelude(plain));
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  return text;
}

Value var_meta(Session& session, Arena& arena, const Name* name) {
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
  const auto* own = session.names().documentation(name);
  if (own == nullptr) {
    const Name* plain = name->ns == "clojure.core" ? intern(name->base) : name;
    for (const FunctionInfo& f : library()) {
      if (f.name != plain->full) continue;
      add("name", Value::symbol(plain));
      if (!f.signature.empty()) add("arglists", read("(" + f.signature + ")"));
      add("doc", make_string(arena, f.doc));
    }
    return map_count(map) > 0 ? map : Value::nil();
  }
  const GlobalNames::Documentation& said = *own;
  if (!said.meta.empty())
    if (const Value given = read(said.meta); is_map(given)) map = given;
  add("name", Value::symbol(intern(name->base)));
  add("ns", Value::symbol(intern(name->ns.empty() ? session.names().main_namespace()
                                                  : std::string(name->ns))));
  if (!said.arguments.empty()) add("arglists", read(said.arguments));
  if (!said.doc.empty()) add("doc", make_string(arena, said.doc));
  if (said.is_macro) add("macro", Value::boolean(true));
  if (said.span.known()) {
    const auto at = session.program()->sources.position(said.span.file, said.span.begin);
    add("file", make_string(arena, session.program()->sources.name(said.span.file)));
    add("line", Value::integer(static_cast<std::int64_t>(at.line)));
    add("column", Value::integer(static_cast<std::int64_t>(at.column)));
  }
  return map;
}

}  // namespace chancel
