// SPDX-License-Identifier: Apache-2.0
// tiers [ENGINE [MODEL]]: an execution by the interpreter and by native code, for the engines that run whole
// executions or populations, on the paper's programs. The two take turns and the fastest turn of each counts, in CPU
// time of this thread. Stresses the tiers and what engines do around them; not threads, the compiler or output.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "models/timed_engine.hpp"

namespace {
using namespace chancel;
using bench::Options;
using bench::TimedEngine;

struct Case {
  const char* engine;
  int particles;
  std::uint64_t draws;  // in a turn
};
constexpr Case kCases[] = {{"importance", 0, 50000},  {"rejection", 0, 2000},
                           {"pcascade", 1000, 50000}, {"pgas", 100, 2000},
                           {"pmmh", 100, 2000},       {"smc", 1000, 50000}};
}  // namespace

int main(int argc, char** argv) {
  const std::string only = argc > 1 ? argv[1] : "", model_only = argc > 2 ? argv[2] : "";
  fmt::print("{:<12} {:<12} {:>10} {:>10} {:>7}   (CPU ns a draw)\n", "model", "engine", "vm",
             "native", "ratio");
  for (const Case& c : kCases) {
    if (!only.empty() && only != c.engine) continue;
    for (const char* model : {"hmm", "dp-mixture", "branching", "marsaglia", "hmm-parameter"}) {
      if (!model_only.empty() && model_only != model) continue;
      // Its likelihoods are bounded, and an execution is kept now and then.
      const bool rejection = std::string(c.engine) == "rejection";
      if (rejection && std::string(model) != "branching" && std::string(model) != "marsaglia")
        continue;
      // It needs parameters.
      if (std::string(c.engine) == "pmmh" && std::string(model) != "hmm-parameter") continue;
      Options options;
      if (c.particles) options.push_back({"number-of-particles", Value::integer(c.particles)});
      TimedEngine vm(model, "", "", c.engine, options, 1, NativeUse::Never);
      TimedEngine native(model, "", "", c.engine, options, 1, NativeUse::Always);
      double best_vm = INFINITY, best_native = INFINITY;
      for (int round = 0; round < 5; ++round) {
        best_vm = std::min(best_vm, vm.turn(c.draws).mine);
        best_native = std::min(best_native, native.turn(c.draws).mine);
      }
      fmt::print("{:<12} {:<12} {:>10.1f} {:>10.1f} {:>7.2f}\n", model, c.engine, best_vm,
                 best_native, best_vm / best_native);
      std::fflush(stdout);
    }
  }
}
