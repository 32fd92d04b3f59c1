// SPDX-License-Identifier: Apache-2.0
// Evaluates the top level of a program: its code and constants, the host heap and machine, the limits it runs under, the
// diagnostics, and the budget that pays for texts, core and code. All parts of a session work on it.
#pragma once
#include <memory>
#include <mutex>

#include "bytecode/code.hpp"
#include "bytecode/program.hpp"
#include "core/core.hpp"
#include "diag/diagnostic.hpp"
#include "session/front_budget.hpp"
#include "vm/machine.hpp"

namespace chancel {

struct Evaluator {
  Evaluator(std::size_t most_memory, StreamName name, HostServices& services);
  ~Evaluator();
  Evaluator(const Evaluator&) = delete;
  Evaluator& operator=(const Evaluator&) = delete;

  // A function that captures nothing, in the program's constants.
  Value closure(FunctionProto* code);

  const std::size_t max_memory;
  const StreamName stream_name;  // of the random numbers of the top level
  const std::shared_ptr<Program> program = std::make_shared<Program>();
  DiagnosticSink sink;
  Run run;
  Heap heap;
  FrontBudget kept{heap, program->constants().heap(), run};  // for what stays: texts, core, code
  core::NodeArena nodes{&kept};
  Budget* expansions = &kept;  // for what macros give, while a form is translated
  Machine machine;
  std::recursive_mutex compile_mutex;  // of code made while queries run, on any thread
  bool checking = false;               // the program is checked: only macros are called
};

}  // namespace chancel
