// SPDX-License-Identifier: Apache-2.0
#include "report/autocovariance.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <unsupported/Eigen/FFT>

namespace chancel::report {
namespace {

// A direct lag costs n multiplications, the transform about 12 n at usual lengths: past this many
// lags it pays.
constexpr std::size_t kDirectLags = 12;
// Of a long series it would take hundreds of megabytes: there, time is given for memory.
constexpr std::size_t kLongSeries = 1'000'000;
constexpr std::size_t kDirectLagsOfLong = 400;
// Up to this length the roots of unity are kept for the next series (16 MiB a thread).
constexpr std::size_t kKeptLength = std::size_t{1} << 21;

Eigen::FFT<double> half_spectrum() {
  Eigen::FFT<double> fourier;
  fourier.SetFlag(Eigen::FFT<double>::HalfSpectrum);
  return fourier;
}

}  // namespace

Autocovariance::Autocovariance(std::span<const double> series)
    : centred_(series.begin(), series.end()) {
  for (double x : series) mean_ += x;
  mean_ /= static_cast<double>(series.size());
  for (double& x : centred_) x -= mean_;
}

void Autocovariance::transform() {
  const std::size_t n = centred_.size();
  std::size_t padded = 2;
  while (padded < 2 * n) padded *= 2;
  std::vector<double> series(padded);
  std::copy(centred_.begin(), centred_.end(), series.begin());
  thread_local Eigen::FFT<double> kept = half_spectrum();
  Eigen::FFT<double> own = half_spectrum();
  Eigen::FFT<double>& fourier = padded <= kKeptLength ? kept : own;
  std::vector<std::complex<double>> spectrum;
  fourier.fwd(spectrum, series);
  for (auto& z : spectrum) z = std::norm(z);
  fourier.inv(series, spectrum, static_cast<Eigen::Index>(padded));
  for (std::size_t lag = lags_.size(); lag < n; ++lag) {
    lags_.push_back(series[lag] / static_cast<double>(n));
  }
}

double Autocovariance::at(std::size_t lag) {
  const std::size_t n = centred_.size();
  const std::size_t direct = n > kLongSeries ? kDirectLagsOfLong : kDirectLags;
  if (lag >= lags_.size() && lag >= direct) transform();
  while (lags_.size() <= lag) {
    const std::size_t k = lags_.size();
    double sum = 0;
    for (std::size_t i = k; i < n; ++i) sum += centred_[i] * centred_[i - k];
    lags_.push_back(sum / static_cast<double>(n));
  }
  return lags_[lag];
}

}  // namespace chancel::report
