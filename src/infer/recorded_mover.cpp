// SPDX-License-Identifier: Apache-2.0
#include "infer/recorded_mover.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "infer/step_size.hpp"
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

RecordedTunings tune_to(const std::vector<WeightedPoint>& points, const RecordedTunings& before) {
  RecordedTunings out;
  std::map<std::uint64_t, std::vector<const WeightedPoint*>> groups;
  for (const WeightedPoint& p : points)
    if (p.weight > 0) groups[p.signature].push_back(&p);
  for (const auto& [signature, group] : groups) {
    double sum = 0, squares = 0;
    Eigen::VectorXd mean = Eigen::VectorXd::Zero(group[0]->q->size());
    for (const WeightedPoint* p : group) {
      sum += p->weight;
      squares += p->weight * p->weight;
      mean += p->weight * *p->q;
    }
    mean /= sum;
    const double effective = sum * sum / squares;
    if (group.size() < 2 || mean.size() == 0) continue;
    const bool dense = mean.size() <= kMostDense &&
                       effective >= kStatesForCovariances * static_cast<double>(mean.size());
    const double scale = effective / (effective + kShrinkage) / sum;
    const double floor = kLeastVariance * kShrinkage / (effective + kShrinkage);
    RecordedTuning tuning;
    if (dense)
      tuning.covariance.setZero(mean.size(), mean.size());
    else
      tuning.variances.setZero(mean.size());
    for (const WeightedPoint* p : group) {
      const Eigen::VectorXd off = *p->q - mean;
      if (dense)
        tuning.covariance.noalias() += scale * p->weight * off * off.transpose();
      else
        tuning.variances += scale * p->weight * off.cwiseAbs2();
    }
    if (dense)
      tuning.covariance.diagonal().array() += floor;
    else
      tuning.variances.array() += floor;
    if (const auto known = before.find(signature); known != before.end()) {
      tuning.log_scale = known->second.log_scale;
      tuning.step_size = known->second.step_size;
    }
    out.emplace(signature, std::move(tuning));
  }
  return out;
}

void learn(MoveKind kind, const RecordedFigures& figures, RecordedTunings& tunings) {
  for (const auto& [signature, acceptance] : figures) {
    RecordedTuning& tuning = tunings[signature];
    const double mean = acceptance.sum / acceptance.count;
    const Eigen::Index dimension =
        tuning.dense() ? tuning.covariance.rows() : tuning.variances.size();
    if (kind == MoveKind::Block)
      tuning.log_scale += kWalkGain * (mean - (dimension == 1 ? 0.44 : 0.234));
    else
      tuning.step_size *= math::exp(kNutsGain * (mean - kNutsAcceptance));
  }
}

bool RecordedMover::begin(const std::vector<DrawnValue>& draws, double temperature) {
  walk_.reset();
  nuts_.reset();
  density_.temper(planted(sabotage_, Sabotage::WithoutTemperature) ? 1 : temperature);
  recorded_ = density_.begin(draws) == RecordedDensity::Begin::Ready;
  if (recorded_) signature_ = density_.signature();
  return recorded_;
}

void RecordedMover::make_nuts(const RecordedTuning& tuning) {
  Metric metric(density_.dimension(), tuning.dense());
  if (tuning.dense())
    metric.set_covariance(tuning.covariance);
  else
    metric.set_variances(tuning.variances);
  nuts_ = std::make_unique<NutsMove>(density_, std::move(metric));
  nuts_->step_size = tuning.step_size;
  if (!nuts_->start(density_.coordinates())) nuts_.reset();
}

void RecordedMover::prepare(const RecordedTunings& tunings) {
  const auto known = tunings.find(signature_);
  if (!recorded_ || known == tunings.end()) return;
  const RecordedTuning& tuning = known->second;
  if (kind_ == MoveKind::Nuts) {
    if (tuning.step_size > 0) make_nuts(tuning);
    return;
  }
  const Eigen::Index n = density_.dimension();
  walk_ = std::make_unique<AdaptiveWalk>(density_, Eigen::VectorXd::Ones(n), 0);
  const double scale = math::exp(tuning.log_scale) * 2.38 / std::sqrt(static_cast<double>(n));
  Eigen::MatrixXd factor;
  if (tuning.dense()) {
    const Eigen::LLT<Eigen::MatrixXd> cholesky(tuning.covariance);
    if (tuning.covariance.allFinite() && cholesky.info() == Eigen::Success)
      factor = cholesky.matrixL();
    else
      factor = tuning.covariance.diagonal().cwiseSqrt().asDiagonal();
  } else {
    factor = tuning.variances.cwiseSqrt().asDiagonal();
  }
  walk_->set_factor(scale * factor);
  if (!walk_->start(density_.coordinates())) walk_.reset();
}

void RecordedMover::move(Stream& stream, RecordedFigures* figures) {
  const double acceptance = walk_ ? walk_->move(stream).acceptance : nuts_->move(stream).acceptance;
  MeanAcceptance& mean = (*figures)[signature_];
  mean.sum += acceptance;
  mean.count += 1;
}

double RecordedMover::find_step_size(const RecordedTuning& tuning, Stream& stream) {
  make_nuts(tuning);
  if (!nuts_) return 0;
  nuts_->step_size = 1;
  if (!nuts_->find_step_size(stream)) return 0;
  StepSizeTuner tuner(kNutsAcceptance);
  tuner.restart(nuts_->step_size);
  for (int i = 0; i < kPilot; ++i) nuts_->step_size = tuner.learn(nuts_->move(stream).acceptance);
  return tuner.settled();
}

}  // namespace chancel
