// SPDX-License-Identifier: Apache-2.0
// Autocovariances of a series, lag by lag as they are asked for. Nearly independent draws need a
// handful of lags, which are summed directly; a series that is asked for more gets them a thousand
// and more at a time by Fourier transforms of its pieces, so that sticky chains cost no quadratic
// time. Both ways divide by n (the biased estimate that Geyer's rule expects).
#pragma once
#include <cstddef>
#include <span>
#include <vector>

namespace chancel::report {

class Autocovariance {
 public:
  explicit Autocovariance(std::span<const double> series);
  double at(std::size_t lag);  // lag < size()
  double mean() const { return mean_; }
  std::size_t size() const { return centred_.size(); }

 private:
  void transform(std::size_t count);
  double mean_ = 0;
  std::vector<double> centred_;
  std::vector<double> lags_;  // those known so far, from lag 0
};

}  // namespace chancel::report
