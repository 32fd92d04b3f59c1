// SPDX-License-Identifier: Apache-2.0
// (flat) on the real line and (half-flat) on [0, inf): density 1 everywhere. Improper: nothing can be
// drawn from them, but engines that move from a point to the next by densities need no draw.
#include "dist/scalar.hpp"

namespace chancel {
namespace {

struct Flat {
  static constexpr const char* kName = "flat";
  static constexpr const char* kDoc =
      "Density 1 on the real line. Improper: for engines that use densities alone, such as nuts.";
  static constexpr std::array<Parameter, 0> kParameters{};
  static constexpr DistSupport kSupport = DistSupport::Real;
  static constexpr bool kImproper = true;
  using Kind = RealKind;

  explicit Flat(const double*) {}
  double log_prob(double x) const { return std::isfinite(x) ? 0 : kLogZero; }
  void gradient(double, double* g) const { g[0] = 0; }
  void bounds(double* lower, double* upper) const { *lower = -kInfinity, *upper = kInfinity; }
};

struct HalfFlat {
  static constexpr const char* kName = "half-flat";
  static constexpr const char* kDoc =
      "Density 1 from 0 up. Improper: for engines that use densities alone, such as nuts.";
  static constexpr std::array<Parameter, 0> kParameters{};
  static constexpr DistSupport kSupport = DistSupport::NonNegative;
  static constexpr bool kImproper = true;
  using Kind = RealKind;

  explicit HalfFlat(const double*) {}
  double log_prob(double x) const { return x >= 0 && x < kInfinity ? 0 : kLogZero; }
  void gradient(double, double* g) const { g[0] = 0; }
  void bounds(double* lower, double* upper) const { *lower = 0, *upper = kInfinity; }
};

}  // namespace

extern const DistType* const flat_dist;
const DistType* const flat_dist = &scalar_type<Flat>;
extern const DistType* const half_flat_dist;
const DistType* const half_flat_dist = &scalar_type<HalfFlat>;

}  // namespace chancel
