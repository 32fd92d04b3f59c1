// SPDX-License-Identifier: Apache-2.0
// What one thread does in a tempered run: draws executions from the prior, and runs chains of moves
// that leave prior times likelihood^temperature as it is. A chain depends on nothing but its start, its
// streams and what was learnt before the temperature began, so it does not matter which lane runs it.
#pragma once
#include <vector>

#include "infer/draw_sources.hpp"
#include "infer/single_site.hpp"

namespace chancel {

// A state of the population: an execution by its draws.
struct TemperedState {
  std::vector<DrawnValue> draws;
  double log_likelihood = kLogZero;
  unsigned lane = 0;  // in whose heap it lives
  // What it gives; of states at temperature 1 only.
  Predicts* predicts = nullptr;
  Value result = Value::nil();
  std::uint64_t applications = 0;
  double log_joint = std::numeric_limits<double>::quiet_NaN();
  std::vector<ObserveScore> observes;

  void visit(Evacuator& e) {
    for (DrawnValue& d : draws) {
      e.visit(d.id);
      e.visit(d.value);
    }
    e.visit(predicts);
    e.visit(result);
  }
};

// What is known before the moves at a temperature begin.
struct TemperedTuning {
  double temperature = 1;
  std::size_t steps = 1;  // single-site steps from one state that is kept to the next
  std::vector<SingleSiteChain::Walk> walks;
};

// What the moves of a chain tell those who tune the next temperature.
struct TemperedFigures {
  std::uint64_t proposals = 0, accepted = 0;
  std::uint64_t applications = 0;
  std::vector<SingleSiteChain::Walk> walks;
};

class TemperedLane {
 public:
  // `population`: of all lanes; this one keeps up those whose lane is `number`.
  TemperedLane(const RunSetup& setup, std::size_t memory, unsigned number,
               std::vector<TemperedState>& population);

  // An execution from the prior; its likelihood is zero where it contradicts the observations. False:
  // failure().
  bool draw_prior(StreamName name, std::uint32_t slot, TemperedState* out);
  // A chain: `out` gets its start and a state after each further round of moves. False: failure().
  bool run(const TemperedState& start, StreamName name, const TemperedTuning& tuning,
           std::span<TemperedState> out, TemperedFigures* figures);
  bool observed() const { return chain_.trace().observed(); }
  Heap& heap() { return workers_.heap(); }
  const std::vector<SiteMoves>& moves() const { return chain_.moves(); }
  const std::optional<Diagnostic>& failure() const { return failure_; }
  void fail_with(Diagnostic d) { failure_ = std::move(d); }

 private:
  bool fail() {
    failure_ = chain_.failure();
    return false;
  }
  bool takes_draws();
  bool keep(bool outputs, TemperedState* out);

  WorkerPool workers_;
  SingleSiteChain chain_;
  unsigned number_;
  std::optional<Diagnostic> failure_;
};

}  // namespace chancel
