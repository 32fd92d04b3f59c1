// SPDX-License-Identifier: Apache-2.0
// See weights.hpp.
#include "infer/weights.hpp"

#include <algorithm>
#include <cmath>

#include "math/elementary.hpp"
#include "math/lanes.hpp"
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
  scale(log_weights, largest, begin, std::min(begin + kWeightChunk, log_weights.size()));
  sum_chunk(chunk);
}

void Weights::scale(std::span<const double> log_weights, double largest, std::size_t begin,
                    std::size_t end) {
  math::exp_all(log_weights.data() + begin, largest, relative_.data() + begin, end - begin);
}

void Weights::sum_chunk(std::size_t chunk) {
  const std::size_t begin = chunk * kWeightChunk;
  const std::size_t end = std::min(begin + kWeightChunk, relative_.size());
  // In four sums, which need not wait for each other.
  double sum[4] = {}, squares[4] = {};
  std::size_t i = begin;
  for (; i + 4 <= end; i += 4)
    for (std::size_t k = 0; k < 4; ++k) {
      const double w = relative_[i + k];
      sum[k] += w;
      squares[k] += w * w;
    }
  for (; i < end; ++i) {
    sum[0] += relative_[i];
    squares[0] += relative_[i] * relative_[i];
  }
  sums_[chunk] = {(sum[0] + sum[1]) + (sum[2] + sum[3]),
                  (squares[0] + squares[1]) + (squares[2] + squares[3])};
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
  log_mean_ = largest + math::log(sum_ / static_cast<double>(relative_.size()));
}

void Weights::set(std::span<const double> log_weights) {
  resize(log_weights.size());
  const double high = largest(log_weights);
  if (high != kLogZero)
    for (std::size_t c = 0; c < chunks(); ++c) scale_chunk(log_weights, high, c);
  finish(high);
}

}  // namespace chancel
