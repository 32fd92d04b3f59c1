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
#include "infer/structure_visits.hpp"
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

inline constexpr double kUnknownStatistic = std::numeric_limits<double>::quiet_NaN();

// What a run says about itself at its end; engines fill what they have. infer/engine_state.hpp makes
// bytes of all of it.
struct EngineStatistics {
#define CHANCEL_STATISTIC(type, name, initial, total) type name = initial;
#include "infer/statistics.def"
  LogMoments evidence_parts;     // what the evidence is the mean of: sweeps, launches, executions
  std::vector<SiteMoves> moves;  // single-site chains: by site
  DivergencePlaces places;       // nuts: after the warm-up
  StructureVisits structures;    // chains that change discrete draws: with the warm-up
};

}  // namespace chancel
