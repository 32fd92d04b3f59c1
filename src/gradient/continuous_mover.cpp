// SPDX-License-Identifier: Apache-2.0
#include "gradient/continuous_mover.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "base/planted.hpp"
#include "gradient/step_size.hpp"
#include "math/elementary.hpp"

namespace chancel {

namespace {

constexpr double kNutsAcceptance = 0.8;
constexpr double kStatesForCovariances = 5;              // for each coordinate
constexpr Eigen::Index kMostDense = 200;                 // coordinates
constexpr int kPilot = 30;                               // moves of nuts
constexpr double kWalkGain = 3, kNutsGain = 1;           // on the logarithm of scale and step size
constexpr double kShrinkage = 5, kLeastVariance = 1e-3;  // as for nuts (metric.hpp)

}  // namespace

namespace {

using Group = std::vector<const WeightedPoint*>;

// Of the points of the other folds.
ProposalCovariance shape_of(const Group& group, std::size_t fold) {
  double count = 0, sum = 0, squares = 0;
  Eigen::VectorXd mean = Eigen::VectorXd::Zero(group[0]->q->size());
  for (const WeightedPoint* p : group) {
    if (p->fold == fold) continue;
    ++count;
    sum += p->weight;
    squares += p->weight * p->weight;
    mean += p->weight * *p->q;
  }
  ProposalCovariance shape;
  if (count < 2 || mean.size() == 0) return shape;
  mean /= sum;
  const double effective = sum * sum / squares;
  const bool dense = mean.size() <= kMostDense &&
                     effective >= kStatesForCovariances * static_cast<double>(mean.size());
  const double scale = effective / (effective + kShrinkage) / sum;
  const double floor = kLeastVariance * kShrinkage / (effective + kShrinkage);
  if (dense)
    shape.covariance.setZero(mean.size(), mean.size());
  else
    shape.variances.setZero(mean.size());
  for (const WeightedPoint* p : group) {
    if (p->fold == fold) continue;
    const Eigen::VectorXd off = *p->q - mean;
    if (dense)
      shape.covariance.noalias() += scale * p->weight * off * off.transpose();
    else
      shape.variances += scale * p->weight * off.cwiseAbs2();
  }
  if (dense)
    shape.covariance.diagonal().array() += floor;
  else
    shape.variances.array() += floor;
  return shape;
}

}  // namespace

MoveTunings tune_to(const std::vector<WeightedPoint>& points, const MoveTunings& before) {
  MoveTunings out;
  std::map<std::uint64_t, Group> groups;
  for (const WeightedPoint& p : points)
    if (p.weight > 0) groups[p.signature].push_back(&p);
  for (const auto& [signature, group] : groups) {
    MoveTuning tuning;
    tuning.dimension = group[0]->q->size();
    if (group.size() < 2 || tuning.dimension == 0) continue;
    for (std::size_t fold = 0; fold < kFolds; ++fold) tuning.shapes[fold] = shape_of(group, fold);
    if (const auto known = before.find(signature); known != before.end()) {
      tuning.log_scale = known->second.log_scale;
      tuning.step_size = known->second.step_size;
    }
    out.emplace(signature, std::move(tuning));
  }
  return out;
}

void learn(MoveKind kind, const AcceptanceRates& figures, MoveTunings& tunings) {
  for (const auto& [signature, acceptance] : figures) {
    MoveTuning& tuning = tunings[signature];
    const double mean = acceptance.sum / acceptance.count;
    if (kind == MoveKind::Block)
      tuning.log_scale += kWalkGain * (mean - (tuning.dimension == 1 ? 0.44 : 0.234));
    else
      tuning.step_size *= math::exp(kNutsGain * (mean - kNutsAcceptance));
  }
}

bool ContinuousMover::begin(const std::vector<DrawnValue>& draws, double temperature) {
  walk_.reset();
  nuts_.reset();
  density_.temper(planted(Mistake::WithoutTemperature) ? 1 : temperature);
  recorded_ = density_.begin(draws) == RecordedDensity::Begin::Ready;
  if (recorded_) signature_ = density_.signature();
  return recorded_;
}

void ContinuousMover::make_nuts(const MoveTuning& tuning, std::size_t fold) {
  const ProposalCovariance& shape = tuning.shapes[fold];
  if (!shape.dense() && shape.variances.size() == 0) return;
  Metric metric(density_.dimension(), shape.dense());
  if (shape.dense())
    metric.set_covariance(shape.covariance);
  else
    metric.set_variances(shape.variances);
  nuts_ = std::make_unique<NutsMove>(density_, std::move(metric));
  nuts_->step_size = tuning.step_size;
  if (!nuts_->start(density_.coordinates())) nuts_.reset();
}

void ContinuousMover::prepare(const MoveTunings& tunings, std::size_t fold) {
  const auto known = tunings.find(signature_);
  if (!recorded_ || known == tunings.end()) return;
  const MoveTuning& tuning = known->second;
  const ProposalCovariance& shape = tuning.shapes[fold];
  if (kind_ == MoveKind::Nuts) {
    if (tuning.step_size > 0) make_nuts(tuning, fold);
    return;
  }
  if (!shape.dense() && shape.variances.size() == 0) return;
  const Eigen::Index n = density_.dimension();
  walk_ = std::make_unique<AdaptiveWalk>(density_, Eigen::VectorXd::Ones(n), 0);
  const double scale = math::exp(tuning.log_scale) * 2.38 / std::sqrt(static_cast<double>(n));
  Eigen::MatrixXd factor;
  if (shape.dense()) {
    const Eigen::LLT<Eigen::MatrixXd> cholesky(shape.covariance);
    if (shape.covariance.allFinite() && cholesky.info() == Eigen::Success)
      factor = cholesky.matrixL();
    else
      factor = shape.covariance.diagonal().cwiseSqrt().asDiagonal();
  } else {
    factor = shape.variances.cwiseSqrt().asDiagonal();
  }
  walk_->set_factor(scale * factor);
  if (!walk_->start(density_.coordinates())) walk_.reset();
}

void ContinuousMover::move(Stream& stream, AcceptanceRates* figures) {
  const double acceptance = walk_ ? walk_->move(stream).acceptance : nuts_->move(stream).acceptance;
  MeanAcceptance& mean = (*figures)[signature_];
  mean.sum += acceptance;
  mean.count += 1;
}

double ContinuousMover::find_step_size(const MoveTuning& tuning, std::size_t fold, Stream& stream) {
  make_nuts(tuning, fold);
  if (!nuts_) return 0;
  nuts_->step_size = 1;
  if (!nuts_->find_step_size(stream)) return 0;
  StepSizeTuner tuner(kNutsAcceptance);
  tuner.restart(nuts_->step_size);
  for (int i = 0; i < kPilot; ++i) nuts_->step_size = tuner.learn(nuts_->move(stream).acceptance);
  return tuner.final_step();
}

}  // namespace chancel
