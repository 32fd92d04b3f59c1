// SPDX-License-Identifier: Apache-2.0
// A log density on R^n with its gradient: all that the engines for continuous draws (nuts, map,
// laplace, block) know of a program.
#pragma once
#include <Eigen/Core>
#include <cstddef>

namespace chancel {

class LogDensity {
 public:
  virtual ~LogDensity() = default;
  virtual Eigen::Index dimension() const = 0;
  // The log density at q, up to a constant; -inf where it is zero or cannot be computed, and then
  // the gradient is meaningless. `gradient` has the size of q.
  virtual double at(const Eigen::VectorXd& q, Eigen::VectorXd& gradient) = 0;
  // The log density alone, which may be cheaper.
  virtual double value_at(const Eigen::VectorXd& q) {
    unused_gradient_.resize(q.size());
    return at(q, unused_gradient_);
  }
  // Before an array of that many numbers is made, and now and then in work that takes long: throws when the limits of the
  // run leave no room or time for it (vm/stop.hpp). Densities without a run have no limits.
  virtual void room_for(std::size_t /*numbers*/) const {}
  virtual void look() const {}

 private:
  Eigen::VectorXd unused_gradient_;
};

}  // namespace chancel
