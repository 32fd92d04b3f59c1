// SPDX-License-Identifier: Apache-2.0
// (flip p): true with probability p, with certainty where p is above 1: as in Anglican, which draws
// (< (rand) p) and checks nothing. Observing (flip 1.0) as false is the hard-constraint idiom: -inf.
#include "dist/scalar.hpp"
#include "math/elementary.hpp"

namespace chancel {
namespace {

struct Flip {
  static constexpr const char* kName = "flip";
  static constexpr const char* kDoc =
      "A coin: true with probability p (1 when p is larger), else false.";
  static constexpr Parameter kParameters[] = {{"p", Rule::NonNegative}};
  static constexpr DistSupport kSupport = DistSupport::Booleans;
  using Kind = BoolKind;

  double p;
  bool certain;  // p was above 1
  double log_true, log_false;
  explicit Flip(const double* q)
      : p(std::fmin(q[0], 1)),
        certain(q[0] > 1),
        log_true(math::log(p)),
        log_false(math::log1p(-p)) {}

  double sample(Stream& stream) const { return stream.uniform() < p ? 1 : 0; }
  double log_prob(double x) const { return x != 0 ? log_true : log_false; }
  void gradient(double x, double* g) const {
    g[0] = 0;
    g[1] = certain ? 0 : x != 0 ? 1 / p : -1 / (1 - p);
  }
  double average() const { return p; }
  double variance() const { return p * (1 - p); }
  double cdf(double x) const { return x < 0 ? 0 : x < 1 ? 1 - p : 1; }
  double quantile(double q) const { return q <= 1 - p ? 0 : 1; }
  void bounds(double* lower, double* upper) const { *lower = 0, *upper = 1; }
};

}  // namespace

extern const DistType* const flip_dist;
const DistType* const flip_dist = &scalar_type<Flip>;

}  // namespace chancel
