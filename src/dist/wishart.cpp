// SPDX-License-Identifier: Apache-2.0
// (wishart n V): positive definite d x d matrices as vectors of rows, with n > d - 1 degrees of
// freedom and scale V; the mean is n V. (inverse-wishart n V): the inverse of a Wishart matrix with
// scale V^-1. Draws by Bartlett's decomposition, scores by Cholesky factors only.
#include "diag/diagnostic.hpp"
#include "dist/kernel/cholesky.hpp"
#include "dist/kernel/gamma.hpp"
#include "dist/number_vector.hpp"
#include "dist/object.hpp"
#include "dist/wide.hpp"
#include "math/special.hpp"

namespace chancel {
extern const DistType* const wishart_dist;
extern const DistType* const inverse_wishart_dist;
namespace {

constexpr const char* kNames[] = {"n", "V"};

// numbers: dimension, log normaliser, n, factor of V (of its inverse for inverse-wishart).
std::size_t dimension(const Dist* d) { return static_cast<std::size_t>(d->numbers()[0]); }
double freedom(const Dist* d) { return d->numbers()[2]; }
const double* factor_of(const Dist* d) { return d->numbers() + 3; }

// Fills in all but the log normaliser, and the factor of V itself.
Dist* build(NativeContext& cx, const DistType* type, const Value* args) {
  double n;
  std::vector<double> v;
  std::size_t d;
  if (!read_parameter(cx, type->name, {"n", Rule::Positive}, 0, args[0], &n) ||
      !read_square_matrix(cx, type->name, "V", 1, args[1], &v, &d)) {
    return nullptr;
  }
  const auto size = static_cast<double>(d);
  const char* problem = nullptr;
  if (!(n > size - 1)) {
    fail_value(cx, type->name, "n", "above the number of rows less one", args[0], 0);
    return nullptr;
  }
  if (!is_symmetric(v.data(), d)) {
    problem = "symmetric";
  } else if (!cholesky(v.data(), d)) {
    problem = "positive definite";
  }
  if (problem) {
    fail_value(cx, type->name, "V", problem, args[1], 1);
    return nullptr;
  }
  Dist* dist = make_dist(*cx.arena, type, 2, 3 + d * d);
  value_at(dist, 0) = args[0];
  value_at(dist, 1) = args[1];
  double* numbers = dist->numbers();
  numbers[0] = size;
  numbers[2] = n;
  std::copy(v.begin(), v.end(), numbers + 3);
  return dist;
}
// Of a Wishart matrix whose scale has this logarithm of its determinant.
double log_normaliser(const Dist* dist, double log_det) {
  const double n = freedom(dist);
  const std::size_t d = dimension(dist);
  return -0.5 * n * (static_cast<double>(d) * kLogTwo + log_det) -
         log_multivariate_gamma(0.5 * n, static_cast<int>(d));
}
Value construct(NativeContext& cx, const Value* args, std::uint32_t) {
  Dist* dist = build(cx, wishart_dist, args);
  if (!dist) return Value::nil();
  dist->numbers()[1] = log_normaliser(dist, log_determinant(factor_of(dist), dimension(dist)));
  return Value::object(dist);
}
Value construct_inverse(NativeContext& cx, const Value* args, std::uint32_t) {
  Dist* dist = build(cx, inverse_wishart_dist, args);
  if (!dist) return Value::nil();
  const std::size_t d = dimension(dist);
  dist->numbers()[1] = log_normaliser(dist, -log_determinant(factor_of(dist), d));
  Scratch<double> inverse(d * d);
  invert(factor_of(dist), d, inverse.data());
  if (!cholesky(inverse.data(), d)) {
    return fail_value(cx, "inverse-wishart", "V", "further from singular", args[1], 1);
  }
  std::copy_n(inverse.data(), d * d, dist->numbers() + 3);
  return Value::object(dist);
}

// The factor b of a Wishart matrix b b^T.
void draw_factor(const Dist* dist, Stream& stream, double* b) {
  const std::size_t d = dimension(dist);
  const double* factor = factor_of(dist);
  Scratch<double> a(d * d);  // Bartlett's lower triangle
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t j = 0; j < i; ++j) a[i * d + j] = stream.normal();
    a[i * d + i] =
        std::sqrt(2 * draw_gamma(0.5 * (freedom(dist) - static_cast<double>(i)), stream));
    for (std::size_t j = i + 1; j < d; ++j) a[i * d + j] = 0;
  }
  // L a, lower triangular again
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t j = 0; j < d; ++j) {
      double sum = 0;
      for (std::size_t k = j; k <= i; ++k) sum += factor[i * d + k] * a[k * d + j];
      b[i * d + j] = sum;
    }
  }
}

Value sample(NativeContext& cx, const Dist* dist, Stream& stream) {
  const std::size_t d = dimension(dist);
  Scratch<double> b(d * d);
  draw_factor(dist, stream, b.data());
  Scratch<double> x(d * d);
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = 0;
      for (std::size_t k = 0; k <= j; ++k) sum += b[i * d + k] * b[j * d + k];
      x[i * d + j] = x[j * d + i] = sum;
    }
  }
  return make_matrix(*cx.arena, x.data(), d, d);
}

Value sample_inverse(NativeContext& cx, const Dist* dist, Stream& stream) {
  const std::size_t d = dimension(dist);
  Scratch<double> b(d * d);
  draw_factor(dist, stream, b.data());
  Scratch<double> x(d * d);
  invert(b.data(), d, x.data());
  // Rounding makes the halves differ.
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t j = 0; j < i; ++j) x[j * d + i] = x[i * d + j];
  }
  return make_matrix(*cx.arena, x.data(), d, d);
}

// (n-d-1)/2 log|x| - tr(V^-1 x)/2 + normaliser; the trace is the squared norm of L^-1 C, x = C C^T.
double log_prob(NativeContext&, const Dist* dist, const Value& v) {
  const std::size_t d = dimension(dist);
  Scratch<double> c(d * d);
  if (!read_matrix(v, c.data(), d, d) || !is_symmetric(c.data(), d) || !cholesky(c.data(), d)) {
    return kLogZero;
  }
  const double log_det = log_determinant(c.data(), d);
  double trace = 0;
  for (std::size_t j = 0; j < d; ++j) {
    solve_lower(factor_of(dist), d, c.data() + j, d);
    for (std::size_t i = 0; i < d; ++i) trace += c[i * d + j] * c[i * d + j];
  }
  const double power = 0.5 * (freedom(dist) - static_cast<double>(d) - 1);
  return dist->numbers()[1] + power * log_det - 0.5 * trace;
}

// -(n+d+1)/2 log|x| - tr(V x^-1)/2 + normaliser; the trace is that of x^-1 and the inverse of the
// factor that is kept.
double log_prob_inverse(NativeContext&, const Dist* dist, const Value& v) {
  const std::size_t d = dimension(dist);
  Scratch<double> c(d * d);
  if (!read_matrix(v, c.data(), d, d) || !is_symmetric(c.data(), d) || !cholesky(c.data(), d)) {
    return kLogZero;
  }
  Scratch<double> scale(d * d);
  Scratch<double> inverse(d * d);
  invert(factor_of(dist), d, scale.data());
  invert(c.data(), d, inverse.data());
  double trace = 0;
  for (std::size_t i = 0; i < d * d; ++i) trace += scale[i] * inverse[i];
  const double power = 0.5 * (freedom(dist) + static_cast<double>(d) + 1);
  return dist->numbers()[1] - power * log_determinant(c.data(), d) - 0.5 * trace;
}

bool parameters(const Value* args, std::uint32_t, std::vector<Value>* out) {
  return collect_number(args[0], out) && collect_matrix(args[1], out);
}
// n, V, then x.
void gradient(NativeContext&, const Dist* dist, const Value& v, double* out) {
  const std::size_t d = dimension(dist);
  const double n = freedom(dist);
  Scratch<double> x(d * d);
  Scratch<double> factor(d * d);
  Scratch<double> inverse(d * d);
  if (!read_matrix(v, x.data(), d, d) || !read_matrix(v, factor.data(), d, d) ||
      !cholesky(factor.data(), d)) {
    return;
  }
  out[0] = log_determinant(factor.data(), d) - log_determinant(factor_of(dist), d);
  for (std::size_t j = 0; j < d; ++j) {
    out[0] -= kLogTwo + digamma(0.5 * (n - static_cast<double>(j)));
  }
  out[0] *= 0.5;
  double* in_scale = out + 1;
  double* in_x = in_scale + d * d;
  const double power = 0.5 * (n - static_cast<double>(d) - 1);
  invert(factor_of(dist), d, inverse.data());
  invert(factor.data(), d, in_x);
  for (std::size_t i = 0; i < d * d; ++i) in_x[i] = power * in_x[i] - 0.5 * inverse[i];
  // V^-1 x V^-1
  Scratch<double> product(d * d);
  multiply(inverse.data(), x.data(), d, product.data());
  multiply(product.data(), inverse.data(), d, in_scale);
  for (std::size_t i = 0; i < d * d; ++i) in_scale[i] = 0.5 * (in_scale[i] - n * inverse[i]);
}
// The same of x^-1 and V^-1: the chain rule turns a derivative G in a matrix into -M^-1 G M^-1.
void gradient_inverse(NativeContext&, const Dist* dist, const Value& v, double* out) {
  const std::size_t d = dimension(dist);
  const double n = freedom(dist);
  Scratch<double> factor(d * d);
  if (!read_matrix(v, factor.data(), d, d) || !cholesky(factor.data(), d)) return;
  Scratch<double> inverse(d * d);  // of x
  Scratch<double> scale(d * d);    // V
  Scratch<double> product(d * d);
  invert(factor.data(), d, inverse.data());
  invert(factor_of(dist), d, scale.data());
  out[0] = -log_determinant(factor.data(), d) - log_determinant(factor_of(dist), d);
  for (std::size_t j = 0; j < d; ++j) {
    out[0] -= kLogTwo + digamma(0.5 * (n - static_cast<double>(j)));
  }
  out[0] *= 0.5;
  double* in_scale = out + 1;
  double* in_x = in_scale + d * d;
  // V^-1 from the factor that is kept.
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t j = 0; j < d; ++j) {
      double sum = 0;
      for (std::size_t k = 0; k <= std::min(i, j); ++k) {
        sum += factor_of(dist)[i * d + k] * factor_of(dist)[j * d + k];
      }
      in_scale[i * d + j] = 0.5 * (n * sum - inverse[i * d + j]);
    }
  }
  multiply(inverse.data(), scale.data(), d, product.data());
  multiply(product.data(), inverse.data(), d, in_x);
  const double power = n + static_cast<double>(d) + 1;
  for (std::size_t i = 0; i < d * d; ++i) in_x[i] = 0.5 * (in_x[i] - power * inverse[i]);
}
std::size_t size(const Dist* dist) { return dimension(dist) * dimension(dist); }
constexpr WideDensity kDensity{parameters, collect_matrix, gradient, size};
constexpr WideDensity kInverseDensity{parameters, collect_matrix, gradient_inverse, size};

constexpr DistType kType = [] {
  DistType t{};
  t.name = "wishart";
  t.parameter_names = kNames;
  t.parameter_count = 2;
  t.support = DistSupport::PositiveDefiniteMatrix;
  t.doc = "Wishart distribution over matrices with n degrees of freedom and scale matrix V.";
  t.construct = construct;
  t.sample = sample;
  t.log_prob = log_prob;
  t.wide_density = &kDensity;
  return t;
}();

constexpr DistType kInverseType = [] {
  DistType t = kType;
  t.name = "inverse-wishart";
  t.doc = "The inverse of a Wishart matrix with n degrees of freedom and scale matrix V^-1.";
  t.construct = construct_inverse;
  t.sample = sample_inverse;
  t.log_prob = log_prob_inverse;
  t.wide_density = &kInverseDensity;
  return t;
}();

}  // namespace

const DistType* const wishart_dist = &kType;
const DistType* const inverse_wishart_dist = &kInverseType;

}  // namespace chancel
