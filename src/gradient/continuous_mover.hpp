// SPDX-License-Identifier: Apache-2.0
// Moves of all continuous draws of an execution together, at a temperature: a random walk or nuts on the
// recorded density, tuned beforehand for each structure that a population has.
#pragma once
#include <map>
#include <memory>
#include <vector>

#include "gradient/adaptive_walk.hpp"
#include "gradient/nuts_move.hpp"
#include "gradient/recorded_density.hpp"

namespace chancel {

enum class MoveKind : std::uint8_t { SingleSite, Block, Nuts };

// A state that moves as a population has learnt takes part in that population, and in what it has learnt: it
// seems more usual than it is, and moves lead away from there too often. So the population is divided
// into folds, by the first ancestors of its states, and a fold moves as the others have learnt.
inline constexpr std::size_t kFolds = 4;

struct ProposalCovariance {
  Eigen::MatrixXd covariance;  // or
  Eigen::VectorXd variances;   // those alone, where states are too few for more
  bool dense() const { return covariance.size() > 0; }
};

// What moves in one structure are made with.
struct MoveTuning {
  ProposalCovariance shapes[kFolds];  // by fold; empty: nothing is known
  Eigen::Index dimension = 0;
  double log_scale = 0;  // of a walk, over the best one for a normal density
  double step_size = 0;  // of nuts; 0: to be found
};
using MoveTunings = std::map<std::uint64_t, MoveTuning>;  // by signature

// A state with coordinates, and its weight.
struct WeightedPoint {
  const Eigen::VectorXd* q;
  std::uint64_t signature;
  double weight;
  std::size_t fold;
};
// Covariances of the points, by structure; scales and step sizes from `before`. A structure with a single
// point has none.
MoveTunings tune_to(const std::vector<WeightedPoint>& points, const MoveTunings& before);

// Probabilities of acceptance, by structure.
struct MeanAcceptance {
  double sum = 0, count = 0;
};
using AcceptanceRates = std::map<std::uint64_t, MeanAcceptance>;
// Towards those that suit the moves.
void learn(MoveKind kind, const AcceptanceRates& figures, MoveTunings& tunings);

class ContinuousMover {
 public:
  ContinuousMover(WorkerPool& workers, MoveKind kind) : density_(workers, 0), kind_(kind) {}

  // Takes up the execution with these draws. False: it is not recorded.
  bool begin(const std::vector<DrawnValue>& draws, double temperature);
  bool recorded() const { return recorded_; }
  RecordedDensity& density() { return density_; }
  std::uint64_t signature() const { return signature_; }
  const Eigen::VectorXd& position() const {
    return walk_ ? walk_->position() : nuts_ ? nuts_->position() : density_.coordinates();
  }
  // Gets ready to move; where the structure is not known, no move does anything.
  void prepare(const MoveTunings& tunings, std::size_t fold);
  bool moves() const { return walk_ || nuts_; }
  void move(Stream& stream, AcceptanceRates* figures);
  // A step size of nuts for the structure that it is at, by a few moves that are thrown away.
  double find_step_size(const MoveTuning& tuning, std::size_t fold, Stream& stream);

 private:
  void make_nuts(const MoveTuning& tuning, std::size_t fold);

  RecordedDensity density_;
  MoveKind kind_;
  bool recorded_ = false;
  std::uint64_t signature_ = 0;
  std::unique_ptr<AdaptiveWalk> walk_;
  std::unique_ptr<NutsMove> nuts_;
};

}  // namespace chancel
