// SPDX-License-Identifier: Apache-2.0
#include "session/library_linker.hpp"

#include <fmt/format.h>

#include "reader/reader.hpp"
#include "session/messages.hpp"

namespace chancel {

namespace {
// The name of the global that holds a prelude function.
const Name* library_name(const Name* name) { return intern("chancel.core", name->full); }
}  // namespace

const NativeDef* LibraryLinker::native(const char* name) {
  const NativeDef* def = library_.native(intern(name));
  CHANCEL_ASSERT(def, name);
  return def;
}

Library::Meaning LibraryLinker::resolve(const Name* name) {
  if (means_library(name)) {
    const Globals::Hidden hidden(globals_);
    return resolve(library_spelling(name));
  }
  Meaning m;
  if (globals_.visible(name)) {
    m.variable = evaluator_.program->global(name);
    return m;
  }
  if (const NativeDef* def = library_.native(name)) {
    m.kind = Meaning::Native;
    m.native = def;
    return m;
  }
  if (const Value* constant = library_.constant(name)) {
    m.kind = Meaning::Constant;
    m.constant = *constant;
    return m;
  }
  if (name->full == "apply") {  // as a value; calls are compiled to an instruction
    return resolve(intern("%apply"));
  }
  if (!library_.prelude(name).empty()) {
    m.variable = prelude_variable(name);
    m.library = !globals_.hidden();
    return m;
  }
  m.variable = evaluator_.program->global(name);
  return m;
}

Value LibraryLinker::function(const char* name) {
  const Globals::Hidden hidden(globals_);
  const Meaning m = resolve(intern(name));
  return m.kind == Meaning::Native ? Value::native_fn(m.native)
                                   : evaluator_.program->values[m.variable];
}

void LibraryLinker::made_query(core::Lambda* query, const core::NodeArena& nodes,
                               FunctionProto* code,
                               const std::vector<const core::Binding*>& captured) {
  queries_.made(query, nodes, code, captured);
}

std::uint32_t LibraryLinker::prelude_variable(const Name* name) {
  if (const auto it = prelude_variables_.find(name); it != prelude_variables_.end())
    return it->second;
  Program& program = *evaluator_.program;
  const std::uint32_t variable = program.global(library_name(name));
  // Before compiling: library functions may call themselves and each other. One that was stopped on
  // the way is as if it had not been referred to.
  prelude_variables_[name] = variable;
  bool ok = false;
  const auto leave = [&](LibraryLinker*) {
    if (!ok) prelude_variables_.erase(name);
  };
  const std::unique_ptr<LibraryLinker, decltype(leave)> guard(this, leave);
  const Globals::Hidden hidden(globals_);
  const std::uint32_t file = program.sources.add(fmt::format("<library {}>", name->full),
                                                 std::string(library_.prelude(name)));
  program.mark_library_file(file);
  DiagnosticSink sink;
  {
    core::NodeArena nodes;
    FrontEnd front(Dialect::Clojure, names_, nodes, program.constants(), sink, program.sources);
    for (const Datum& form : read_all(program.sources, file, sink))
      ok = compile_prelude_form(form, name, front, nodes, sink) || ok;
  }
  if (!ok) {
    for (const Diagnostic& d : sink.list())
      if (d.code == Code::L001) throw MemoryLimit{evaluator_.max_memory};
    std::string what = fmt::format("library function {} does not compile", name->full);
    for (const Diagnostic& d : sink.list()) what += "\n" + render(d, program.sources);
    throw InternalError(what);
  }
  return variable;
}

bool LibraryLinker::compile_prelude_form(const Datum& form, const Name* name, FrontEnd& front,
                                         core::NodeArena& nodes, DiagnosticSink& sink) {
  Program& program = *evaluator_.program;
  bool made = false;
  for (TopLevel& item : front.translate(form)) {
    if (!item.node || item.node->kind != core::Kind::Def) continue;
    auto* def = static_cast<core::Def*>(item.node);
    if (!def->value) continue;
    // Besides the function itself a form may define what it needs: the type and the methods of a
    // defproc.
    const bool is_function = def->name == name;
    const std::uint32_t variable =
        is_function ? prelude_variables_.at(name) : program.global(def->name);
    if (is_function && def->value->kind == core::Kind::Lambda &&
        !static_cast<core::Lambda*>(def->value)->name)
      static_cast<core::Lambda*>(def->value)->name = name;
    FunctionProto* code = compile_top_level(def->value, nodes, program, *this, sink);
    if (!code) continue;
    Machine& machine = evaluator_.machine;
    Value value;
    if (machine.call(evaluator_.closure(code), nullptr, 0, &value)) {
      program.values[variable] = program.keep(value);
      made = made || is_function;
    } else {
      if (is_limit(machine.failure().code)) throw RunStopped{machine.failure()};
      sink.add(machine.failure());
    }
  }
  return made;
}

}  // namespace chancel
