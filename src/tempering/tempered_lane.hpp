// SPDX-License-Identifier: Apache-2.0
// What one thread does in a tempered run: draws executions from the prior, and runs chains of moves
// that leave prior times likelihood^temperature as it is. A chain depends on nothing but its start, its
// streams and what was learnt before the temperature began, so it does not matter which lane runs it.
#pragma once
#include <vector>

#include "gradient/continuous_mover.hpp"
#include "single_site/single_site.hpp"
#include "tempering/noise_moves.hpp"

namespace chancel {

// A state of the population: an execution by its draws. Of one that another rank has, `draws` and what
// it gives are not known here.
struct TemperedState {
  static constexpr unsigned kElsewhere = ~0u;
  std::vector<DrawnValue> draws;
  std::size_t draw_count = 0;
  double log_likelihood = kLogZero;
  unsigned lane = 0;  // in whose heap it lives
  unsigned rank = 0;  // whose lane that is
  // Where it has been recorded: its coordinates and structure.
  Eigen::VectorXd q;
  std::uint64_t signature = 0;
  std::size_t held_draws = 0;  // that have no coordinates
  bool recorded = false;
  NoisePlace noise;      // where single draws are moved
  std::size_t fold = 0;  // of its first ancestor (continuous_mover.hpp)
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
  double temperature = 0;
  // Of a round, from one state that is kept to the next:
  std::size_t moves = 0;        // of all continuous draws
  std::size_t steps = 0;        // of single draws
  std::size_t noise_moves = 0;  // of all draws by their noise
  bool held_only = false;       // steps are for draws that have no coordinates
  MoveTunings recorded;
  NoiseTunings noise;
  std::vector<SingleSiteChain::Walk> walks;
};

// What the moves of a chain tell those who tune the next temperature.
struct TemperedFigures {
  std::uint64_t proposals = 0, accepted = 0;  // of single draws
  std::uint64_t applications = 0;
  bool elsewhere = false;  // a move came to a place with other draws, or without a recording
  AcceptanceRates recorded, noise;
  std::vector<SingleSiteChain::Walk> walks;
};

class TemperedLane {
 public:
  // `population`: of all lanes; this one keeps up those whose lane is `number`.
  TemperedLane(const RunSetup& setup, std::size_t memory, unsigned number, MoveKind kind,
               std::vector<TemperedState>& population);

  // An execution from the prior; its likelihood is zero where it contradicts the observations. False:
  // failure().
  bool draw_prior(StreamName name, std::uint32_t slot, TemperedState* out);
  // Records a state, if that can be done. False: failure().
  bool locate(StreamName name, TemperedState* state);
  // A step size of nuts, at a start of a chain.
  bool find_step_size(const TemperedState& start, StreamName name, double temperature,
                      MoveTuning* tuning);
  // A chain: `out` gets its start and a state after each further round of moves. False: failure().
  bool run(const TemperedState& start, StreamName name, const TemperedTuning& tuning,
           std::span<TemperedState> out, TemperedFigures* figures);
  bool observed() const { return all_steps_.trace().observed(); }
  Heap& heap() { return workers_.heap(); }
  const std::optional<Diagnostic>& failure() const { return failure_; }
  void fail_with(Diagnostic d) { failure_ = std::move(d); }

 private:
  bool fail(const SingleSiteChain& steps) {
    failure_ = steps.failure();
    return false;
  }
  bool takes_draws();
  SingleSiteChain& steps_for(const TemperedTuning& tuning);
  // The execution of a state; draws after those of the state come from their distributions.
  bool replay(SingleSiteChain& steps, const std::vector<DrawnValue>& draws, StreamName name,
              std::uint32_t round);
  void record(SingleSiteChain& steps, const TemperedTuning& tuning, std::size_t fold);
  bool move(SingleSiteChain& steps, StreamName name, std::uint32_t round,
            const TemperedTuning& tuning, std::size_t fold, TemperedFigures* figures);
  bool move_by_noise(SingleSiteChain& steps, StreamName name, std::uint32_t round,
                     const TemperedTuning& tuning, std::size_t fold, TemperedFigures* figures);
  bool keep_trace(SingleSiteChain& steps, bool outputs, TemperedState* out);
  bool keep_recorded(StreamName name, std::uint32_t round, bool outputs, TemperedState* out);
  void note_place(TemperedState* out);

  WorkerPool workers_;
  SingleSiteChain all_steps_;
  std::unique_ptr<SingleSiteChain> held_steps_;
  std::unique_ptr<ContinuousMover> mover_;
  unsigned number_;
  std::optional<Diagnostic> failure_;
};

}  // namespace chancel
