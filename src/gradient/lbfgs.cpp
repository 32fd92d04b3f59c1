// SPDX-License-Identifier: Apache-2.0
#include "gradient/lbfgs.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace chancel {

namespace {

constexpr double kRise = 1e-4, kSlope = 0.9;  // the constants of the Wolfe conditions
constexpr double kPromise = 1e-12;
// Long for L-BFGS: with as many pairs as dimensions the curvature is known, and a normal density of ten
// dimensions with condition 1e6 takes 81 steps, and 1465 with 8 pairs.
constexpr unsigned kHistory = 30;

// Differences of positions and of (negative) gradients, which approximate the curvature.
class Curvature {
 public:
  void forget() { pairs_.clear(); }
  bool known() const { return !pairs_.empty(); }
  void add(const Eigen::VectorXd& step, const Eigen::VectorXd& gradient_fall) {
    const double product = step.dot(gradient_fall);
    // A pair that says nothing about the curvature but rounding would spoil the rest.
    if (!(product > 1e-14 * step.norm() * gradient_fall.norm())) return;
    if (pairs_.size() == kHistory) std::rotate(pairs_.begin(), pairs_.begin() + 1, pairs_.end());
    if (pairs_.size() < kHistory) pairs_.emplace_back();
    pairs_.back() = {step, gradient_fall, 1 / product, 0};
  }
  // The gradient becomes the direction to go.
  void apply(Eigen::VectorXd& d) {
    for (std::size_t i = pairs_.size(); i-- > 0;) {
      Pair& pair = pairs_[i];
      pair.share = pair.inverse_product * pair.step.dot(d);
      d -= pair.share * pair.gradient_fall;
    }
    const Pair& last = pairs_.back();
    d *= 1 / (last.inverse_product * last.gradient_fall.squaredNorm());
    for (Pair& pair : pairs_)
      d += (pair.share - pair.inverse_product * pair.gradient_fall.dot(d)) * pair.step;
  }

 private:
  struct Pair {
    Eigen::VectorXd step, gradient_fall;
    double inverse_product, share;
  };
  std::vector<Pair> pairs_;  // oldest first
};

class Climb {
 public:
  Climb(LogDensity& density, Mode& mode) : density_(density), mode_(mode) {}

  ModeEnd run(unsigned max_steps) {
    Curvature curvature;
    Eigen::VectorXd direction;
    for (;;) {
      direction = mode_.gradient;
      if (curvature.known()) curvature.apply(direction);
      const double slope = direction.dot(mode_.gradient);
      // Half the slope is the rise that a quadratic function would have.
      if (mode_.gradient.isZero(0) || (curvature.known() && std::fabs(slope) < 2 * kPromise))
        return ModeEnd::Converged;
      if (mode_.steps == max_steps) return ModeEnd::Rising;
      const double first_try = curvature.known() ? 1 : 0.01 / direction.norm();
      const Found found = slope > 0 ? search(direction, slope, first_try) : Found::Nothing;
      if (found == Found::NoEnd) return ModeEnd::Rising;
      if (found == Found::Point)
        take(curvature);
      else if (curvature.known())
        curvature.forget();  // it may be that of another place
      else
        return ModeEnd::Stuck;
    }
  }

 private:
  enum class Found : std::uint8_t { Point, Nothing, NoEnd };
  // Looks along d, where the density begins to rise with this slope.
  Found search(const Eigen::VectorXd& d, double slope, double first_try) {
    double low = 0, high = 0, t = first_try;  // high = 0: not known
    for (int tries = 0; tries < 60; ++tries) {
      const bool usable = evaluate(d, t);
      const double slope_here = usable ? gradient_.dot(d) : 0;
      if (!usable || !rises(t, slope, slope_here))
        high = t;
      else if (slope_here > kSlope * slope)
        low = t;
      else
        return Found::Point;
      t = high > 0 ? 0.5 * (low + high) : 2 * t;
    }
    if (high == 0) return Found::NoEnd;
    // At an edge of the support there may be a higher point, though no flatter one.
    const bool higher = low > 0 && evaluate(d, low) && log_density_ > mode_.log_density;
    return higher ? Found::Point : Found::Nothing;
  }
  // Goes where the last line search arrived.
  void take(Curvature& curvature) {
    curvature.add(q_ - mode_.q, mode_.gradient - gradient_);
    std::swap(mode_.q, q_);
    std::swap(mode_.gradient, gradient_);
    mode_.log_density = log_density_;
    ++mode_.steps;
  }
  bool evaluate(const Eigen::VectorXd& d, double t) {
    q_ = mode_.q + t * d;
    gradient_.resizeLike(q_);
    log_density_ = density_.at(q_, gradient_);
    ++mode_.evaluations;
    return std::isfinite(log_density_) && gradient_.allFinite();
  }
  // Whether the rise is sufficient for the length of the step; where rounding hides the rise, the
  // slope decides (Hager & Zhang 2005).
  bool rises(double t, double slope, double slope_here) const {
    const double rise = log_density_ - mode_.log_density;
    if (rise >= kRise * t * slope) return true;
    return rise >= -1e-14 * std::fabs(mode_.log_density) && slope_here >= (2 * kRise - 1) * slope;
  }
  LogDensity& density_;
  Mode& mode_;
  Eigen::VectorXd q_, gradient_;
  double log_density_ = 0;
};

}  // namespace

Mode find_mode(LogDensity& density, const Eigen::VectorXd& start, unsigned max_steps) {
  Mode mode;
  mode.q = start;
  mode.gradient = Eigen::VectorXd::Zero(start.size());
  mode.log_density = density.at(mode.q, mode.gradient);
  mode.evaluations = 1;
  if (std::isfinite(mode.log_density) && mode.gradient.allFinite())
    mode.end = Climb(density, mode).run(max_steps);
  return mode;
}

}  // namespace chancel
