// SPDX-License-Identifier: Apache-2.0
// (dirichlet alpha): points of the simplex as vectors. Scoring takes any sequence of numbers that
// are not negative and sum to one within a thousandth, since data are rounded.
#include "dist/kernel/dirichlet.hpp"

#include "dist/number_vector.hpp"
#include "dist/object.hpp"
#include "dist/wide.hpp"
#include "math/elementary.hpp"
#include "math/special.hpp"

namespace chancel {
extern const DistType* const dirichlet_dist;
namespace {

constexpr const char* kNames[] = {"alpha"};

// numbers: the log normaliser, then alpha.
std::size_t size(const Dist* d) { return d->number_count - 1; }
const double* alpha_of(const Dist* d) { return d->numbers() + 1; }

Value construct(NativeContext& cx, const Value* args, std::uint32_t) {
  std::vector<double> alpha;
  if (!read_numbers(cx, "dirichlet", {"alpha", Rule::Positive}, 0, args[0], &alpha)) {
    return Value::nil();
  }
  Dist* d = make_dist(*cx.arena, dirichlet_dist, 1, 1 + alpha.size());
  d->values[0] = args[0];
  double total = 0;
  double log_norm = 0;
  for (double a : alpha) {
    total += a;
    log_norm -= log_gamma(a);
  }
  d->numbers()[0] = log_norm + log_gamma(total);
  std::copy(alpha.begin(), alpha.end(), d->numbers() + 1);
  return Value::object(d);
}

Value sample(NativeContext& cx, const Dist* d, Stream& stream) {
  Scratch<double> x(size(d));
  draw_dirichlet(alpha_of(d), size(d), stream, x.data());
  return make_number_vector(*cx.arena, x.data(), size(d));
}

double log_prob(NativeContext&, const Dist* d, const Value& v) {
  const std::size_t k = size(d);
  Scratch<double> x(k);
  if (!read_vector(v, x.data(), k)) return kLogZero;
  double result = d->numbers()[0];
  double sum = 0;
  for (std::size_t i = 0; i < k; ++i) {
    const double a = alpha_of(d)[i];
    if (!(x[i] >= 0) || (x[i] == 0 && a != 1)) return kLogZero;
    sum += x[i];
    if (a != 1) result += (a - 1) * math::log(x[i]);
  }
  return std::fabs(sum - 1) <= 1e-3 ? result : kLogZero;
}

// A component that underflows is clipped to the least draw, which carries the mass of all below:
// the integral of x^(a-1) up to there. The set of these components identifies the part of the
// distribution.
Fit fit(NativeContext& cx, const Dist* d, const Value& v) {
  const std::size_t k = size(d);
  Scratch<double> x(k);
  Fit f{log_prob(cx, d, v), kUsualPart};
  if (f.log_prob == kLogZero || !read_vector(v, x.data(), k)) return f;
  for (std::size_t i = 0; i < k; ++i) {
    if (x[i] != kLeastComponent) continue;
    const double a = alpha_of(d)[i];
    f.log_prob += math::log(kLeastComponent) - math::log(a);
    f.part = mix64(f.part + i + 1);
  }
  return f;
}

bool parameters(const Value* args, std::uint32_t, std::vector<Value>* out) {
  return collect_vector(args[0], out);
}
void gradient(NativeContext&, const Dist* d, const Value& v, double* out) {
  const std::size_t k = size(d);
  Scratch<double> x(k);
  if (!read_vector(v, x.data(), k)) return;
  double total = 0;
  for (std::size_t i = 0; i < k; ++i) total += alpha_of(d)[i];
  const double psi_total = digamma(total);
  for (std::size_t i = 0; i < k; ++i) {
    const double a = alpha_of(d)[i];
    out[i] = psi_total - digamma(a) + math::log(x[i]);
    out[k + i] = a == 1 ? 0 : (a - 1) / x[i];
  }
}
constexpr WideDensity kDensity{parameters, collect_vector, gradient, size};

constexpr DistType kType = [] {
  DistType t{};
  t.name = "dirichlet";
  t.parameter_names = kNames;
  t.parameter_count = 1;
  t.support = DistSupport::Simplex;
  t.doc = "Vectors of probabilities with the given concentrations.";
  t.construct = construct;
  t.sample = sample;
  t.log_prob = log_prob;
  t.fit = fit;
  t.wide_density = &kDensity;
  return t;
}();

}  // namespace

const DistType* const dirichlet_dist = &kType;

}  // namespace chancel
