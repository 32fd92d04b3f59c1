// SPDX-License-Identifier: Apache-2.0
// (student-t nu), (student-t-loc-scale nu loc scale) and (half-student-t nu scale). A draw is a normal over the root of a
// gamma. The density uses log_beta, which keeps its digits for large nu.
#include "dist/kernel/gamma.hpp"

#include "dist/scalar.hpp"
#include "math/elementary.hpp"

namespace chancel {
namespace {

struct StudentTKernel {
  double nu, loc, scale, log_norm;
  StudentTKernel(double n, double l, double s)
      : nu(n),
        loc(l),
        scale(s),
        log_norm(-log_beta(0.5, 0.5 * nu) - 0.5 * math::log(nu) - math::log(scale)) {}

  double sample(Stream& stream) const {
    const double z = stream.normal();
    if (nu < 1) {  // the gamma may underflow: stay in logarithms
      const double log_root = 0.5 * (math::log(0.5 * nu) - draw_log_gamma(0.5 * nu, stream));
      const double log_size = log_root + math::log(std::fabs(z));
      const double size =
          log_size < 600 ? scale * math::exp(log_size) : math::exp(log_size + math::log(scale));
      return std::fmin(std::fmax(loc + std::copysign(size, z), -kLargestDraw), kLargestDraw);
    }
    return loc + scale * z * std::sqrt(0.5 * nu / draw_gamma(0.5 * nu, stream));
  }
  double log_prob(double x) const {
    const double z = (x - loc) / scale;
    const double z2 = z * z;
    // Beyond 1e150 the square overflows; there 1 is nothing beside it.
    const double log_term =
        z2 < kInfinity ? math::log1p(z2 / nu) : 2 * math::log(std::fabs(z)) - math::log(nu);
    return log_norm - 0.5 * (nu + 1) * log_term;
  }
  // With respect to x, nu, loc and scale.
  void gradient(double x, double* g) const {
    const double z = (x - loc) / scale;
    const double z2 = z * z;
    const double pull = (nu + 1) / (nu + z2);
    g[0] = -z * pull / scale;
    g[1] = 0.5 * (digamma(0.5 * nu + 0.5) - digamma(0.5 * nu) - 1 / nu - math::log1p(z2 / nu) +
                  z2 * pull / nu);
    g[2] = -g[0];
    g[3] = (z2 * pull - 1) / scale;
  }
  // One tail of nu^(nu/2) |z|^-(nu+1) / B(1/2, nu/2), as the density is out there.
  double log_mass_at(double x) const {
    if (std::fabs(x) != kLargestDraw) return kLogZero;
    const double log_z = kLogLargestDraw - math::log(scale);
    return 0.5 * nu * math::log(nu) - nu * log_z - math::log(nu) - log_beta(0.5, 0.5 * nu);
  }
  double average() const { return nu > 1 ? loc : std::numeric_limits<double>::quiet_NaN(); }
  double variance() const {
    if (nu > 2) return scale * scale * nu / (nu - 2);
    return nu > 1 ? kInfinity : std::numeric_limits<double>::quiet_NaN();
  }
  double cdf(double x) const { return student_t_cdf(nu, (x - loc) / scale); }
  double log_tail(double x) const { return math::log(student_t_cdf(nu, (loc - x) / scale)); }
  double quantile(double p) const { return loc + scale * student_t_quantile(nu, p); }
  void bounds(double* lower, double* upper) const { *lower = -kInfinity, *upper = kInfinity; }
};

struct StudentT : StudentTKernel {
  static constexpr const char* kName = "student-t";
  static constexpr const char* kDoc = "Student's t distribution with nu degrees of freedom.";
  static constexpr Parameter kParameters[] = {{"nu", Rule::Positive}};
  static constexpr DistSupport kSupport = DistSupport::Real;
  using Kind = RealKind;
  explicit StudentT(const double* p) : StudentTKernel(p[0], 0, 1) {}
  void gradient(double x, double* g) const {
    double all[4];
    StudentTKernel::gradient(x, all);
    g[0] = all[0], g[1] = all[1];
  }
};

struct StudentTLocScale : StudentTKernel {
  static constexpr const char* kName = "student-t-loc-scale";
  static constexpr const char* kDoc =
      "Student's t distribution with nu degrees of freedom, moved and scaled.";
  static constexpr Parameter kParameters[] = {
      {"nu", Rule::Positive}, {"loc", Rule::Finite}, {"scale", Rule::Positive}};
  static constexpr DistSupport kSupport = DistSupport::Real;
  using Kind = RealKind;
  explicit StudentTLocScale(const double* p) : StudentTKernel(p[0], p[1], p[2]) {}
  static constexpr int kMoving = 1;
  void move_to(double location) { loc = location; }
};

struct HalfStudentT : StudentTKernel {
  static constexpr const char* kName = "half-student-t";
  static constexpr const char* kDoc =
      "The absolute value of a Student's t variable with nu degrees of freedom, scaled.";
  static constexpr Parameter kParameters[] = {{"nu", Rule::Positive}, {"scale", Rule::Positive}};
  static constexpr DistSupport kSupport = DistSupport::NonNegative;
  using Kind = RealKind;
  explicit HalfStudentT(const double* p) : StudentTKernel(p[0], 0, p[1]) { log_norm += kLogTwo; }

  double sample(Stream& stream) const { return std::fabs(StudentTKernel::sample(stream)); }
  double log_prob(double x) const { return x >= 0 ? StudentTKernel::log_prob(x) : kLogZero; }
  void gradient(double x, double* g) const {
    double all[4];
    StudentTKernel::gradient(x, all);
    g[0] = all[0], g[1] = all[1], g[2] = all[3];
  }
  double log_mass_at(double x) const {
    return x == kLargestDraw ? kLogTwo + StudentTKernel::log_mass_at(x) : kLogZero;
  }
  double average() const = delete;
  double variance() const = delete;
  double cdf(double x) const { return x <= 0 ? 0 : 1 - 2 * student_t_cdf(nu, -x / scale); }
  double log_tail(double x) const {
    return x <= 0 ? 0 : kLogTwo + math::log(student_t_cdf(nu, -x / scale));
  }
  double quantile(double p) const { return scale * -student_t_quantile(nu, 0.5 * (1 - p)); }
  void bounds(double* lower, double* upper) const { *lower = 0, *upper = kInfinity; }
};

}  // namespace

extern const DistType* const student_t_dist;
const DistType* const student_t_dist = &scalar_type<StudentT>;
extern const DistType* const student_t_loc_scale_dist;
const DistType* const student_t_loc_scale_dist = &scalar_type<StudentTLocScale>;
extern const DistType* const half_student_t_dist;
const DistType* const half_student_t_dist = &scalar_type<HalfStudentT>;

}  // namespace chancel
