// SPDX-License-Identifier: Apache-2.0
// See exact_checks.hpp.
#include "exact_checks.hpp"

#include <algorithm>
#include <cmath>

namespace exact {

namespace {
// How many draws a step would give if none had weight zero: what weights are averaged over.
double draws_of(const std::string& engine, const Options& options) {
  if (engine == "importance" || engine == "rejection") return 1;
  for (const auto& [name, text] : options)
    if (name == (engine == "lais" ? "number-of-chains" : "number-of-particles"))
      return std::atof(text.c_str());
  return 1;
}

// The evidence estimate of the sweep that a first step made, from its barriers; for ipmcmc that of
// its first node.
double first_evidence(const Step& step) {
  double log_evidence = 0;
  const chancel::BarrierStatistics* before = nullptr;
  for (const chancel::BarrierStatistics& b : step.barriers) {
    if (before && b.barrier <= before->barrier) break;  // the next node
    before = &b;
    log_evidence += b.log_mean_weight;
  }
  return std::exp(log_evidence);
}

// A step of a single-site chain shows little of its decisions: it may reject.
constexpr unsigned kManyLooks = 32;
bool is_single_site(const std::string& engine) {
  return engine.find("mh") != std::string::npos && engine != "pimh";
}
bool shows_little(const std::string& engine, const Options& options) {
  // Of bbvb, whether an execution comes from the prior shows only where proposals differ from it.
  return engine == "anneal" || engine == "bbvb" ||
         std::any_of(options.begin(), options.end(),
                     [](const auto& o) { return o.first == "move"; });
}
}  // namespace

std::vector<double> weighted_output(Program& program, const std::string& engine,
                                    const Options& options, unsigned cells,
                                    chancel::Mistake mistake, std::size_t* leaves) {
  const double count = draws_of(engine, options);
  const bool has_evidence = engine != "rejection";
  return expectation(
      [&](FixedSource& source) {
        const Run run = run_engine(program, engine, options, 1, &source, mistake);
        Outcome out;
        out.signature = run.signature;
        out.values.assign(program.target().size() + 1, 0);
        for (const auto& [state, log_weight] : run.steps[0].draws)
          out.values[program.index(state)] += std::exp(log_weight) / count;
        double total = 0;
        for (const double v : out.values) total += v;
        out.values.back() = has_evidence ? std::exp(run.log_evidence) : total;
        return out;
      },
      cells, shows_little(engine, options) ? kManyLooks : 2, leaves);
}

std::vector<double> chain_output(Program& program, const std::string& engine,
                                 const Options& options, std::size_t steps, unsigned cells,
                                 chancel::Mistake mistake) {
  // The likelihood of a state: its target over its prior, which an execution without its observes
  // would have. Here it is the start's weight, found from the draws' own distribution: a first
  // state of a single-site chain comes from the prior.
  std::vector<double> prior;
  if (is_single_site(engine))
    prior = expectation(
        [&](FixedSource& source) {
          const Run run = run_engine(program, engine, options, 1, &source);
          Outcome out;
          out.signature = run.signature;
          out.values.assign(program.target().size(), 0);
          out.values[program.index(run.steps[0].draws[0].first)] = 1;
          return out;
        },
        cells, kManyLooks);
  std::vector<double> shares = expectation(
      [&](FixedSource& source) {
        const Run run = run_engine(program, engine, options, steps, &source, mistake);
        Outcome out;
        out.signature = run.signature;
        out.values.assign(program.target().size() + 1, 0);
        double start;
        if (is_single_site(engine)) {
          const std::string& first = run.steps[0].draws[0].first;
          start = program.target().at(first) / prior[program.index(first)] / program.evidence();
        } else {
          start = first_evidence(run.steps[0]) / program.evidence();
        }
        double total = 0;
        for (const auto& [state, log_weight] : run.steps.back().draws)
          total += std::exp(log_weight);
        for (const auto& [state, log_weight] : run.steps.back().draws)
          out.values[program.index(state)] += start * std::exp(log_weight) / total;
        out.values.back() = start;
        return out;
      },
      cells, is_single_site(engine) ? kManyLooks : 2);
  // Observes before the first draw are not barriers: the same factor everywhere.
  const double prefix = shares.back();
  shares.pop_back();
  for (double& share : shares) share /= prefix;
  return shares;
}

}  // namespace exact
