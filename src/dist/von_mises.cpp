// SPDX-License-Identifier: Apache-2.0
// (von-mises mean concentration): angles between -pi and pi, the normal distribution of the circle.
// Draws by rejection: from a uniform angle when the density is flat, else from a normal, with
// cos t - 1 <= -2 (t / pi)^2. At least 0.46 of the proposals are kept.
#include "dist/scalar.hpp"
#include "math/elementary.hpp"

namespace chancel {
namespace {

// The integral of exp(concentration (cos t - 1)) from 0 to `end` in [-pi, pi], over panels that are
// short beside the width of the peak.
double mass_from_mode(double concentration, double end) {
  // Gauss-Legendre with ten nodes, symmetric.
  static constexpr double kNode[] = {0.148874338981631211, 0.433395394129247191,
                                     0.679409568299024406, 0.865063366688984511,
                                     0.973906528517171720};
  static constexpr double kWeight[] = {0.295524224714752870, 0.269266719309996355,
                                       0.219086362515982044, 0.149451349150580593,
                                       0.066671344308688138};
  const double width = std::fmin(0.5, 1 / std::sqrt(concentration));
  const double length = std::fmin(std::fabs(end), 40 * width);  // beyond lies less than e^-160
  const double panels = std::ceil(length / width);
  double sum = 0;
  for (double i = 0; i < panels; ++i) {
    const double half = 0.5 * length / panels;
    const double middle = (2 * i + 1) * half;
    for (int j = 0; j < 5; ++j) {
      for (const double t : {middle - half * kNode[j], middle + half * kNode[j]}) {
        const double s = std::sin(0.5 * t);
        sum += kWeight[j] * half * math::exp(-2 * concentration * s * s);
      }
    }
  }
  return std::copysign(sum, end);
}

struct VonMises {
  static constexpr const char* kName = "von-mises";
  static constexpr const char* kDoc =
      "Angles between -pi and pi with the given mean direction and concentration.";
  static constexpr Parameter kParameters[] = {{"mean", Rule::Finite},
                                              {"concentration", Rule::NonNegative}};
  static constexpr DistSupport kSupport = DistSupport::Interval;
  using Kind = RealKind;

  double mean, concentration, log_norm;
  explicit VonMises(const double* p)
      : mean(p[0]),
        concentration(p[1]),
        log_norm(-kLogTwoPi - log_bessel_i0_scaled(concentration)) {}

  // The angle between -pi and pi.
  static double wrap(double angle) { return std::remainder(angle, 2 * kPi); }

  double sample(Stream& stream) const {
    double t;
    if (concentration < 1) {
      do {
        t = kPi * (2 * stream.uniform() - 1);
      } while (math::log(stream.uniform_open()) > log_fall(t));
    } else {
      do {
        t = 0.5 * kPi / std::sqrt(concentration) * stream.normal();
      } while (std::fabs(t) > kPi || math::log(stream.uniform_open()) >
                                         log_fall(t) + 2 * concentration * t * t / (kPi * kPi));
    }
    return std::fmin(std::fmax(wrap(mean + t), -kPi), kPi);
  }
  // Of the density, from that in the mean.
  double log_fall(double t) const {
    const double s = std::sin(0.5 * t);
    return -2 * concentration * s * s;
  }
  double log_prob(double x) const {
    return x >= -kPi && x <= kPi ? log_norm + log_fall(x - mean) : kLogZero;
  }
  static constexpr int kMoving = 0;
  void move_to(double m) { mean = m; }
  void gradient(double x, double* g) const {
    const double s = std::sin(0.5 * (x - mean));
    g[1] = concentration * std::sin(x - mean);
    g[2] = one_minus_bessel_ratio(concentration) - 2 * s * s;
    g[0] = -g[1];
  }
  double cdf(double x) const {
    if (x <= -kPi) return 0;
    if (x >= kPi) return 1;
    const double m = wrap(mean);
    return mass_up_to(x - m) - mass_up_to(-kPi - m);
  }
  // From the mean direction; t in [-2 pi, 2 pi].
  double mass_up_to(double t) const {
    const double turn = t > kPi ? 1 : t < -kPi ? -1 : 0;
    return turn + math::exp(log_norm) * mass_from_mode(concentration, t - 2 * kPi * turn);
  }
  void bounds(double* lower, double* upper) const { *lower = -kPi, *upper = kPi; }
};

}  // namespace

extern const DistType* const von_mises_dist;
const DistType* const von_mises_dist = &scalar_type<VonMises>;

}  // namespace chancel
