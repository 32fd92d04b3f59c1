// SPDX-License-Identifier: Apache-2.0
#include "report/autocovariance.hpp"

#include <cmath>
#include <complex>
#include <numbers>
#include <utility>

namespace chancel::report {
namespace {

// A direct lag costs n multiplications, the transform about 40 n at usual lengths: past this many
// lags it pays.
constexpr std::size_t kDirectLags = 40;

// In-place radix-2 transform; the size is a power of two. Used twice per series: forward, and again
// for the inverse (the power spectrum is real and even, so a second forward transform differs only
// by the factor n).
void fourier(std::vector<std::complex<double>>& a) {
  const std::size_t n = a.size();
  for (std::size_t i = 1, j = 0; i < n; ++i) {
    std::size_t bit = n >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) std::swap(a[i], a[j]);
  }
  std::vector<std::complex<double>> root(n / 2);
  for (std::size_t k = 0; k < n / 2; ++k) {
    const double angle = -2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(n);
    root[k] = {std::cos(angle), std::sin(angle)};
  }
  for (std::size_t length = 2; length <= n; length *= 2) {
    const std::size_t half = length / 2;
    const std::size_t stride = n / length;
    for (std::size_t start = 0; start < n; start += length) {
      for (std::size_t k = 0; k < half; ++k) {
        const auto& w = root[k * stride];
        const auto& y = a[start + half + k];
        // Written out: std::complex's operator* also checks for infinities.
        const std::complex<double> odd(w.real() * y.real() - w.imag() * y.imag(),
                                       w.real() * y.imag() + w.imag() * y.real());
        const std::complex<double> even = a[start + k];
        a[start + k] = even + odd;
        a[start + half + k] = even - odd;
      }
    }
  }
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
  std::size_t padded = 1;
  while (padded < 2 * n) padded *= 2;
  std::vector<std::complex<double>> work(padded);
  for (std::size_t i = 0; i < n; ++i) work[i] = centred_[i];
  fourier(work);
  for (auto& z : work) z = std::norm(z);
  fourier(work);
  const double scale = 1.0 / (static_cast<double>(padded) * static_cast<double>(n));
  for (std::size_t lag = lags_.size(); lag < n; ++lag) lags_.push_back(work[lag].real() * scale);
}

double Autocovariance::at(std::size_t lag) {
  const std::size_t n = centred_.size();
  if (lag >= lags_.size() && lag >= kDirectLags) transform();
  while (lags_.size() <= lag) {
    const std::size_t k = lags_.size();
    double sum = 0;
    for (std::size_t i = k; i < n; ++i) sum += centred_[i] * centred_[i - k];
    lags_.push_back(sum / static_cast<double>(n));
  }
  return lags_[lag];
}

}  // namespace chancel::report
