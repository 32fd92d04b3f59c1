// SPDX-License-Identifier: Apache-2.0
#include "report/autocovariance.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <unsupported/Eigen/FFT>

namespace chancel::report {
namespace {

// A direct lag costs n multiplications, the first thousand lags by transforms about 12 n: past this
// many lags that pays.
constexpr std::size_t kDirectLags = 12;
constexpr std::size_t kFirstLags = 1024;
constexpr std::size_t kMoreLags = 8;  // times as many, when those are used up
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

// The lags below `count`, a power of two. The series is taken in pieces: each is multiplied with
// itself and the `count` values after it, in a transform of four times that length, which stays in
// the cache. A series of not many more values than that is one piece.
void Autocovariance::transform(std::size_t count) {
  const std::size_t n = centred_.size();
  std::size_t length = 4 * count;
  if (length >= n) {
    count = n;
    length = 2;
    while (length < 2 * n) length *= 2;
  }
  const std::size_t piece = length - count;
  thread_local Eigen::FFT<double> kept = half_spectrum();
  Eigen::FFT<double> own = half_spectrum();
  Eigen::FFT<double>& fourier = length <= kKeptLength ? kept : own;
  std::vector<double> part(length), more(length);
  std::vector<std::complex<double>> part_spectrum, more_spectrum, sum;
  for (std::size_t from = 0; from < n; from += piece) {
    const auto fill = [&](std::vector<double>& to, std::size_t values) {
      const auto begin = centred_.begin() + static_cast<std::ptrdiff_t>(from);
      const std::size_t there = std::min(values, n - from);
      std::copy_n(begin, there, to.begin());
      std::fill(to.begin() + static_cast<std::ptrdiff_t>(there), to.end(), 0.0);
    };
    fill(part, piece);
    fill(more, length);
    fourier.fwd(part_spectrum, part);
    fourier.fwd(more_spectrum, more);
    sum.resize(part_spectrum.size());
    for (std::size_t i = 0; i < sum.size(); ++i)
      sum[i] += std::conj(part_spectrum[i]) * more_spectrum[i];
  }
  fourier.inv(part, sum, static_cast<Eigen::Index>(length));
  for (std::size_t lag = lags_.size(); lag < count; ++lag)
    lags_.push_back(part[lag] / static_cast<double>(n));
}

double Autocovariance::at(std::size_t lag) {
  const std::size_t n = centred_.size();
  if (lag >= kDirectLags && lag >= lags_.size()) {
    std::size_t count = kFirstLags;
    while (count <= lag) count *= kMoreLags;
    transform(count);
  }
  while (lags_.size() <= lag) {
    const std::size_t k = lags_.size();
    // Four sums, as the additions of one would wait for each other.
    double sum[4] = {};
    std::size_t i = k;
    for (; i + 4 <= n; i += 4)
      for (std::size_t j = 0; j < 4; ++j) sum[j] += centred_[i + j] * centred_[i + j - k];
    for (; i < n; ++i) sum[0] += centred_[i] * centred_[i - k];
    lags_.push_back(((sum[0] + sum[1]) + (sum[2] + sum[3])) / static_cast<double>(n));
  }
  return lags_[lag];
}

}  // namespace chancel::report
