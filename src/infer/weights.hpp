// SPDX-License-Identifier: Apache-2.0
// Log-weights of a population to weights relative to the largest: one exp a particle, nothing
// allocated. Sums are taken over chunks of fixed size and then over the chunks in order, so they
// are the same bits however many threads did the chunks.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace chancel {

// Particles in a chunk of sums: small enough to balance two slices, large enough that its overhead
// is nothing.
inline constexpr std::size_t kWeightChunk = 512;

class Weights {
 public:
  void resize(std::size_t count);
  std::size_t size() const { return relative_.size(); }
  std::size_t chunks() const { return sums_.size(); }

  // 1. The largest log-weight, from all slices (max does not depend on the order).
  static double largest(std::span<const double> log_weights);
  // 2. For each chunk, on any thread: exp(log_weight - largest) and the chunk's sums.
  void scale_chunk(std::span<const double> log_weights, double largest, std::size_t chunk);
  // The same in two steps, where others have a part of the chunk: some particles of it, and its sums.
  void scale(std::span<const double> log_weights, double largest, std::size_t begin,
             std::size_t end);
  void sum_chunk(std::size_t chunk);
  // 3. Once all chunks are done.
  void finish(double largest);
  // All three at once.
  void set(std::span<const double> log_weights);

  // What scale_chunk() has made of all chunks, as bytes: for chunks that others have done.
  std::span<double> relative_to_fill() { return relative_; }
  std::span<char> relative_bytes() { return bytes_of(relative_); }
  std::span<char> sums_bytes() { return bytes_of(sums_); }
  static constexpr std::size_t chunk_bytes() { return sizeof(Sums); }

  // Relative to the largest: in [0, 1]. Valid when any().
  std::span<const double> relative() const { return relative_; }
  bool any() const { return sum_ > 0; }  // false: all weights are zero
  double sum() const { return sum_; }    // of the relative weights
  double ess() const { return sum_ > 0 ? sum_ * sum_ / sum_squares_ : 0; }
  double log_mean() const { return log_mean_; }  // log of the mean weight; -inf when all are zero

 private:
  struct Sums {
    double sum, squares;
  };
  template <class T>
  static std::span<char> bytes_of(std::vector<T>& all) {
    return {reinterpret_cast<char*>(all.data()), all.size() * sizeof(T)};
  }
  std::vector<double> relative_;
  std::vector<Sums> sums_;
  double sum_ = 0;
  double sum_squares_ = 0;
  double log_mean_ = 0;
};

}  // namespace chancel
