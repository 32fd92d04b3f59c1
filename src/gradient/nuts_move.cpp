// SPDX-License-Identifier: Apache-2.0
#include "gradient/nuts_move.hpp"

#include <cmath>
#include <limits>
#include <utility>

#include "base/planted.hpp"
#include "math/elementary.hpp"

namespace chancel {

namespace {
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kDivergence = 1000;  // an error of the energy that no usable step makes

// The share of the second of two log weights, and the logarithm of their sum, with one exponential.
struct Shares {
  double second, log_sum;
};
Shares shares(double first, double second) {
  const double difference = second - first;
  const double ratio = math::exp(-std::fabs(difference));  // of the smaller to the larger
  return {(difference > 0 ? 1 : ratio) / (1 + ratio),
          std::fmax(first, second) + math::log1p(ratio)};
}
}  // namespace

NutsMove::NutsMove(LogDensity& density, Metric m) : metric(std::move(m)), density_(density) {
  const Eigen::Index n = density.dimension();
  for (Eigen::VectorXd* v : {&at_.q, &at_.gradient, &moving_.p, &velocity_, &before_})
    v->setZero(n);
}

bool NutsMove::start(const Eigen::VectorXd& q) {
  at_.q = q;
  at_.log_density = density_.at(at_.q, at_.gradient);
  return std::isfinite(at_.log_density) && at_.gradient.allFinite();
}

void NutsMove::update_energy(State& z) {
  metric.velocity(z.p, velocity_);
  z.energy = 0.5 * z.p.dot(velocity_) - z.log_density;
  if (std::isnan(z.energy)) z.energy = kInfinity;
}

void NutsMove::leap(State& z, double step) {
  z.p += 0.5 * step * z.gradient;
  metric.velocity(z.p, velocity_);
  z.q += step * velocity_;
  z.log_density = density_.at(z.q, z.gradient);
  if (std::isfinite(z.log_density))
    z.p += 0.5 * step * z.gradient;
  else  // outside the support, or at a pole: the trajectory ends, and the gradient is not used
    z.log_density = -kInfinity;
  update_energy(z);
}

bool NutsMove::find_step_size(Stream& stream) {
  static const double wanted = math::log(0.8);
  int direction = 0;
  while (step_size <= 1e7 && step_size >= 1e-300) {
    static_cast<Point&>(moving_) = at_;
    metric.draw_momentum(stream, moving_.p);
    update_energy(moving_);
    const double before = moving_.energy;
    leap(moving_, step_size);
    const int now = before - moving_.energy > wanted ? 1 : -1;
    if (direction == 0) direction = now;
    if (now != direction) return true;
    step_size *= direction > 0 ? 2 : 0.5;
  }
  return false;
}

bool NutsMove::straight(const Stretch& a, unsigned seam, const Stretch& b) const {
  const auto along = [](const auto& sum, const Eigen::VectorXd& v, const Eigen::VectorXd& w) {
    return sum.dot(v) > 0 && sum.dot(w) > 0;
  };
  const Eigen::VectorXd &first = a.velocity[1 - seam], &last = b.velocity[1];
  const bool go_on = along(a.sum + b.sum, first, last) &&
                     along(a.sum + b.p[0], first, b.velocity[0]) &&
                     along(b.sum + a.p[seam], a.velocity[seam], last);
  return planted(Mistake::TurnReversed) ? !go_on : go_on;
}

bool NutsMove::build_leaf(Stretch& out) {
  before_ = moving_.q;
  leap(moving_, signed_step_);
  ++figures_.steps;
  const double log_weight = start_energy_ - moving_.energy;
  acceptance_sum_ += log_weight > 0 ? 1 : math::exp(log_weight);
  if (-log_weight > kDivergence) {
    figures_.divergent = true;
    return false;
  }
  out.log_weight = planted(Mistake::UniformTrajectory) ? 0 : log_weight;
  out.choice = moving_;
  out.p[0] = out.p[1] = out.sum = moving_.p;
  out.velocity[0] = out.velocity[1] = velocity_;
  return true;
}

bool NutsMove::build(unsigned depth, Stretch& out, Stream& stream) {
  if (depth == 0) return build_leaf(out);
  Stretch& second = second_[depth - 1];
  if (!build(depth - 1, out, stream) || !build(depth - 1, second, stream)) return false;
  if (!straight(out, 1, second)) return false;
  const Shares share = shares(out.log_weight, second.log_weight);
  if (stream.uniform() < share.second) std::swap(out.choice, second.choice);
  out.log_weight = share.log_sum;
  out.sum += second.sum;
  out.p[1].swap(second.p[1]);
  out.velocity[1].swap(second.velocity[1]);
  return true;
}

NutsFigures NutsMove::move(Stream& stream) {
  if (second_.size() < max_depth) second_.resize(max_depth);
  static_cast<Point&>(moving_) = at_;
  metric.draw_momentum(stream, moving_.p);
  update_energy(moving_);
  at_.energy = start_energy_ = moving_.energy;
  ends_[0] = ends_[1] = moving_;
  whole_.p[0] = whole_.p[1] = whole_.sum = moving_.p;
  whole_.velocity[0] = whole_.velocity[1] = velocity_;
  whole_.log_weight = 0;
  figures_ = {};
  acceptance_sum_ = 0;
  while (figures_.depth < max_depth) {
    const unsigned side = stream.uniform() < 0.5 ? 0 : 1;
    signed_step_ = side == 1 ? step_size : -step_size;
    std::swap(moving_, ends_[side]);
    const bool complete = build(figures_.depth, fresh_, stream);
    std::swap(moving_, ends_[side]);
    const bool taken_anyway = planted(Mistake::ChoiceOfUnfinished) && !figures_.divergent;
    if (!complete && !taken_anyway) break;
    ++figures_.depth;
    const double log_ratio = fresh_.log_weight - whole_.log_weight;
    if (log_ratio > 0 || stream.uniform() < math::exp(log_ratio)) std::swap(at_, fresh_.choice);
    const bool go_on = complete && straight(whole_, side, fresh_);
    whole_.log_weight = shares(whole_.log_weight, fresh_.log_weight).log_sum;
    whole_.sum += fresh_.sum;
    whole_.p[side].swap(fresh_.p[1]);
    whole_.velocity[side].swap(fresh_.velocity[1]);
    if (!go_on) break;
  }
  figures_.acceptance = acceptance_sum_ / std::fmax(1, figures_.steps);
  figures_.energy = at_.energy;
  return figures_;
}

}  // namespace chancel
