// SPDX-License-Identifier: Apache-2.0
// See noise_moves.hpp.
#include "tempering/noise_moves.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <iterator>

#include "base/planted.hpp"
#include "math/elementary.hpp"
#include "single_site/noise.hpp"
#include "value/equality.hpp"

namespace chancel {

namespace {

constexpr Eigen::Index kMostDense = 200;  // coordinates
constexpr double kNoiseAcceptance = 0.3, kGain = 3;

std::uint64_t mixed(std::uint64_t sum, std::uint64_t next) {
  sum = (sum ^ next) * 0xff51afd7ed558ccd;
  return sum ^ (sum >> 32);
}

}  // namespace

bool find_noise(Trace& trace, Stream& stream, NoisePlace* out) {
  std::vector<double> noise;
  if (!trace.noise(stream, &noise, &out->known)) return false;
  if (!out->known) return true;
  out->at = Eigen::VectorXd::Map(noise.data(), static_cast<Eigen::Index>(noise.size()));
  out->signature = 0;
  for (std::size_t i = 0; i < trace.size(); ++i) {
    const Choice& c = trace.choice(i);
    out->signature = mixed(out->signature, 2 * std::uint64_t{c.site} + has_noise(c.dist));
    if (!c.id.is_nil()) out->signature = mixed(out->signature, hash(c.id));
  }
  return true;
}

NoiseNormal::NoiseNormal(Eigen::Index dimension)
    : mean_(Eigen::VectorXd::Zero(dimension)), scales_(Eigen::VectorXd::Ones(dimension)) {}

NoiseNormal::NoiseNormal(const std::vector<WeightedPoint>& points)
    : NoiseNormal(points[0].q->size()) {
  double sum = 0, squares = 0;
  for (const WeightedPoint& p : points) {
    sum += p.weight;
    squares += p.weight * p.weight;
    mean_ += p.weight * *p.q;
  }
  const double effective = sum * sum / squares, dimension = static_cast<double>(mean_.size());
  mean_ /= sum;
  // The prior, mean zero and covariance one, counts as much as `dimension` points.
  const double share = effective / (effective + dimension);
  if (mean_.size() > kMostDense) {
    scales_.setConstant(1 - share);
    for (const WeightedPoint& p : points)
      scales_ += share * p.weight / sum * (*p.q - mean_).cwiseAbs2();
    scales_ = scales_.cwiseSqrt();
  } else {
    Eigen::MatrixXd covariance =
        (1 - share) * Eigen::MatrixXd::Identity(mean_.size(), mean_.size());
    for (const WeightedPoint& p : points) {
      const Eigen::VectorXd off = *p.q - mean_;
      covariance.noalias() += share * p.weight / sum * off * off.transpose();
    }
    factor_ = covariance.llt().matrixL();
  }
  mean_ *= effective / (effective + 1);
}

Eigen::VectorXd NoiseNormal::propose(const Eigen::VectorXd& at, double scale,
                                     Stream& stream) const {
  Eigen::VectorXd normals(at.size());
  for (double& x : normals) x = stream.normal();
  Eigen::VectorXd step = scales_.cwiseProduct(normals);
  if (factor_.size() > 0) step = factor_.triangularView<Eigen::Lower>() * normals;
  return mean_ + std::sqrt(1 - scale * scale) * (at - mean_) + scale * step;
}

double NoiseNormal::log_density(const Eigen::VectorXd& at) const {
  Eigen::VectorXd off = at - mean_;
  if (factor_.size() > 0)
    factor_.triangularView<Eigen::Lower>().solveInPlace(off);
  else
    off = off.cwiseQuotient(scales_);
  return -0.5 * off.squaredNorm();
}

NoiseTunings tune_to(const std::vector<WeightedPoint>& points, const NoiseTunings& before) {
  std::map<std::uint64_t, std::vector<WeightedPoint>> groups;
  for (const WeightedPoint& p : points)
    if (p.weight > 0) groups[p.signature].push_back(p);
  NoiseTunings out;
  for (const auto& [signature, group] : groups) {
    const Eigen::Index dimension = group[0].q->size();
    if (dimension == 0) continue;
    NoiseTuning& tuning = out[signature];
    for (std::size_t fold = 0; fold < kFolds; ++fold) {
      std::vector<WeightedPoint> others;
      std::copy_if(group.begin(), group.end(), std::back_inserter(others),
                   [&](const WeightedPoint& p) { return p.fold != fold; });
      tuning.normals.push_back(others.empty() ? NoiseNormal(dimension) : NoiseNormal(others));
    }
    if (const auto known = before.find(signature); known != before.end())
      tuning.log_scale = known->second.log_scale;
  }
  return out;
}

void learn(const AcceptanceRates& figures, NoiseTunings& tunings) {
  for (const auto& [signature, acceptance] : figures) {
    double& log_scale = tunings[signature].log_scale;
    log_scale =
        std::fmin(0, log_scale + kGain * (acceptance.sum / acceptance.count - kNoiseAcceptance));
  }
}

bool move_noise(Trace& trace, double temperature, const NoiseTunings& tunings, std::size_t fold,
                Stream& stream, AcceptanceRates* figures) {
  NoisePlace from;
  if (!find_noise(trace, stream, &from)) return false;
  if (!from.known || from.at.size() == 0) return true;
  // Another structure than those of the population, or the first temperature: the prior.
  NoiseTuning unknown;
  const auto found = tunings.find(from.signature);
  const NoiseTuning& tuning = found == tunings.end() ? unknown : found->second;
  const bool learnt = !tuning.normals.empty() && tuning.normals[fold].dimension() == from.at.size();
  const NoiseNormal prior(learnt ? 0 : from.at.size());
  const NoiseNormal& normal = learnt ? tuning.normals[fold] : prior;
  const Eigen::VectorXd to = normal.propose(from.at, math::exp(tuning.log_scale), stream);
  Trace::Proposal proposal;
  if (!trace.propose_noise(to.data(), &proposal)) return false;
  double acceptance = 0;
  if (proposal.possible) {
    if (planted(Mistake::WithoutTemperature)) temperature = 1;
    double log_ratio = temperature * proposal.log_likelihood_ratio + proposal.log_kept_ratio +
                       0.5 * (from.at.squaredNorm() - to.squaredNorm());
    if (!planted(Mistake::NoiseAsIfSymmetric))
      log_ratio += normal.log_density(from.at) - normal.log_density(to);
    acceptance = math::exp(std::fmin(0, log_ratio));
  }
  MeanAcceptance& mean = (*figures)[from.signature];
  mean.sum += acceptance;
  mean.count += 1;
  if (acceptance > 0 && stream.uniform() < acceptance)
    trace.accept();
  else
    trace.reject();
  return true;
}

}  // namespace chancel
