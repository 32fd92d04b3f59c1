// SPDX-License-Identifier: Apache-2.0
// Where the draws and statistics of a run go. Engines push; they do not depend on any output
// format. Values in a Draw live in the engine's heap and are valid only during the call: a sink
// that keeps them copies them (deep_copy) or turns them into text or numbers.
#pragma once
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "diag/diagnostic.hpp"
#include "infer/divergence_places.hpp"
#include "infer/evidence.hpp"
#include "vm/execution.hpp"

namespace chancel {

// How a gradient engine came to a draw.
struct EngineMove {
  double acceptance = 0, step_size = 0, energy = 0;
  std::uint32_t depth = 0, steps = 0;
  bool divergent = false;
};

struct ObserveScore {
  std::uint32_t site = 0;
  double log_prob = 0;
};

struct EngineDraw {
  const Predicts* predicts = nullptr;  // newest first; the last value of a repeated label counts
  Value result = Value::nil();
  // Comparable across all draws of the run (SMC: includes the sweep's log-evidence estimate).
  double log_weight = 0;
  // Log density of draws and observes together; NaN = not known, or RunSetup::log_joint is not set.
  double log_joint = std::numeric_limits<double>::quiet_NaN();
  std::optional<EngineMove> move;
  Value variational = Value::nil();    // bbvb: by draw, what it was proposed from
  std::vector<ObserveScore> observes;  // in their order, when RunSetup::pointwise asks for them
  std::uint64_t sweep = 0;             // sweep or iteration number
  std::uint32_t chain = 0;
  std::uint64_t applications = 0;  // of this execution
};

struct BarrierStatistics {  // one line per resampling barrier
  std::uint64_t sweep = 0;
  std::uint32_t barrier = 0;
  std::uint32_t site = 0;  // of the observe that most executions are at
  double ess = 0;
  bool resampled = false;
  std::uint32_t distinct_ancestors = 0;
  double log_mean_weight = 0;
};

struct EngineDescent {  // where a particle after a barrier comes from
  std::uint64_t sweep = 0;
  std::uint32_t barrier = 0;
  std::uint32_t site = 0;
  std::uint32_t particle = 0, ancestor = 0;
};

class Sink {
 public:
  virtual ~Sink() = default;
  virtual void draw(const EngineDraw& draw) = 0;
  virtual void barrier(const BarrierStatistics&) {}
  // Of the first sweeps, when RunSetup::keep_descent asks for it.
  virtual void descent(const EngineDescent&) {}
  virtual void warning(const Diagnostic&) {}
};

// Steps of a Markov chain that proposed a new value at one sample site.
struct SiteMoves {
  std::uint64_t proposals = 0;
  std::uint64_t accepted = 0;
};

inline void add_moves(std::vector<SiteMoves>& sum, const std::vector<SiteMoves>& more) {
  if (sum.size() < more.size()) sum.resize(more.size());
  for (std::size_t site = 0; site < more.size(); ++site) {
    sum[site].proposals += more[site].proposals;
    sum[site].accepted += more[site].accepted;
  }
}

// What a run says about itself at its end; engines fill what they have.
struct EngineStatistics {
  bool has_log_evidence = false;
  double log_evidence = 0;
  double log_evidence_se = 0;   // widened for what it rests on (evidence.hpp); NaN = not known
  LogMoments evidence_parts;    // what the evidence is the mean of: sweeps, launches, executions
  std::uint64_t warmup = 0;     // steps of the warm-up; the next three count those after it
  std::uint64_t proposals = 0;  // MCMC steps proposed and accepted
  std::uint64_t accepted = 0;
  // pmmh: of the log-likelihood as a sweep estimates it (NaN = not known), and how many particles that
  // calls for.
  double likelihood_variance = std::numeric_limits<double>::quiet_NaN();
  std::uint64_t suggested_particles = 0;
  // anneal: those of all runs, the lowest acceptance of moves at one of them (NaN = no moves), and at which.
  std::uint64_t temperatures = 0;
  double lowest_acceptance = std::numeric_limits<double>::quiet_NaN();
  double lowest_acceptance_at = 0;
  std::uint64_t saturated = 0;   // moves of nuts that ended at the largest depth
  std::vector<SiteMoves> moves;  // single-site chains: by site
  DivergencePlaces places;       // nuts: after the warm-up
  bool independent = false;      // draws (or sweeps, where a sweep gives several) are independent
  std::uint64_t resamplings = 0;
  double mean_ess = 0;  // over barriers
  double min_ess = 0;
  std::uint32_t min_ess_site = 0;
  double mean_distinct_ancestors = 0;
  std::uint64_t simulations = 0;  // whole executions
  std::uint64_t particle_steps = 0;
  std::uint64_t applications = 0;
  std::uint64_t zero_weight = 0;  // executions dropped because they contradict the observations
  std::size_t peak_memory = 0;
  // Prior probability of what an enumeration left out; NaN = draws are a matter of chance
  double left_out = std::numeric_limits<double>::quiet_NaN();
};

}  // namespace chancel
