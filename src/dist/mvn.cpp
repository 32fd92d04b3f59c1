// SPDX-License-Identifier: Apache-2.0
// (mvn mean cov) and (multivariate-t nu mu sigma): vectors of reals. Both are built around a
// location and the Cholesky factor of a positive definite matrix, worked out once at construction;
// a draw costs d normals and a triangular product, a score a triangular solve.
#include "diag/diagnostic.hpp"
#include "dist/kernel/cholesky.hpp"
#include "dist/kernel/gamma.hpp"
#include "dist/number_vector.hpp"
#include "dist/object.hpp"
#include "dist/wide.hpp"
#include "math/elementary.hpp"
#include "math/special.hpp"

namespace chancel {
extern const DistType* const mvn_dist;
extern const DistType* const multivariate_t_dist;
namespace {

constexpr const char* kNames[] = {"mean", "cov"};
constexpr const char* kTNames[] = {"nu", "mu", "sigma"};

// numbers: dimension, log normaliser, degrees of freedom (t only; else 0), location, factor.
struct Parts {
  const double* n;
  std::size_t d() const { return static_cast<std::size_t>(n[0]); }
  double log_norm() const { return n[1]; }
  double nu() const { return n[2]; }
  const double* location() const { return n + 3; }
  const double* factor() const { return n + 3 + d(); }
};

// Reads location and matrix from args[first], args[first + 1] and fills all numbers but the
// normaliser.
Dist* build(NativeContext& cx, const DistType* type, const Value* args, std::uint32_t first,
            double nu) {
  const char* const* names = type->parameter_names;
  const int at = static_cast<int>(first);
  std::vector<double> location;
  std::vector<double> matrix;
  std::size_t d;
  if (!read_numbers(cx, type->name, {names[first], Rule::Finite}, at, args[first], &location) ||
      !read_square_matrix(cx, type->name, names[first + 1], at + 1, args[first + 1], &matrix, &d)) {
    return nullptr;
  }
  if (d != location.size()) {
    cx.fail(Code::D001,
            std::string(type->name) + ": " + names[first + 1] + " must have as many rows as " +
                names[first] + " has items, got " + std::to_string(d) + " and " +
                std::to_string(location.size()),
            at + 1);
    return nullptr;
  }
  const char* problem = nullptr;
  if (!is_symmetric(matrix.data(), d)) {
    problem = "symmetric";
  } else if (!cholesky(matrix.data(), d)) {
    problem = "positive definite";
  }
  if (problem) {
    fail_value(cx, type->name, names[first + 1], problem, args[first + 1], at + 1);
    return nullptr;
  }
  Dist* dist = make_dist(*cx.arena, type, type->parameter_count, 3 + d + d * d);
  for (std::uint32_t i = 0; i < type->parameter_count; ++i) value_at(dist, i) = args[i];
  double* n = dist->numbers();
  n[0] = static_cast<double>(d);
  n[2] = nu;
  std::copy(location.begin(), location.end(), n + 3);
  std::copy(matrix.begin(), matrix.end(), n + 3 + d);
  return dist;
}

Value construct(NativeContext& cx, const Value* args, std::uint32_t) {
  Dist* dist = build(cx, mvn_dist, args, 0, 0);
  if (!dist) return Value::nil();
  const Parts p{dist->numbers()};
  const auto d = static_cast<double>(p.d());
  dist->numbers()[1] = -0.5 * (d * kLogTwoPi + log_determinant(p.factor(), p.d()));
  return Value::object(dist);
}

Value construct_t(NativeContext& cx, const Value* args, std::uint32_t) {
  double nu;
  if (!read_parameter(cx, "multivariate-t", {"nu", Rule::Positive}, 0, args[0], &nu)) {
    return Value::nil();
  }
  Dist* dist = build(cx, multivariate_t_dist, args, 1, nu);
  if (!dist) return Value::nil();
  const Parts p{dist->numbers()};
  const auto d = static_cast<double>(p.d());
  dist->numbers()[1] = log_gamma(0.5 * (nu + d)) - log_gamma(0.5 * nu) -
                       0.5 * (d * (math::log(nu) + kLogPi) + log_determinant(p.factor(), p.d()));
  return Value::object(dist);
}

// location + scale * L z
Value draw_around(const Parts& p, double scale, Stream& stream, Arena& arena) {
  const std::size_t d = p.d();
  Scratch<double> z(d);
  Scratch<double> x(d);
  for (std::size_t i = 0; i < d; ++i) z[i] = stream.normal();
  for (std::size_t i = 0; i < d; ++i) {
    double sum = 0;
    for (std::size_t k = 0; k <= i; ++k) sum += p.factor()[i * d + k] * z[k];
    x[i] = p.location()[i] + scale * sum;
  }
  return make_number_vector(arena, x.data(), d);
}
Value sample(NativeContext& cx, const Dist* dist, Stream& stream) {
  return draw_around({dist->numbers()}, 1, stream, *cx.arena);
}
Value sample_t(NativeContext& cx, const Dist* dist, Stream& stream) {
  const Parts p{dist->numbers()};
  const double log_gamma_draw = draw_log_gamma(0.5 * p.nu(), stream);
  const double log_scale = 0.5 * (math::log(0.5 * p.nu()) - log_gamma_draw);
  return draw_around(p, math::exp(std::fmin(log_scale, 700.0)), stream, *cx.arena);
}

// |L^-1 (x - location)|^2, or false when x is not a vector of d numbers.
bool distance(const Parts& p, const Value& v, double* out) {
  const std::size_t d = p.d();
  Scratch<double> x(d);
  if (!read_vector(v, x.data(), d)) return false;
  for (std::size_t i = 0; i < d; ++i) x[i] -= p.location()[i];
  solve_lower(p.factor(), d, x.data());
  *out = 0;
  for (std::size_t i = 0; i < d; ++i) *out += x[i] * x[i];
  return !std::isnan(*out);
}
double log_prob(NativeContext&, const Dist* dist, const Value& v) {
  const Parts p{dist->numbers()};
  double r;
  return distance(p, v, &r) ? p.log_norm() - 0.5 * r : kLogZero;
}
double log_prob_t(NativeContext&, const Dist* dist, const Value& v) {
  const Parts p{dist->numbers()};
  double r;
  if (!distance(p, v, &r)) return kLogZero;
  return p.log_norm() - 0.5 * (p.nu() + static_cast<double>(p.d())) * math::log1p(r / p.nu());
}

bool parameters(const Value* args, std::uint32_t, std::vector<Value>* out) {
  return collect_vector(args[0], out) && collect_matrix(args[1], out);
}
bool parameters_t(const Value* args, std::uint32_t, std::vector<Value>* out) {
  return collect_number(args[0], out) && parameters(args + 1, 2, out);
}

// Location, matrix, then x, with w = matrix^-1 (x - location) and `pull` what stretches it: 1 for
// the normal. Gives the squared distance.
double gradient_around(const Parts& p, const Value& v, double (*pull)(const Parts&, double r),
                       double* out) {
  const std::size_t d = p.d();
  Scratch<double> w(d);
  if (!read_vector(v, w.data(), d)) return 0;
  for (std::size_t i = 0; i < d; ++i) w[i] -= p.location()[i];
  solve_lower(p.factor(), d, w.data());
  double r = 0;
  for (std::size_t i = 0; i < d; ++i) r += w[i] * w[i];
  solve_lower_transposed(p.factor(), d, w.data());
  const double c = pull(p, r);
  double* matrix = out + d;
  invert(p.factor(), d, matrix);
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t j = 0; j < d; ++j) {
      matrix[i * d + j] = 0.5 * (c * w[i] * w[j] - matrix[i * d + j]);
    }
    out[i] = c * w[i];
    out[d + d * d + i] = -c * w[i];
  }
  return r;
}
void gradient(NativeContext&, const Dist* dist, const Value& x, double* out) {
  gradient_around(
      {dist->numbers()}, x, [](const Parts&, double) { return 1.0; }, out);
}
void gradient_t(NativeContext&, const Dist* dist, const Value& x, double* out) {
  const Parts p{dist->numbers()};
  const auto stretch = [](const Parts& q, double r) {
    return (q.nu() + static_cast<double>(q.d())) / (q.nu() + r);
  };
  const double r = gradient_around(p, x, stretch, out + 1);
  const double nu = p.nu();
  const auto d = static_cast<double>(p.d());
  out[0] = 0.5 * (digamma(0.5 * (nu + d)) - digamma(0.5 * nu) - d / nu - math::log1p(r / nu) +
                  stretch(p, r) * r / nu);
}

std::size_t size(const Dist* dist) { return Parts{dist->numbers()}.d(); }

constexpr WideDensity kDensity{parameters, collect_vector, gradient, size};
constexpr WideDensity kTDensity{parameters_t, collect_vector, gradient_t, size};

constexpr DistType kType = [] {
  DistType t{};
  t.name = "mvn";
  t.parameter_names = kNames;
  t.parameter_count = 2;
  t.support = DistSupport::RealVector;
  t.doc = "Multivariate normal distribution with mean vector and covariance matrix.";
  t.construct = construct;
  t.sample = sample;
  t.log_prob = log_prob;
  t.wide_density = &kDensity;
  return t;
}();

constexpr DistType kTType = [] {
  DistType t{};
  t.name = "multivariate-t";
  t.parameter_names = kTNames;
  t.parameter_count = 3;
  t.support = DistSupport::RealVector;
  t.doc = "Multivariate t distribution with nu degrees of freedom, location mu and scale sigma.";
  t.construct = construct_t;
  t.sample = sample_t;
  t.log_prob = log_prob_t;
  t.wide_density = &kTDensity;
  return t;
}();

}  // namespace

const DistType* const mvn_dist = &kType;
const DistType* const multivariate_t_dist = &kTType;

}  // namespace chancel
