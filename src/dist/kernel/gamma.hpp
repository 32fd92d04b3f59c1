// SPDX-License-Identifier: Apache-2.0
// Draws of gamma variables with rate 1, by Marsaglia and Tsang (2000): about 1.05 normals and
// uniforms a draw for any shape. Shapes below 1 use gamma(shape + 1) * U^(1/shape), kept in
// logarithms where the caller can use them, because for small shapes most of the mass lies below
// the smallest double.
#pragma once
#include <cmath>

#include "math/elementary.hpp"
#include "random/stream.hpp"

namespace chancel {

// shape >= 1; of shape 1 it is exponential
inline double draw_gamma_large(double shape, Stream& stream) {
  if (shape == 1) return stream.exponential();
  const double d = shape - 1.0 / 3;
  const double c = 1 / std::sqrt(9 * d);
  for (;;) {
    double x;
    double t;
    do {
      x = stream.normal();
      t = 1 + c * x;
    } while (t <= 0);
    const double v = t * t * t;
    const double u = stream.uniform_open();
    const double x2 = x * x;
    if (u < 1 - 0.0331 * x2 * x2) return d * v;
    if (math::log(u) < 0.5 * x2 + d * (1 - v + math::log(v))) return d * v;
  }
}

// The logarithm of a gamma(shape, 1) variable, any shape > 0.
inline double draw_log_gamma(double shape, Stream& stream) {
  if (shape >= 1) return math::log(draw_gamma_large(shape, stream));
  const double boost = -stream.exponential() / shape;
  return math::log(draw_gamma_large(shape + 1, stream)) + boost;
}

// May underflow to 0 for small shapes.
inline double draw_gamma(double shape, Stream& stream) {
  if (shape >= 1) return draw_gamma_large(shape, stream);
  const double boost = math::exp(-stream.exponential() / shape);
  return draw_gamma_large(shape + 1, stream) * boost;
}

// A gamma variable with rate 1 as a product, large * exp(log_boost), that cannot underflow.
struct GammaDraw {
  double log_boost;
  double large;
  GammaDraw(double shape, Stream& stream)
      : log_boost(shape >= 1 ? 0 : -stream.exponential() / shape),
        large(draw_gamma_large(shape >= 1 ? shape : shape + 1, stream)) {}
  // Whether the product may be worked out as it stands.
  bool plain() const { return log_boost > -600; }
  double value() const { return large * math::exp(log_boost); }
  double log() const { return math::log(large) + log_boost; }
};

}  // namespace chancel
