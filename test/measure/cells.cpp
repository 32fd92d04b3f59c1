// SPDX-License-Identifier: Apache-2.0
// See cells.hpp. Few particles where a model is small: mistakes of particle engines shrink as 1/N,
// so that is where they show.
#include "cells.hpp"

#include <algorithm>
#include <string_view>

namespace measure {

namespace {

constexpr std::uint64_t kNodes = 4;  // of ipmcmc, two of them conditional

bool is(const char* a, std::string_view b) { return a == b; }
bool of_model(const ProgramRow& p, std::string_view model) {
  return std::string_view(p.program).substr(0, model.size() + 1) == std::string(model) + "/";
}

}  // namespace

const std::vector<EngineRow>& engine_rows() {
  static const std::vector<EngineRow> rows = {
      {"importance", "importance", "", Counting::Executions, false},
      {"smc", "smc", ":number-of-particles {N}", Counting::Particles, false},
      {"smc multinomial, half", "smc",
       ":number-of-particles {N} :resampling :multinomial :ess-threshold 0.5", Counting::Particles,
       false},
      {"smc residual", "smc", ":number-of-particles {N} :resampling :residual", Counting::Particles,
       false},
      {"smc stratified, half", "smc",
       ":number-of-particles {N} :resampling :stratified :ess-threshold 0.5", Counting::Particles,
       false},
      {"pcascade", "pcascade", ":number-of-particles {N}", Counting::Particles, false},
      {"pimh", "pimh", ":number-of-particles {N}", Counting::Particles, true},
      {"pgibbs", "pgibbs", ":number-of-particles {N}", Counting::Particles, true},
      {"pgibbs systematic", "pgibbs", ":number-of-particles {N} :resampling :systematic",
       Counting::Particles, true},
      {"pgibbs rejuvenate", "pgibbs", ":number-of-particles {N} :rejuvenate 3", Counting::Particles,
       true},
      {"pgas", "pgas", ":number-of-particles {N}", Counting::Particles, true},
      {"ipmcmc", "ipmcmc", ":number-of-nodes 4 :number-of-csmc-nodes 2 :number-of-particles {N}",
       Counting::Nodes, true},
      {"lmh", "lmh", "", Counting::Steps, true},
      {"rmh", "rmh", "", Counting::Steps, true},
      {"almh", "almh", "", Counting::Steps, true},
      {"plmh", "plmh", ":number-of-threads 2", Counting::Steps, true},
      {"palmh", "palmh", ":number-of-threads 2", Counting::Steps, true},
      {"enumerate", "enumerate", "", Counting::Exact, false},
      {"rejection", "rejection", ":log-bound {B}", Counting::Kept, false},
  };
  return rows;
}

const std::vector<ProgramRow>& program_rows() {
  // Caps are 1.6 times the standard errors that the bluntest engine has: those come from 40 runs, and
  // chance moves them by a third and more.
  // Bounds of likelihoods: n observes from normals with standard deviation s have at most -n (log s
  // + 0.918938...).
  static const std::vector<ProgramRow> rows = {
      {"hmm/hmm.clj", 20, 4000, 4000, 0, "", 0.026},
      {"hmm/hmm.vnt", 20, 1500, 4000, 0, "", 0.045},
      {"dp-mixture/dp-mixture.clj", 50, 4000, 8000, 0, "", 0.035},
      {"dp-mixture/dp-mixture.vnt", 50, 4000, 15000, 0, "", 0.055},
      {"branching/branching.clj", 10, 10000, 10000, 2000, "0", 0.004},
      {"branching/branching.vnt", 10, 3500, 3500, 700, "0", 0.006},
      {"marsaglia/marsaglia.clj", 50, 20000, 15000, 200, "-2.656", 0.03},
      {"marsaglia/marsaglia.vnt", 50, 20000, 15000, 200, "-2.656", 0.03},
      {"two-state/two-state.clj", 3, 15000, 15000, 5000, "0", 0.0024},
      {"gaussian-chain/gaussian-chain.clj", 10, 10000, 10000, 2000, "-0.9189", 0.019},
      {"lgss/lgss.clj", 50, 6000, 8000, 0, "", 0.037},
      {"hmm-parameter/hmm-parameter.clj", 10, 4000, 6000, 300, "-4.49", 0.035},
      {"urn/urn.clj", 10, 5000, 5000, 150, "0", 0.023},
      {"crp/crp.clj", 20, 4000, 3000, 100, "-5.51", 0.019},
      {"crp/crp.vnt", 20, 2000, 2000, 50, "-5.51", 0.016},
      {"random-length/random-length.clj", 10, 10000, 10000, 2000, "-0.9189", 0.0043},
      {"unaligned/unaligned.clj", 4, 10000, 10000, 2000, "0", 0.0054},
      {"dirac/dirac.clj", 200, 10000, 0, 200, "0", 0.012},
      {"mixture/mixture.clj", 20, 5000, 14000, 100, "-4.59", 0.038},
      {"conditional/conditional.clj", 10, 80, 80, 60, "0", 0.022},
      {"conditional/exact.clj", 10, 2000, 2000, 500, "0", 0.006},
      {"conditional/observed.clj", 10, 120, 120, 80, "0", 0.024},
  };
  return rows;
}

const char* why_skipped(const EngineRow& engine, const ProgramRow& program) {
  if (engine.counting == Counting::Steps && of_model(program, "dirac"))
    return "changing one die always breaks the sum: single-site moves cannot leave the first state";
  if (engine.counting == Counting::Executions && of_model(program, "dp-mixture"))
    return "two of 160 000 executions may carry all the weight";
  if (is(engine.name, "pgibbs rejuvenate") && is(program.program, "conditional/observed.clj"))
    return "refused: the likelihood is estimated, and running an execution again would change it";
  if (engine.counting == Counting::Exact) {
    if (of_model(program, "hmm")) return "3^17 executions";
    for (const char* m :
         {"two-state", "hmm-parameter", "crp", "unaligned", "dirac", "random-length"})
      if (of_model(program, m)) return nullptr;
    if (of_model(program, "branching")) return "poisson has infinitely many values";
    if (is(program.program, "conditional/exact.clj")) return nullptr;
    if (is(program.program, "conditional/observed.clj")) return "the inner posterior is estimated";
    if (of_model(program, "conditional"))
      return "the posterior of the inner query has no list of values";
    return "continuous draws";
  }
  if (engine.counting == Counting::Kept) {
    if (of_model(program, "hmm")) return "keeps 3 of 10^13 executions";
    if (of_model(program, "lgss")) return "keeps 5 of a million executions";
    if (of_model(program, "dp-mixture"))
      return "the likelihood has no bound: variances may be arbitrarily small";
  }
  return nullptr;
}

Tuning tuning(const EngineRow& engine, const ProgramRow& program) {
  Tuning t;
  const bool slow = is(program.program, "dp-mixture/dp-mixture.vnt");
  if (engine.counting == Counting::Steps) {
    // One step changes little where an execution has many draws. Odd, so that both chains of plmh
    // are seen.
    for (const char* m : {"hmm", "dp-mixture", "lgss", "hmm-parameter", "crp", "mixture"})
      if (of_model(program, m)) t.thin = 5;
    if (is(engine.engine, "plmh") || is(engine.engine, "palmh"))
      t.length = 0.6;  // two chains in a run
    // Merging clusters one guest at a time takes some thousand steps. Chains are lumpy for long:
    // with runs 15 times as long lmh once gave t = 5.0 for the rare numbers of clusters (few runs
    // had been there); with 60 times, t = 0.7 and a standard error of 0.005.
    if (slow) t.burn = 0.6;
    return t;
  }
  if (slow && engine.chain) t.burn = 0.5;
  if (slow && engine.counting == Counting::Nodes) t.length = 3;
  // Sweeps give few retained paths, and those change little: the constraint is sharp.
  if (engine.chain && of_model(program, "marsaglia")) t.length = 2.5;
  // pgibbs has the evidence of its first sweep; with :rejuvenate, and in pgas, that is the same sweep.
  if (is(engine.engine, "pgibbs"))
    t.first_sweeps = of_model(program, "marsaglia") || of_model(program, "dp-mixture") ? 120 : 40;
  if (is(engine.name, "pgibbs rejuvenate") || is(engine.name, "pgas")) t.evidence = false;
  // Of ten thousand sweeps with 50 particles here, a few make up most of the evidence.
  if (slow) t.evidence = false;
  // Weights of whole executions spread widely over ten observes with continuous states.
  if (is(engine.name, "importance") && of_model(program, "lgss")) {
    t.length = 4;
    t.cap = 0.3;
    t.evidence = false;
  }
  // So do those of a cascade, which keeps some of the spread.
  if (is(engine.name, "pcascade") && of_model(program, "lgss")) t.length = 3;
  if (is(engine.name, "pcascade") && of_model(program, "dp-mixture")) {
    t.length = 4;
    t.cap = 0.06;
  }
  // The retained bit of two-state and unaligned changes seldom with so few particles.
  if (is(engine.name, "pgibbs") && of_model(program, "two-state")) t.length = 3;
  if (is(engine.name, "pgibbs systematic") && of_model(program, "two-state")) t.length = 1.5;
  if ((is(engine.name, "pgibbs") || is(engine.name, "pgas")) && of_model(program, "unaligned"))
    t.length = 2;
  // Ancestor sampling runs the rest of the retained execution again for every particle.
  if (is(engine.name, "pgas") && !slow &&
      (of_model(program, "dp-mixture") || of_model(program, "hmm")))
    t.length = 0.5;
  return t;
}

std::string options_for(const EngineRow& engine, const ProgramRow& program) {
  std::string out = engine.options;
  const auto put = [&out](const char* hole, const std::string& text) {
    if (const std::size_t at = out.find(hole); at != std::string::npos) out.replace(at, 3, text);
  };
  put("{N}", std::to_string(program.particles));
  put("{B}", program.log_bound);
  // Infinitely many walks: all but one in 200.
  if (engine.counting == Counting::Exact && of_model(program, "random-length")) out = ":mass 0.995";
  return out;
}

std::uint64_t sweeps_for(const EngineRow& engine, const ProgramRow& program, double length) {
  std::uint64_t n = program.executions;
  switch (engine.counting) {
    case Counting::Executions:
      break;
    case Counting::Particles:
      n /= program.particles;
      break;
    case Counting::Nodes:
      n /= program.particles * kNodes;
      break;
    case Counting::Steps:
      n = program.steps;
      break;
    case Counting::Kept:
      n = program.kept;
      break;
    case Counting::Exact:
      return 0;
  }
  const double scaled = static_cast<double>(n) * tuning(engine, program).length * length;
  return std::max<std::uint64_t>(5, static_cast<std::uint64_t>(scaled));
}

}  // namespace measure
