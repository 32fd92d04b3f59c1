// SPDX-License-Identifier: Apache-2.0
#include "compile/passes.hpp"

#include <chrono>

#include "bytecode/verify.hpp"
#include "compile/fold.hpp"

namespace chancel {

namespace {

void fold(CompileUnit& unit) { fold_constants(unit.node, unit.nodes, unit.program, unit.library); }

constexpr Pass kPasses[] = {
    {"fold", "Calls of pure functions on constants become their values.", fold},
    {"emit", "Core becomes instructions on registers.", emit_code},
};

#ifdef NDEBUG
constexpr bool kVerify = false;
#else
constexpr bool kVerify = true;
#endif

void verify_unit(const CompileUnit& unit) {
  const std::string problem = broken_rule(unit);
  CHANCEL_ASSERT(problem.empty(), problem.c_str());
}

}  // namespace

std::span<const Pass> passes() { return kPasses; }

std::string broken_rule(const CompileUnit& unit) {
  return unit.code ? verify(*unit.code, &unit.program) : core::verify(unit.node);
}

void run_passes(CompileUnit& unit, const PassObserver& observer) {
  using Clock = std::chrono::steady_clock;
  if (kVerify) verify_unit(unit);
  for (const Pass& pass : kPasses) {
    const auto begun = observer ? Clock::now() : Clock::time_point{};
    pass.run(unit);
    if (observer) observer(pass, unit, std::chrono::duration<double>(Clock::now() - begun).count());
    if (unit.sink.has_errors()) return;
    if (kVerify) verify_unit(unit);
  }
}

FunctionProto* compile_top_level(core::Node* node, core::NodeArena& nodes, Program& program,
                                 Library& library, DiagnosticSink& sink) {
  CompileUnit unit{node, nodes, program, library, sink};
  run_passes(unit);
  return sink.has_errors() ? nullptr : unit.code;
}

}  // namespace chancel
