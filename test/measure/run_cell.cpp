// SPDX-License-Identifier: Apache-2.0
// See run_cell.hpp.
#include "run_cell.hpp"

#include <cmath>
#include <ctime>
#include <stdexcept>

namespace measure {

void read_scalars(const Truth& truth, const chancel::Draw& draw, std::vector<double>& out) {
  out.clear();
  const chancel::ValueView* found = nullptr;
  for (std::size_t s = 0; s < truth.scalars.size(); ++s) {
    const Scalar& scalar = truth.scalars[s];
    if (s == 0 || scalar.label != truth.scalars[s - 1].label) found = draw.find(scalar.label);
    if (!found) throw std::runtime_error("no predict " + scalar.label);
    out.push_back(scalar.entry < 0 ? found->number()
                                   : found->at(static_cast<std::size_t>(scalar.entry)).number());
  }
}

CellResult run_cell(chancel::Model& model, const Truth& truth, const EngineRow& engine,
                    const ProgramRow& program, std::uint64_t seed, double length) {
  CellResult out;
  const bool exact = engine.counting == Counting::Exact;
  const std::uint64_t sweeps = sweeps_for(engine, program, length);
  const Tuning tuned = tuning(engine, program);
  const auto burn =
      engine.chain ? static_cast<std::uint64_t>(static_cast<double>(sweeps) * tuned.burn) : 0;
  const std::clock_t start = std::clock();
  Checker checker(truth);
  std::vector<double> values;
  try {
    for (int run = 0; run < (exact ? 1 : kRuns); ++run) {
      chancel::InferOptions options;
      options.algorithm = engine.engine;
      options.algorithm_options = options_for(engine, program);
      options.samples = 0;
      options.threads = 1;
      options.thin = tuned.thin;
      if (engine.counting == Counting::Steps)
        options.burn = burn;  // the same as below, and cheaper
      options.seed = seed * 1000 + static_cast<std::uint64_t>(run) + 1;
      chancel::Inference inference = model.infer(truth.query, options);
      while (const chancel::Draw* draw = inference.next()) {
        if (!exact && draw->sweep >= sweeps) break;
        if (draw->sweep < burn) continue;
        read_scalars(truth, *draw, values);
        checker.add(run, draw->log_weight, values);
        ++out.draws;
      }
      const auto z = inference.figures().log_evidence;
      if (!z || !tuned.evidence) continue;
      checker.add_evidence(run, *z);
      options.samples = 1;  // one sweep
      for (std::uint64_t k = 1; k <= tuned.first_sweeps; ++k) {
        options.seed = (seed * 1000 + static_cast<std::uint64_t>(run) + 1) * 1000 + k;
        chancel::Inference another = model.infer(truth.query, options);
        another.next();
        checker.add_evidence(run, another.figures().log_evidence.value());
      }
    }
    const double cap = tuned.cap > 0 ? tuned.cap : program.cap;
    // Left out with :mass 0.995 (random-length): 0.005 of the prior, whose likelihood is at most 3
    // times the evidence.
    const double tolerance = options_for(engine, program).empty() ? 1e-9 : 0.015;
    out.verdict = exact ? checker.exact_verdict(tolerance) : checker.verdict(cap);
  } catch (const std::exception& e) {
    out.failure = e.what();
  }
  out.seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  return out;
}

}  // namespace measure
