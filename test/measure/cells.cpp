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
bool delayed(const EngineRow& e) { return std::string_view(e.name).ends_with("delayed"); }
bool of_model(const ProgramRow& p, std::string_view model) {
  return std::string_view(p.program).substr(0, model.size() + 1) == std::string(model) + "/";
}

}  // namespace

const std::vector<EngineRow>& engine_rows() {
  static const std::vector<EngineRow> rows = {
      {"importance", "importance", "", Counting::Executions, false, false, true},
      {"smc", "smc", ":number-of-particles {N}", Counting::Particles, false, false, true},
      {"smc multinomial, half", "smc",
       ":number-of-particles {N} :resampling :multinomial :ess-threshold 0.5", Counting::Particles,
       false, true, true},
      {"smc residual", "smc", ":number-of-particles {N} :resampling :residual", Counting::Particles,
       false, true, true},
      {"smc stratified, half", "smc",
       ":number-of-particles {N} :resampling :stratified :ess-threshold 0.5", Counting::Particles,
       false, true, true},
      {"smc move", "smc", ":number-of-particles {N} :move 2", Counting::Particles, false, true,
       true},
      {"pcascade", "pcascade", ":number-of-particles {N}", Counting::Particles, false, false, true},
      {"pimh", "pimh", ":number-of-particles {N}", Counting::Particles, true, false, true},
      {"pgibbs", "pgibbs", ":number-of-particles {N}", Counting::Particles, true, false, true},
      {"pgibbs systematic", "pgibbs", ":number-of-particles {N} :resampling :systematic",
       Counting::Particles, true, true, true},
      {"pgibbs rejuvenate", "pgibbs", ":number-of-particles {N} :rejuvenate 3", Counting::Particles,
       true, false, true},
      {"pgas", "pgas", ":number-of-particles {N}", Counting::Particles, true, false, true},
      {"ipmcmc", "ipmcmc", ":number-of-nodes 4 :number-of-csmc-nodes 2 :number-of-particles {N}",
       Counting::Nodes, true, false, true},
      {"smc delayed", "smc", ":number-of-particles {N} :delayed true", Counting::Particles, false,
       false, true},
      {"pgibbs delayed", "pgibbs", ":number-of-particles {N} :delayed true", Counting::Particles,
       true, false, true},
      {"pgas delayed", "pgas", ":number-of-particles {N} :delayed true", Counting::Particles, true,
       false, true},
      {"pgibbs parameters", "pgibbs",
       ":number-of-particles {N} :parameters :auto :parameter-moves 2", Counting::Particles, true,
       false, true},
      {"pgas parameters", "pgas", ":number-of-particles {N} :parameters :auto", Counting::Particles,
       true, false, true},
      {"ipmcmc parameters", "ipmcmc",
       ":number-of-nodes 4 :number-of-csmc-nodes 2 :number-of-particles {N} :parameters :auto",
       Counting::Nodes, true, false, true},
      {"pmmh", "pmmh", ":number-of-particles {N}", Counting::Moves, true, false, false},
      {"lmh", "lmh", "", Counting::Steps, true, false, true},
      {"rmh", "rmh", "", Counting::Steps, true, false, true},
      {"almh", "almh", "", Counting::Steps, true, false, true},
      {"plmh", "plmh", ":number-of-threads 2", Counting::Steps, true, true, true},
      {"palmh", "palmh", ":number-of-threads 2", Counting::Steps, true, true, true},
      {"anneal", "anneal", ":number-of-particles 200 :number-of-chains 20", Counting::Tempered,
       false, false, false},
      {"anneal block", "anneal", ":number-of-particles 200 :number-of-chains 20 :move :block",
       Counting::Tempered, false, false, false},
      {"anneal single-site", "anneal",
       ":number-of-particles 200 :number-of-chains 20 :move :single-site", Counting::Tempered,
       false, false, true},
      {"nuts", "nuts", "", Counting::Moves, true, false, false},
      {"block", "block", "", Counting::Moves, true, false, false},
      {"partition", "partition", ":moves 5", Counting::Moves, true, false, false},
      {"laplace", "laplace", "", Counting::Executions, false, false, false},
      {"lais", "lais", ":number-of-chains 5 :burn 100", Counting::Executions, false, false, false},
      {"bbvb", "bbvb", ":number-of-particles 50", Counting::Executions, false, false, false},
      {"map", "map", "", Counting::Exact, false, false, false},
      {"siman", "siman", "", Counting::Exact, false, false, false},
      {"bamc", "bamc", "", Counting::Exact, false, false, false},
      {"enumerate", "enumerate", "", Counting::Exact, false, false, false},
      {"rejection", "rejection", ":log-bound {B}", Counting::Kept, false, false, true},
  };
  return rows;
}

const std::vector<ProgramRow>& program_rows() {
  // Bounds of likelihoods: n observes from normals with standard deviation s have at most -n (log s
  // + 0.918938...).
  static const std::vector<ProgramRow> rows = {
      {"hmm/hmm.clj", 20, 5000, 12000, 0, ""},
      {"hmm/hmm.vnt", 20, 2000, 12000, 0, ""},
      {"dp-mixture/dp-mixture.clj", 50, 4000, 30000, 0, ""},
      {"dp-mixture/dp-mixture.vnt", 50, 6000, 100000, 0, ""},
      {"branching/branching.clj", 10, 800, 1200, 200, "0"},
      {"branching/branching.vnt", 10, 800, 1200, 200, "0"},
      {"marsaglia/marsaglia.clj", 50, 16000, 13000, 80, "-2.656"},
      {"marsaglia/marsaglia.vnt", 50, 16000, 13000, 80, "-2.656"},
      {"two-state/two-state.clj", 3, 3000, 3000, 300, "0"},
      {"gaussian-chain/gaussian-chain.clj", 10, 1000, 5000, 150, "-0.9189"},
      {"lgss/lgss.clj", 50, 4500, 20000, 0, ""},
      {"hmm-parameter/hmm-parameter.clj", 10, 900, 40000, 150, "-4.49"},
      {"urn/urn.clj", 10, 600, 2000, 110, "0"},
      {"crp/crp.clj", 20, 1200, 7000, 160, "-5.51"},
      {"crp/crp.vnt", 20, 1200, 5000, 160, "-5.51"},
      {"random-length/random-length.clj", 10, 800, 2000, 150, "-0.9189"},
      {"unaligned/unaligned.clj", 4, 600, 500, 180, "0"},
      {"dirac/dirac.clj", 200, 8000, 0, 150, "0"},
      {"dying/dying.clj", 5, 2000, 12000, 150, "0"},
      {"mixture/mixture.clj", 20, 2500, 28000, 110, "-4.59"},
      {"conditional/conditional.clj", 10, 300, 200, 110, "0"},
      {"conditional/exact.clj", 10, 400, 300, 130, "0"},
      {"conditional/observed.clj", 10, 300, 400, 110, "0"},
      {"kept/clipped.clj", 10, 800, 4000, 130, "0"},
      {"kept/atoms.clj", 10, 800, 2000, 130, "-1.8378"},
      {"kept/spike.clj", 10, 800, 2000, 130, "-1.8378"},
      {"kept/lengths.clj", 10, 400, 3000, 130, "0"},
      {"kept/points.clj", 10, 600, 2000, 130, "0"},
      {"supports/supports.clj", 20, 2500, 8000, 0, ""},
  };
  return rows;
}

namespace {

// Pairs that tell nothing that another test or cell does not tell better.
const char* why_not_needed(const EngineRow& engine, const ProgramRow& program) {
  const std::string_view name = program.program;
  if (delayed(engine)) {
    if ((of_model(program, "mixture") && !is(engine.engine, "smc")) ||
        (of_model(program, "hmm-parameter") && is(engine.engine, "pgas")))
      return "ten seconds or more; the row of smc delayed has it";
    for (const char* p : {"hmm/hmm.clj", "lgss/lgss.clj", "hmm-parameter/hmm-parameter.clj",
                          "crp/crp.clj", "random-length/random-length.clj", "mixture/mixture.clj",
                          "unaligned/unaligned.clj", "kept/clipped.clj", "kept/spike.clj"})
      if (name == p) return nullptr;
    return "little or nothing is summed out, or all is: test/delay";
  }
  if (of_model(program, "two-state"))
    return "test/exact goes through all random numbers of the engines on it";
  if (engine.variant && !of_model(program, "gaussian-chain") &&
      !of_model(program, "random-length") && !of_model(program, "mixture"))
    return "the kernel of another row; its scheme is in test/exact, its chains in measure_threads";
  if (of_model(program, "supports") && !is(engine.name, "importance") && !is(engine.name, "rmh"))
    return "for moves on the real line; importance and rmh judge the program";
  if (of_model(program, "conditional") && (is(engine.name, "rmh") || is(engine.name, "almh")))
    return "one discrete draw: the steps of lmh, which is there";
  if ((is(program.program, "conditional/conditional.clj") ||
       is(program.program, "conditional/observed.clj")) &&
      !is(engine.name, "importance") && !is(engine.name, "smc") && !is(engine.name, "pgibbs") &&
      !is(engine.name, "lmh"))
    return "nested inference, whatever engine is around it: importance, smc, pgibbs and lmh "
           "suffice";
  if (of_model(program, "dp-mixture") && (is(engine.name, "rmh") || is(engine.name, "almh")))
    return "half a minute for lmh, which is there; their other moves are judged on faster programs";
  return nullptr;
}

// Moves of all continuous draws together, with single-site steps of the others (nuts) or alone.
const char* why_no_moves(const EngineRow& engine, const ProgramRow& program) {
  for (const char* m : {"gaussian-chain", "lgss", "supports"})
    if (of_model(program, m)) return nullptr;
  if (!is(engine.engine, "nuts")) return "refused: draws that are not continuous";
  for (const char* p : {"urn/urn.clj", "random-length/random-length.clj", "kept/atoms.clj",
                        "kept/clipped.clj", "kept/spike.clj", "marsaglia/marsaglia.clj"})
    if (is(program.program, p)) return nullptr;
  if (of_model(program, "mixture")) return "chains stay in one mirror image for long";
  return "single-site steps of discrete draws: the row of lmh has them";
}

// Each kind of move, draws that come and go, hard constraints: the others would tell the same.
const char* why_no_tempering(const EngineRow& engine, const ProgramRow& program) {
  const std::string_view name = program.program;
  if (is(program.program, "conditional/observed.clj"))
    return "refused: the likelihood is estimated, and running an execution again would change it";
  if (is(engine.name, "anneal block"))
    return of_model(program, "gaussian-chain") ? nullptr : "the row of anneal has the rest";
  if (is(engine.name, "anneal single-site")) {
    for (const char* p : {"gaussian-chain/gaussian-chain.clj", "branching/branching.clj"})
      if (name == p) return nullptr;
    return "the row of anneal has them where draws have no gradient";
  }
  for (const char* p :
       {"gaussian-chain/gaussian-chain.clj", "hmm/hmm.clj", "urn/urn.clj",
        "unaligned/unaligned.clj", "random-length/random-length.clj", "dirac/dirac.clj",
        "dying/dying.clj", "kept/clipped.clj", "kept/atoms.clj", "kept/points.clj"})
    if (name == p) return nullptr;
  return "moves and weights are judged on faster programs";
}

}  // namespace

const char* why_skipped(const EngineRow& engine, const ProgramRow& program) {
  if (std::string_view(program.program).ends_with(".vnt") && !is(engine.name, "smc"))
    return "the model of the .clj file: dialects differ in front of the engines only";
  if (is(engine.name, "pmmh") || std::string_view(engine.name).ends_with(" parameters"))
    return of_model(program, "hmm-parameter")
               ? nullptr
               : "for static parameters beside a path; test/state-space has more of them";
  if (is(engine.name, "map")) return "gives a mode: test/lang/moves/map.clj";
  if (is(engine.name, "siman") || is(engine.name, "bamc"))
    return "look for a mode: test/lang/anglican/modes.clj";
  if (is(engine.name, "lais") || is(engine.name, "bbvb")) {
    for (const char* p : {"gaussian-chain/gaussian-chain.clj", "urn/urn.clj",
                          "random-length/random-length.clj", "unaligned/unaligned.clj"})
      if (is(program.program, p)) return nullptr;
    return "weights of importance sampling, which test/exact judges; these programs suffice";
  }
  if (is(engine.name, "partition")) {
    for (const char* p : {"crp/crp.clj", "crp/crp.vnt", "dp-mixture/dp-mixture.clj"})
      if (is(program.program, p)) return nullptr;
    return "refused: no draws from a CRP, or draws that come and go with tables";
  }
  if (is(engine.name, "laplace"))
    return of_model(program, "gaussian-chain") || of_model(program, "lgss")
               ? nullptr
               : "an approximation, unless the posterior is normal: test/lang/moves/laplace.clj";
  if (engine.counting == Counting::Steps && of_model(program, "dirac"))
    return "changing one die always breaks the sum: single-site moves cannot leave the first state";
  if (engine.counting == Counting::Executions && of_model(program, "dp-mixture"))
    return "two of 160 000 executions may carry all the weight";
  if (is(engine.name, "pgibbs rejuvenate") && is(program.program, "conditional/observed.clj"))
    return "refused: the likelihood is estimated, and running an execution again would change it";
  if (engine.counting == Counting::Exact) {
    if (of_model(program, "hmm")) return "3^17 executions";
    for (const char* m :
         {"two-state", "hmm-parameter", "crp", "unaligned", "dirac", "random-length", "dying"})
      if (of_model(program, m)) return nullptr;
    if (of_model(program, "branching")) return "poisson has infinitely many values";
    for (const char* p : {"conditional/exact.clj", "kept/lengths.clj", "kept/points.clj"})
      if (is(program.program, p)) return nullptr;
    if (is(program.program, "conditional/observed.clj")) return "the inner posterior is estimated";
    if (of_model(program, "conditional"))
      return "the posterior of the inner query has no list of values";
    return "continuous draws";
  }
  if (engine.counting == Counting::Moves) return why_no_moves(engine, program);
  if (engine.counting == Counting::Tempered) return why_no_tempering(engine, program);
  if (const char* why = why_not_needed(engine, program)) return why;
  if (is(engine.name, "importance") && of_model(program, "lgss"))
    return "weights of whole executions spread too widely over ten observes";
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
    return t;
  }
  if (is(engine.name, "block")) t.length = 40;
  if (is(engine.name, "partition")) t.length = of_model(program, "crp") ? 3 : 0.4;
  if (is(engine.name, "pgibbs parameters") || is(engine.name, "pgas parameters"))
    t.evidence = false;
  if (is(engine.name, "laplace")) t.evidence = false;  // it has no error but rounding
  if (is(engine.name, "nuts"))  // where steps between its moves change one discrete draw, longer
    t.length = of_model(program, "random-length") ? 15
               : of_model(program, "urn")         ? 6
               : of_model(program, "kept")        ? 4
                                                  : 1.5;
  if (slow && engine.chain) t.burn = 0.5;
  // That of plain sweeps, which smc has, too; test/api/evidence_test.cpp judges it.
  if (is(engine.engine, "pgibbs") || is(engine.engine, "pgas")) t.evidence = false;
  if (delayed(engine) && (of_model(program, "hmm") || of_model(program, "lgss")))
    t.evidence = false;  // it has no error but rounding
  // Of ten thousand sweeps with 50 particles here, a few make up most of the evidence.
  if (slow) t.evidence = false;
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
    case Counting::Moves:
      n = program.steps / 20;
      break;
    case Counting::Tempered:
      n = 3;
      break;
    case Counting::Kept:
      n = program.kept;
      break;
    case Counting::Exact:
      return 0;
  }
  const double scaled = static_cast<double>(n) * tuning(engine, program).length * length;
  return std::max<std::uint64_t>(engine.chain                            ? 30
                                 : engine.counting == Counting::Tempered ? 3
                                                                         : 5,
                                 static_cast<std::uint64_t>(scaled));
}

}  // namespace measure
