// SPDX-License-Identifier: Apache-2.0
// (truncated-normal mean sd min max): a normal kept inside [min, max]; either bound may be
// infinite. mean and sd are those of the normal before it is cut. Draws are exact for any interval,
// also far in a tail, by Robert (1995): plain rejection when the interval holds much of the mass,
// else rejection from a shifted exponential (tail) or from a uniform (short interval).
#include "dist/scalar.hpp"
#include "math/elementary.hpp"
#include "math/normal.hpp"

namespace chancel {
namespace {

// A standard normal inside [a, b].
double draw_inside(double a, double b, Stream& stream) {
  if (a > 0 || b < 0) {  // one tail: mirror to the right one
    const bool left = b < 0;
    const double low = left ? -b : a;
    const double high = left ? -a : b;
    const double rate = 0.5 * (low + std::sqrt(low * low + 4));
    double x;
    // A uniform proposal while the density falls by less than a factor e over the interval: at
    // least 1 - 1/e of its draws are kept. Else an exponential one, which then seldom overshoots
    // `high`.
    if ((high - low) * low + 0.5 * (high - low) * (high - low) < 1) {
      do {
        x = low + (high - low) * stream.uniform();
      } while (stream.uniform_open() > math::exp(0.5 * (low - x) * (low + x)));
    } else {
      do {
        x = low + stream.exponential() / rate;
      } while (x > high || stream.uniform_open() > math::exp(-0.5 * (x - rate) * (x - rate)));
    }
    return left ? -x : x;
  }
  double x;
  if (b - a < 2.5) {  // sqrt(2 pi): where a uniform proposal is as good as a normal one
    do {
      x = a + (b - a) * stream.uniform();
    } while (stream.uniform_open() > math::exp(-0.5 * x * x));
  } else {
    do {
      x = stream.normal();
    } while (x < a || x > b);
  }
  return x;
}

struct TruncatedNormal {
  static constexpr const char* kName = "truncated-normal";
  static constexpr const char* kDoc = "A normal variable kept between min and max.";
  static constexpr Parameter kParameters[] = {
      {"mean", Rule::Finite}, {"sd", Rule::Positive}, {"min", Rule::Bound}, {"max", Rule::Bound}};
  static constexpr DistSupport kSupport = DistSupport::Interval;
  using Kind = RealKind;
  static Problem check(const double* p) {
    if (!(p[2] < p[3])) return {"min must be below max", 3};
    const double a = (p[2] - p[0]) / p[1];
    const double b = (p[3] - p[0]) / p[1];
    // Beyond 1e7 standard deviations neighbouring doubles differ by more than the density's scale.
    if (a > 1e7 || b < -1e7) return {"the interval must lie within 1e7 sd of the mean", 2};
    return {};
  }

  double mean, sd, min, max, log_norm;
  explicit TruncatedNormal(const double* p)
      : mean(p[0]),
        sd(p[1]),
        min(p[2]),
        max(p[3]),
        log_norm(-kLogSqrtTwoPi - math::log(sd) - log_normal_interval(a(), b())) {}
  double a() const { return (min - mean) / sd; }
  double b() const { return (max - mean) / sd; }

  // An interval so short beside sd that the density hardly changes over it. Its ends in units of sd
  // may even be the same double: everything is worked out from the middle, where nothing cancels.
  double width() const { return (max - min) / sd; }
  double middle() const { return (min + 0.5 * (max - min) - mean) / sd; }
  bool is_short() const { return width() * (1 + std::fabs(middle())) < 1e-5; }
  // The log of the density, from that in the middle.
  double log_fall(double x) const {
    const double step = (x - (min + 0.5 * (max - min))) / sd;
    return -0.5 * step * (step + 2 * middle());
  }

  double sample(Stream& stream) const {
    if (is_short()) {
      const double most = 0.5 * width() * std::fabs(middle());
      double x;
      do {
        x = min + (max - min) * stream.uniform();
      } while (stream.uniform_open() > math::exp(log_fall(x) - most));
      return std::fmin(x, max);
    }
    const double x = mean + sd * draw_inside(a(), b(), stream);
    return std::fmin(std::fmax(x, min), max);
  }
  double log_prob(double x) const {
    if (!(x >= min && x <= max)) return kLogZero;
    if (is_short()) return log_fall(x) - math::log(max - min);
    const double z = (x - mean) / sd;
    return log_norm - 0.5 * z * z;
  }
  // The moments from the density at the two ends; log differences keep them right in the tails.
  double density_at(double z) const {
    return std::isinf(z) ? 0
                         : math::exp(-kLogSqrtTwoPi - 0.5 * z * z - log_normal_interval(a(), b()));
  }
  // The density at both ends, in units of sd. Far in a tail it nearly cancels with the slope of the
  // normal itself: there it comes from the hazard, which keeps all digits.
  void edge_densities(double* at_a, double* at_b) const {
    constexpr double kFar = 30;
    if (a() > kFar) return tail_densities(a(), b(), at_a, at_b);
    if (b() < -kFar) return tail_densities(-b(), -a(), at_b, at_a);
    *at_a = density_at(a());
    *at_b = density_at(b());
  }
  // The density of a standard normal over what lies above it, by its continued fraction.
  static double hazard(double z) { return z + 1 / (z + 2 / (z + 3 / (z + 4 / (z + 5 / z)))); }
  static void tail_densities(double near, double far, double* at_near, double* at_far) {
    const double fall = std::isinf(far) ? 0 : math::exp(-0.5 * (far - near) * (far + near));
    const double log_beyond = std::isinf(far) ? kLogZero
                                              : -0.5 * (far - near) * (far + near) +
                                                    math::log(hazard(near) / hazard(far));
    *at_near = -hazard(near) / math::expm1(log_beyond);
    *at_far = *at_near * fall;
  }
  static constexpr int kLower = 2, kUpper = 3;
  void gradient(double x, double* g) const {
    if (is_short()) {
      const double step = (x - (min + 0.5 * (max - min))) / sd;
      const double half = 0.5 * middle() / sd;
      g[0] = -(step + middle()) / sd;
      g[1] = step / sd;
      g[2] = step * (step + 2 * middle()) / sd;
      g[3] = half + 1 / (max - min);
      g[4] = half - 1 / (max - min);
      return;
    }
    const double z = (x - mean) / sd;
    double fa, fb;
    edge_densities(&fa, &fb);
    const double edge = (std::isinf(a()) ? 0 : a() * fa) - (std::isinf(b()) ? 0 : b() * fb);
    g[0] = -z / sd;
    g[1] = (z - fa + fb) / sd;
    g[2] = (z * z - 1 - edge) / sd;
    g[3] = fa / sd;
    g[4] = -fb / sd;
  }
  double average() const {
    if (is_short()) return min + 0.5 * (max - min);
    return mean + sd * (density_at(a()) - density_at(b()));
  }
  double variance() const {
    if (is_short()) return (max - min) * (max - min) / 12;
    const double fa = density_at(a());
    const double fb = density_at(b());
    const double edge = (std::isinf(a()) ? 0 : a() * fa) - (std::isinf(b()) ? 0 : b() * fb);
    return sd * sd * (1 + edge - (fa - fb) * (fa - fb));
  }
  double cdf(double x) const {
    if (x <= min) return 0;
    if (x >= max) return 1;
    if (is_short()) return (x - min) / (max - min);
    return math::exp(log_normal_interval(a(), (x - mean) / sd) - log_normal_interval(a(), b()));
  }
  void bounds(double* lower, double* upper) const { *lower = min, *upper = max; }
};

}  // namespace

extern const DistType* const truncated_normal_dist;
const DistType* const truncated_normal_dist = &scalar_type<TruncatedNormal>;

}  // namespace chancel
