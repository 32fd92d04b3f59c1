// SPDX-License-Identifier: Apache-2.0
// (lkj n eta): n x n correlation matrices with density proportional to |R|^(eta - 1), by Lewandowski,
// Kurowicka and Joe (2009). (lkj-cholesky n eta): their Cholesky factors, with the density in the
// numbers below the diagonal. A draw is a table of independent partial correlations.
#include "dist/kernel/beta.hpp"
#include "dist/kernel/cholesky.hpp"
#include "dist/number_vector.hpp"
#include "dist/object.hpp"
#include "dist/wide.hpp"
#include "math/elementary.hpp"
#include "math/special.hpp"

namespace chancel {
extern const DistType* const lkj_dist;
extern const DistType* const lkj_cholesky_dist;
namespace {

constexpr const char* kNames[] = {"n", "eta"};
// Rounding in rows that should have length 1, as data and transforms give them.
constexpr double kUnitTolerance = 1e-6;
constexpr double kMostRows = 1000;

// numbers: n, eta, log normaliser.
std::size_t rows(const Dist* d) { return static_cast<std::size_t>(d->numbers()[0]); }
double eta_of(const Dist* d) { return d->numbers()[1]; }

// Calls f(a, times): the log normaliser is the sum of times * log gamma(a) over them, and a constant.
template <class F>
void each_gamma(std::size_t n, double eta, F f) {
  const auto last = static_cast<double>(n) - 1;
  f(eta + 0.5 * last, last);
  for (double k = 1; k <= last; ++k) f(eta + 0.5 * (last - k), -1.0);
}

Value build(NativeContext& cx, const DistType* type, const Value* args) {
  double n;
  double eta;
  if (!read_parameter(cx, type->name, {"n", Rule::Count}, 0, args[0], &n) ||
      !read_parameter(cx, type->name, {"eta", Rule::Positive}, 1, args[1], &eta)) {
    return Value::nil();
  }
  if (!(n >= 1 && n <= kMostRows)) {
    return fail_value(cx, type->name, "n", "between 1 and 1000", args[0], 0);
  }
  Dist* d = make_dist(*cx.arena, type, 2, 3);
  value_at(d, 0) = args[0];
  value_at(d, 1) = args[1];
  d->numbers()[0] = n;
  d->numbers()[1] = eta;
  double log_norm = -0.25 * n * (n - 1) * kLogPi;
  each_gamma(rows(d), eta, [&](double a, double times) { log_norm += times * log_gamma(a); });
  d->numbers()[2] = log_norm;
  return Value::object(d);
}
Value construct(NativeContext& cx, const Value* args, std::uint32_t) {
  return build(cx, lkj_dist, args);
}
Value construct_cholesky(NativeContext& cx, const Value* args, std::uint32_t) {
  return build(cx, lkj_cholesky_dist, args);
}

// The partial correlation of rows i and j given those before j is 2 beta - 1, and takes its share of
// what is left of the length of row i.
void draw_factor(const Dist* d, Stream& stream, double* factor) {
  const std::size_t n = rows(d);
  std::fill_n(factor, n * n, 0.0);
  factor[0] = 1;
  for (std::size_t i = 1; i < n; ++i) {
    double left = 1;
    for (std::size_t j = 0; j < i; ++j) {
      const double shape = eta_of(d) + 0.5 * (static_cast<double>(n) - 2 - static_cast<double>(j));
      const double b = draw_beta(shape, shape, stream);
      factor[i * n + j] = (2 * b - 1) * left;
      left *= 2 * std::sqrt(b * (1 - b));  // sqrt(1 - partial^2)
    }
    factor[i * n + i] = left;
  }
}
Value sample_cholesky(NativeContext& cx, const Dist* d, Stream& stream) {
  Scratch<double> factor(rows(d) * rows(d));
  draw_factor(d, stream, factor.data());
  return make_matrix(*cx.arena, factor.data(), rows(d), rows(d));
}
Value sample(NativeContext& cx, const Dist* d, Stream& stream) {
  const std::size_t n = rows(d);
  Scratch<double> factor(n * n);
  Scratch<double> matrix(n * n);
  draw_factor(d, stream, factor.data());
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      double sum = 0;
      for (std::size_t k = 0; k <= j; ++k) sum += factor[i * n + k] * factor[j * n + k];
      matrix[i * n + j] = matrix[j * n + i] = sum;
    }
    matrix[i * n + i] = 1;
  }
  return make_matrix(*cx.arena, matrix.data(), n, n);
}

// The factor of a correlation matrix; false for anything else.
bool read_correlation(const Dist* d, const Value& v, double* factor) {
  const std::size_t n = rows(d);
  if (!read_matrix(v, factor, n, n) || !is_symmetric(factor, n)) return false;
  for (std::size_t i = 0; i < n; ++i) {
    if (!(std::fabs(factor[i * n + i] - 1) <= kUnitTolerance)) return false;
  }
  return cholesky(factor, n);
}
// Lower triangular with a positive diagonal and rows of length 1.
bool read_factor(const Dist* d, const Value& v, double* factor) {
  const std::size_t n = rows(d);
  if (!read_matrix(v, factor, n, n)) return false;
  for (std::size_t i = 0; i < n; ++i) {
    double length = 0;
    for (std::size_t j = 0; j < n; ++j) {
      if (j > i && factor[i * n + j] != 0) return false;
      length += factor[i * n + j] * factor[i * n + j];
    }
    if (!(std::fabs(length - 1) <= kUnitTolerance && factor[i * n + i] > 0)) return false;
  }
  return true;
}

double log_prob(NativeContext&, const Dist* d, const Value& v) {
  Scratch<double> factor(rows(d) * rows(d));
  if (!read_correlation(d, v, factor.data())) return kLogZero;
  return d->numbers()[2] + (eta_of(d) - 1) * log_determinant(factor.data(), rows(d));
}
// The exponent of the i-th number of the diagonal: from |R|^(eta - 1), and from the change of
// variables.
double exponent(const Dist* d, std::size_t i) {
  return static_cast<double>(rows(d) - 1 - i) + 2 * (eta_of(d) - 1);
}
double log_prob_cholesky(NativeContext&, const Dist* d, const Value& v) {
  const std::size_t n = rows(d);
  Scratch<double> factor(n * n);
  if (!read_factor(d, v, factor.data())) return kLogZero;
  double result = d->numbers()[2];
  for (std::size_t i = 1; i < n; ++i) result += exponent(d, i) * math::log(factor[i * n + i]);
  return result;
}

bool parameters(const Value* args, std::uint32_t, std::vector<Value>* out) {
  return collect_number(args[0], out) && collect_number(args[1], out);
}
// n, eta, then x; `log_det` is that of the correlation matrix.
void gradient_of_parameters(const Dist* d, double log_det, double* out) {
  out[0] = 0;
  out[1] = log_det;
  each_gamma(rows(d), eta_of(d), [&](double a, double times) { out[1] += times * digamma(a); });
}
void gradient(NativeContext&, const Dist* d, const Value& v, double* out) {
  const std::size_t n = rows(d);
  Scratch<double> factor(n * n);
  if (!read_correlation(d, v, factor.data())) return;
  gradient_of_parameters(d, log_determinant(factor.data(), n), out);
  invert(factor.data(), n, out + 2);
  for (std::size_t i = 0; i < n * n; ++i) out[2 + i] *= eta_of(d) - 1;
}
void gradient_cholesky(NativeContext&, const Dist* d, const Value& v, double* out) {
  const std::size_t n = rows(d);
  Scratch<double> factor(n * n);
  if (!read_factor(d, v, factor.data())) return;
  gradient_of_parameters(d, log_determinant(factor.data(), n), out);
  std::fill_n(out + 2, n * n, 0.0);
  for (std::size_t i = 1; i < n; ++i) out[2 + i * n + i] = exponent(d, i) / factor[i * n + i];
}
std::size_t size(const Dist* d) { return rows(d) * rows(d); }
constexpr WideDensity kDensity{parameters, collect_matrix, gradient, size};
constexpr WideDensity kCholeskyDensity{parameters, collect_matrix, gradient_cholesky, size};

constexpr DistType kType = [] {
  DistType t{};
  t.name = "lkj";
  t.parameter_names = kNames;
  t.parameter_count = 2;
  t.support = DistSupport::CorrelationMatrix;
  t.doc = "Correlation matrices of n rows; uniform for eta = 1, closer to the identity above.";
  t.construct = construct;
  t.sample = sample;
  t.log_prob = log_prob;
  t.wide_density = &kDensity;
  return t;
}();

constexpr DistType kCholeskyType = [] {
  DistType t = kType;
  t.name = "lkj-cholesky";
  t.support = DistSupport::CorrelationCholesky;
  t.doc = "Cholesky factors of correlation matrices that are distributed as lkj.";
  t.construct = construct_cholesky;
  t.sample = sample_cholesky;
  t.log_prob = log_prob_cholesky;
  t.wide_density = &kCholeskyDensity;
  return t;
}();

}  // namespace

const DistType* const lkj_dist = &kType;
const DistType* const lkj_cholesky_dist = &kCholeskyType;

}  // namespace chancel
