// SPDX-License-Identifier: Apache-2.0
#include "compile/passes.hpp"

#include <chrono>

#include "bytecode/verify.hpp"
#include "compile/fold.hpp"
#include "compile/fuse.hpp"
#include "compile/hoist.hpp"
#include "compile/work_once.hpp"

namespace chancel {

namespace {

bool always(const CompileUnit&) { return true; }

bool has_observes(const CompileUnit& unit) { return unit.observes != nullptr; }
void simulate(CompileUnit& unit) {
  unit.observes->rewrite(unit.node, unit.nodes, unit.program.constants(), unit.program.sources,
                         unit.sink);
}

bool has_doqueries(const CompileUnit& unit) { return unit.doqueries != nullptr; }
void check_doqueries(CompileUnit& unit) {
  for (const core::DoqueryCall& call : core::doquery_calls(unit.node))
    (*unit.doqueries)(call, unit.sink);
}

bool has_order(const CompileUnit& unit) { return unit.order != nullptr; }
void hoist_query(CompileUnit& unit) {
  const auto* query = static_cast<const core::Lambda*>(unit.node);
  core::Lambda* other = hoist(query, *unit.order, unit.nodes, unit.program, unit.library);
  if (other) unit.node = with_captured(other, unit.order->captured, unit.nodes);
}

bool has_known_parts(const CompileUnit& unit) { return unit.known != nullptr; }
void put_known_parts(CompileUnit& unit) {
  const auto* query = static_cast<const core::Lambda*>(unit.node);
  unit.node = with_captured(with_known_parts(query, *unit.known, unit.nodes), unit.known->captured,
                            unit.nodes);
}

void fold(CompileUnit& unit) { fold_constants(unit.node, unit.nodes, unit.program, unit.library); }

void fuse(CompileUnit& unit) { fuse_calls(unit.node, unit.nodes, unit.library); }

constexpr Pass kPasses[] = {
    {"simulate", "Observes simulate their data, or observe simulated data (verify).",
     PassStage::Form, has_observes, simulate},
    {"doqueries", "Engines and options that calls of doquery name are checked (check).",
     PassStage::Form, has_doqueries, check_doqueries},
    {"hoist",
     "Observes come as early, and draws as late, as the distribution allows (:hoist true).",
     PassStage::Query, has_order, hoist_query},
    {"once", "Work that needs no draw is done once, when a run starts.", PassStage::Query,
     has_known_parts, put_known_parts},
    {"fuse", "Calls that consume a sequence and make one become loops.", PassStage::Code, always,
     fuse},
    {"fold", "Calls of pure functions on constants become their values.", PassStage::Code, always,
     fold},
    {"emit", "Core becomes instructions on registers.", PassStage::Code, always, emit_code},
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

void run_passes(CompileUnit& unit, PassStage stage, const PassObserver& observer) {
  using Clock = std::chrono::steady_clock;
  if (kVerify) verify_unit(unit);
  for (const Pass& pass : kPasses) {
    if (pass.stage != stage || !pass.wanted(unit)) continue;
    const auto begun = observer ? Clock::now() : Clock::time_point{};
    pass.run(unit);
    if (observer) observer(pass, unit, std::chrono::duration<double>(Clock::now() - begun).count());
    if (stage == PassStage::Code && unit.sink.has_errors()) return;
    if (kVerify) verify_unit(unit);
  }
}

FunctionProto* compile_top_level(core::Node* node, core::NodeArena& nodes, Program& program,
                                 Library& library, DiagnosticSink& sink) {
  CompileUnit unit{node, nodes, program, library, sink};
  run_passes(unit, PassStage::Code);
  return sink.has_errors() ? nullptr : unit.code;
}

}  // namespace chancel
