// SPDX-License-Identifier: Apache-2.0
// From a kernel on plain doubles (scalar.hpp) to its Density: log densities and derivatives over rows.
// A kernel that has one differentiates itself:
//
//   void gradient(double x, double* g) const;   g[0] = d log_prob / dx (0 for discrete distributions),
//                                               g[1 + j] = d log_prob / d parameter j
// and may have
//   static constexpr int kMoving;  void move_to(double);   a parameter that nothing cached depends
//                                                          on: rows that differ in it alone share
//                                                          the kernel
//   static constexpr int kLower, kUpper;   the parameters that bound the support
//
// Rows are taken in blocks whose numbers are first brought side by side, so that the loops over
// kernels have no strides and no branches of their own.
#pragma once
#include <algorithm>
#include <cstddef>
#include <iterator>
#include <limits>

#include "dist/parameters.hpp"
#include "value/density.hpp"

namespace chancel {

// What the constructor accepts.
template <class K>
bool valid_parameters(const double* p) {
  for (std::size_t i = 0; i < std::size(K::kParameters); ++i) {
    if (!holds(K::kParameters[i].rule, p[i])) return false;
  }
  if constexpr (requires { K::check(p); }) return K::check(p).rule == nullptr;
  return true;
}

// A kernel scores what is outside its support, NaN among it, as it likes; programs see zero density.
inline double zero_if_nan(double log_prob) { return log_prob == log_prob ? log_prob : kLogZero; }

template <class K>
class Lanes {
  static constexpr std::size_t kCount = std::size(K::kParameters);
  static constexpr std::size_t kBlock = 64;
  static constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

  static constexpr int moving() {
    if constexpr (requires { K::kMoving; }) return K::kMoving;
    return -1;
  }

  // How the kernels of the rows differ.
  enum class Variation { None, Moving, Any };
  static Variation variation(const Lane* parameters, std::size_t rows) {
    auto result = Variation::None;
    for (std::size_t j = 0; j < kCount && rows > 1; ++j) {
      if (parameters[j].step == 0) continue;
      if (static_cast<int>(j) != moving()) return Variation::Any;
      result = Variation::Moving;
    }
    return result;
  }
  static void row(const Lane* parameters, std::size_t r, double* p) {
    for (std::size_t j = 0; j < kCount; ++j) p[j] = parameters[j][r];
  }
  static void gather(Lane lane, std::size_t from, std::size_t n, double* out) {
    if (lane.step == 0)
      std::fill_n(out, n, *lane.at);
    else
      std::copy_n(lane.at + from * lane.step, n, out);
  }

 public:
  static void log_prob(const Lane* parameters, Lane x, std::size_t rows, double* out) {
    double p[kCount + 1];
    if (rows == 0) return;
    row(parameters, 0, p);
    const Variation variation = Lanes::variation(parameters, rows);
    if (variation == Variation::Any) {
      for (std::size_t r = 0; r < rows; ++r) {
        row(parameters, r, p);
        out[r] = valid_parameters<K>(p) ? zero_if_nan(K(p).log_prob(x[r])) : kNaN;
      }
      return;
    }
    if constexpr (moving() >= 0) {
      if (variation == Variation::Moving) {
        p[moving()] = 1;  // obeys every rule
        if (!valid_parameters<K>(p)) return void(std::fill_n(out, rows, kNaN));
        K k(p);
        double at[kBlock], xs[kBlock], block[kBlock];
        for (std::size_t from = 0; from < rows; from += kBlock) {
          const std::size_t n = std::min(kBlock, rows - from);
          gather(parameters[moving()], from, n, at);
          gather(x, from, n, xs);
          for (std::size_t r = 0; r < n; ++r) {
            k.move_to(at[r]);
            const double score = zero_if_nan(k.log_prob(xs[r]));
            block[r] = holds(K::kParameters[moving()].rule, at[r]) ? score : kNaN;
          }
          std::copy_n(block, n, out + from);
        }
        return;
      }
    }
    if (!valid_parameters<K>(p)) return void(std::fill_n(out, rows, kNaN));
    const K k(p);
    for (std::size_t r = 0; r < rows; ++r) out[r] = zero_if_nan(k.log_prob(x[r]));
  }

  static void gradient(const Lane* parameters, Lane x, const double* weight, std::size_t rows,
                       const AdjointLane* parameter_adjoints, AdjointLane x_adjoint) {
    if (rows == 0) return;
    double p[kCount + 1];
    row(parameters, 0, p);
    const Variation variation = Lanes::variation(parameters, rows);
    K k(p);
    double xs[kBlock], g[kCount + 1], slopes[kCount + 1][kBlock], sums[kCount + 1] = {};
    const auto add = [&](std::size_t j) -> const AdjointLane& {
      return j == 0 ? x_adjoint : parameter_adjoints[j - 1];
    };
    for (std::size_t from = 0; from < rows; from += kBlock) {
      const std::size_t n = std::min(kBlock, rows - from);
      gather(x, from, n, xs);
      if (variation == Variation::Any) {
        for (std::size_t r = 0; r < n; ++r) {
          row(parameters, from + r, p);
          K(p).gradient(xs[r], g);
          for (std::size_t j = 0; j <= kCount; ++j) slopes[j][r] = g[j];
        }
      } else {
        [[maybe_unused]] double at[kBlock];
        if constexpr (moving() >= 0) gather(parameters[moving()], from, n, at);
        for (std::size_t r = 0; r < n; ++r) {
          if constexpr (moving() >= 0) k.move_to(at[r]);
          k.gradient(xs[r], g);
          for (std::size_t j = 0; j <= kCount; ++j) slopes[j][r] = g[j];
        }
      }
      for (std::size_t j = 0; j <= kCount; ++j) {
        const AdjointLane& lane = add(j);
        if (!lane.at) continue;
        if (lane.step == 0) {
          for (std::size_t r = 0; r < n; ++r) sums[j] += weight[from + r] * slopes[j][r];
        } else {
          double* out = lane.at + from * lane.step;
          for (std::size_t r = 0; r < n; ++r) out[r] += weight[from + r] * slopes[j][r];
        }
      }
    }
    for (std::size_t j = 0; j <= kCount; ++j) {
      const AdjointLane& lane = add(j);
      if (lane.at && lane.step == 0) *lane.at += sums[j];
    }
  }

  static constexpr Density make() {
    Density d{K::Kind::read, log_prob, gradient};
    if constexpr (requires { K::kLower; }) d.lower = K::kLower;
    if constexpr (requires { K::kUpper; }) d.upper = K::kUpper;
    return d;
  }
  static constexpr Density kDensity = make();
};

}  // namespace chancel
