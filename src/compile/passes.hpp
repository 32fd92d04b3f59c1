// SPDX-License-Identifier: Apache-2.0
// The passes that make code of core, in the order in which they run. Each has a name; an observer sees
// the unit after each pass and how long it took. In debug builds the tree is verified before the first
// pass and after each that changes it, and the code once it has been emitted: all code that a session
// makes, the library's too.
#pragma once
#include <functional>
#include <span>

#include "compile/compile.hpp"
#include "core/doquery_calls.hpp"
#include "core/simulated_observes.hpp"

namespace chancel {

// When a pass runs: once on each form of the program, as it is translated; on a query when a run of it starts; on every tree that becomes code.
enum class PassStage : std::uint8_t { Form, Query, Code };

struct QueryOrder;  // compile/hoist.hpp
struct KnownParts;  // compile/work_once.hpp

// What the passes work on: a tree that becomes code. Passes that need one of the pointers run when it is there.
struct CompileUnit {
  core::Node* node;
  core::NodeArena& nodes;
  Program& program;
  Library& library;
  DiagnosticSink& sink;
  FunctionProto* code = nullptr;
  ObserveRewriter* observes = nullptr;
  const core::DoqueryCheck* doqueries = nullptr;
  const QueryOrder* order = nullptr;
  const KnownParts* known = nullptr;
};

struct Pass {
  const char* name;
  const char* doc;
  PassStage stage;
  bool (*wanted)(const CompileUnit& unit);
  void (*run)(CompileUnit& unit);
};
std::span<const Pass> passes();

// Called after each pass with the seconds that it took.
using PassObserver = std::function<void(const Pass& pass, const CompileUnit& unit, double seconds)>;
void run_passes(CompileUnit& unit, PassStage stage, const PassObserver& observer = {});

// The tree or code breaks a rule (empty: it does not).
std::string broken_rule(const CompileUnit& unit);

// The last pass: see function_emitter.hpp.
void emit_code(CompileUnit& unit);

}  // namespace chancel
