// SPDX-License-Identifier: Apache-2.0
// See weights.hpp.
#include "infer/weights.hpp"

#include <algorithm>
#include <cmath>

#include "math/log_space.hpp"

namespace chancel {

void Weights::resize(std::size_t count) {
  relative_.resize(count);
  sums_.resize((count + kWeightChunk - 1) / kWeightChunk);
}

double Weights::largest(std::span<const double> log_weights) {
  double high = kLogZero;
  for (const double w : log_weights) high = w > high ? w : high;
  return high;
}

void Weights::scale_chunk(std::span<const double> log_weights, double largest, std::size_t chunk) {
  const std::size_t begin = chunk * kWeightChunk;
  const std::size_t end = std::min(begin + kWeightChunk, log_weights.size());
  double sum = 0;
  double squares = 0;
  for (std::size_t i = begin; i < end; ++i) {
    const double w = std::exp(log_weights[i] - largest);
    relative_[i] = w;
    sum += w;
    squares += w * w;
  }
  sums_[chunk] = {sum, squares};
}

void Weights::finish(double largest) {
  sum_ = 0;
  sum_squares_ = 0;
  if (largest == kLogZero) {
    log_mean_ = kLogZero;
    return;
  }
  for (const Sums& s : sums_) {
    sum_ += s.sum;
    sum_squares_ += s.squares;
  }
  log_mean_ = largest + std::log(sum_ / static_cast<double>(relative_.size()));
}

void Weights::set(std::span<const double> log_weights) {
  resize(log_weights.size());
  const double high = largest(log_weights);
  if (high != kLogZero)
    for (std::size_t c = 0; c < chunks(); ++c) scale_chunk(log_weights, high, c);
  finish(high);
}

}  // namespace chancel
