// SPDX-License-Identifier: Apache-2.0
// Continuous parameters on the real line: the logarithm of the distance from a bound, the logit within
// an interval. Bounds are those of the distribution at the start; a distribution with others fails,
// since a walk would then not reach all of its support. The end points to which some distributions
// clip their draws (Fit) have mass, which a walk does not reach either: their parameters need
// proposals from the distribution now and then.
#pragma once
#include <Eigen/Core>
#include <vector>

#include "infer/parameters.hpp"

namespace chancel {

class ParameterLine {
 public:
  // Finds the parameters that are numbers from a continuous distribution.
  void begin(const GivenParameters& given);
  Eigen::Index dimension() const { return static_cast<Eigen::Index>(places_.size()); }
  // The other parameters, by their place among all.
  const std::vector<std::size_t>& others() const { return others_; }
  // Those from a distribution that clips its draws, likewise.
  const std::vector<std::size_t>& clipped() const { return clipped_; }

  Eigen::VectorXd coordinates(const GivenParameters& given) const;
  // Sets the parameters; the log of the Jacobian. -inf: a number is out of range.
  double set(const Eigen::VectorXd& q, GivenParameters* given) const;
  double log_jacobian(const GivenParameters& given) const;
  // A parameter whose distribution has other bounds now, by its place among all; none: size of
  // `given`.
  std::size_t moved_bounds(const GivenParameters& given) const;

 private:
  struct Place {
    std::size_t parameter;
    double lower, upper;
  };
  std::vector<Place> places_;
  std::vector<std::size_t> others_, clipped_;
};

}  // namespace chancel
