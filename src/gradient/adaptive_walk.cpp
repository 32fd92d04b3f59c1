// SPDX-License-Identifier: Apache-2.0
#include "gradient/adaptive_walk.hpp"

#include <algorithm>
#include <cmath>

#include "base/planted.hpp"
#include "math/elementary.hpp"

namespace chancel {

namespace {

// The lower triangle L becomes that of L L^T + share * v v^T, which has to be positive definite; v is
// used up. In place, with as many operations as L has entries (Gill, Golub, Murray & Saunders 1974).
void update_factor(Eigen::MatrixXd& factor, Eigen::VectorXd& v, double share) {
  double beta = 1;
  for (Eigen::Index j = 0; j < v.size(); ++j) {
    const double old = factor(j, j), added = share * v[j] * v[j];
    const double fresh = std::sqrt(old * old + added / beta);
    const double gamma = old * old * beta + added;
    beta += added / (old * old);
    factor(j, j) = fresh;
    const Eigen::Index rest = v.size() - j - 1;
    v.tail(rest) -= v[j] / old * factor.col(j).tail(rest);
    factor.col(j).tail(rest) =
        fresh / old * factor.col(j).tail(rest) + fresh * share * v[j] / gamma * v.tail(rest);
  }
}

}  // namespace

WalkProposal::WalkProposal(const Eigen::VectorXd& scales) {
  const Eigen::Index n = scales.size();
  // 2.38 / sqrt(n): the best walk on a normal density (Gelman, Roberts & Gilks 1996).
  factor_ =
      (scales * (2.38 / std::sqrt(static_cast<double>(std::max<Eigen::Index>(n, 1))))).asDiagonal();
  for (Eigen::VectorXd* v : {&normals_, &step_}) v->setZero(n);
}

Eigen::VectorXd WalkProposal::propose(const Eigen::VectorXd& q, Stream& stream) {
  for (double& x : normals_) x = stream.normal();
  step_.noalias() = factor_.triangularView<Eigen::Lower>() * normals_;
  return q + step_;
}

namespace {
const Eigen::VectorXd& with_room(const LogDensity& density, const Eigen::VectorXd& scales) {
  const auto n = static_cast<std::size_t>(scales.size());
  density.room_for(2 * n * n);  // the factor, and another while it is made
  return scales;
}
}  // namespace

AdaptiveWalk::AdaptiveWalk(LogDensity& density, const Eigen::VectorXd& scales, std::uint64_t warmup)
    : density_(density), proposal_(with_room(density, scales)), warmup_(warmup) {
  for (Eigen::VectorXd* v : {&at_, &proposed_}) v->setZero(density.dimension());
}

bool AdaptiveWalk::start(const Eigen::VectorXd& q) {
  at_ = q;
  log_density_ = density_.value_at(at_);
  return std::isfinite(log_density_);
}

bool AdaptiveWalk::warming_up() const { return done_ < warmup_ || planted(Mistake::WarmupGoesOn); }

WalkFigures AdaptiveWalk::move(Stream& stream) {
  proposed_ = proposal_.propose(at_, stream);
  const double log_density = density_.value_at(proposed_);
  WalkFigures figures;
  if (std::isfinite(log_density))
    figures.acceptance = std::fmin(1, math::exp(log_density - log_density_));
  figures.accepted = stream.uniform() < figures.acceptance ||
                     (planted(Mistake::AcceptAlways) && figures.acceptance > 0);
  if (figures.accepted) {
    at_.swap(proposed_);
    log_density_ = log_density;
  }
  if (warming_up()) {
    ++done_;
    proposal_.learn(figures.acceptance);
  }
  return figures;
}

void WalkProposal::learn(double acceptance) {
  ++done_;
  const double n = static_cast<double>(step_.size()), length = normals_.squaredNorm();
  const double wanted = n == 1 ? 0.44 : 0.234;
  const double rate = std::fmin(1, n * math::pow(static_cast<double>(done_), -2.0 / 3));
  // On a flat density, or where nothing is accepted, the scale would leave the range of numbers.
  const auto diagonal = factor_.diagonal().array();
  const bool may_grow = diagonal.maxCoeff()<1e100, may_shrink = diagonal.minCoeff()> 1e-100;
  if (length > 0 && (acceptance > wanted ? may_grow : may_shrink))
    update_factor(factor_, step_, rate * (acceptance - wanted) / length);
}

}  // namespace chancel
