// SPDX-License-Identifier: Apache-2.0
// Dirichlet draws as normalised gammas. With a parameter below 1 the gammas are drawn and
// normalised as logarithms. No component is exactly 0, so that every draw has a density.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "dist/kernel/gamma.hpp"
#include "math/elementary.hpp"

namespace chancel {

inline constexpr double kLeastComponent = std::numeric_limits<double>::min();

inline void draw_dirichlet(const double* alpha, std::size_t k, Stream& stream, double* out) {
  double sum = 0;
  if (std::all_of(alpha, alpha + k, [](double a) { return a >= 1; })) {
    for (std::size_t i = 0; i < k; ++i) sum += out[i] = draw_gamma_large(alpha[i], stream);
  } else {
    for (std::size_t i = 0; i < k; ++i) out[i] = draw_log_gamma(alpha[i], stream);
    const double high = *std::max_element(out, out + k);
    for (std::size_t i = 0; i < k; ++i) sum += out[i] = math::exp(out[i] - high);
  }
  for (std::size_t i = 0; i < k; ++i) {
    out[i] = std::fmax(out[i] / sum, kLeastComponent);
  }
}

}  // namespace chancel
