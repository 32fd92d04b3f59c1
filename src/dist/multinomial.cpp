// SPDX-License-Identifier: Apache-2.0
// (multinomial n weights) and (dirichlet-multinomial n alpha): vectors of k counts that sum to n. A
// multinomial draw is a chain of k-1 binomials; the other draws its probabilities first.
#include "diag/diagnostic.hpp"
#include "dist/kernel/binomial.hpp"
#include "dist/kernel/dirichlet.hpp"
#include "dist/number_vector.hpp"
#include "dist/object.hpp"
#include "dist/scalar.hpp"
#include "dist/wide.hpp"
#include "math/elementary.hpp"
#include "math/special.hpp"

namespace chancel {
extern const DistType* const multinomial_dist;
extern const DistType* const dirichlet_multinomial_dist;
namespace {

constexpr const char* kNames[] = {"n", "weights"};
constexpr const char* kAlphaNames[] = {"n", "alpha"};

// numbers: n, the sum of the weights, then the weights (alpha).
std::size_t size(const Dist* d) { return d->number_count - 2; }
double trials(const Dist* d) { return d->numbers()[0]; }
double total(const Dist* d) { return d->numbers()[1]; }
const double* weights(const Dist* d) { return d->numbers() + 2; }

Value build(NativeContext& cx, const DistType* type, const Parameter& list, const Value* args) {
  double n;
  std::vector<double> w;
  if (!read_parameter(cx, type->name, {"n", Rule::Count}, 0, args[0], &n) ||
      !read_numbers(cx, type->name, list, 1, args[1], &w)) {
    return Value::nil();
  }
  Dist* d = make_dist(*cx.arena, type, 2, 2 + w.size());
  value_at(d, 0) = args[0];
  value_at(d, 1) = args[1];
  double sum = 0;
  for (double x : w) sum += x;
  if (!(sum > 0) || !std::isfinite(sum)) {
    return cx.fail(Code::D001,
                   std::string(type->name) + ": " + list.name + " must have a positive, finite sum",
                   1);
  }
  d->numbers()[0] = n;
  d->numbers()[1] = sum;
  std::copy(w.begin(), w.end(), d->numbers() + 2);
  return Value::object(d);
}

Value construct(NativeContext& cx, const Value* args, std::uint32_t) {
  return build(cx, multinomial_dist, {"weights", Rule::NonNegative}, args);
}
Value construct_dirichlet(NativeContext& cx, const Value* args, std::uint32_t) {
  return build(cx, dirichlet_multinomial_dist, {"alpha", Rule::Positive}, args);
}

Value draw_counts(double n, const double* w, std::size_t k, double sum, Stream& stream,
                  Arena& arena) {
  Scratch<Value> counts(k);
  std::size_t last = k - 1;  // the last index that can have a count takes what is left
  while (w[last] == 0) --last;
  for (std::size_t i = 0; i < k; ++i) {
    double c = 0;
    if (i == last) {
      c = n;
    } else if (n > 0 && w[i] > 0) {
      c = draw_binomial(n, std::fmin(w[i] / sum, 1), stream);
    }
    n -= c;
    sum -= w[i];
    counts[i] = Value::integer(static_cast<std::int64_t>(c));
  }
  return make_vector(arena, counts.data(), k);
}

Value sample(NativeContext& cx, const Dist* d, Stream& stream) {
  return draw_counts(trials(d), weights(d), size(d), total(d), stream, *cx.arena);
}
Value sample_dirichlet(NativeContext& cx, const Dist* d, Stream& stream) {
  Scratch<double> p(size(d));
  draw_dirichlet(weights(d), size(d), stream, p.data());
  double sum = 0;
  for (std::size_t i = 0; i < size(d); ++i) sum += p[i];
  return draw_counts(trials(d), p.data(), size(d), sum, stream, *cx.arena);
}

// Calls f(weight, count) for k counts that sum to n; false for any other value.
template <class F>
bool each_count(const Dist* d, const Value& x, F f) {
  if (x.is_nil()) return false;
  std::size_t i = 0;
  double sum = 0;
  const bool all = each_item(x, [&](const Value& item) {
    double c;
    if (i >= size(d) || !CountKind::read(item, &c) || c < 0) return false;
    sum += c;
    f(weights(d)[i++], c);
    return true;
  });
  return all && i == size(d) && sum == trials(d);
}

double log_prob(NativeContext&, const Dist* d, const Value& x) {
  double result = log_factorial(trials(d));
  const double log_total = math::log(total(d));
  const bool ok = each_count(d, x, [&](double w, double c) {
    if (c > 0) result += c * (math::log(w) - log_total) - log_factorial(c);
  });
  return ok ? result : kLogZero;
}
double log_prob_dirichlet(NativeContext&, const Dist* d, const Value& x) {
  const double n = trials(d);
  const double a = total(d);
  double result = log_factorial(n) + log_gamma(a) - log_gamma(n + a);
  const bool ok = each_count(d, x, [&](double w, double c) {
    if (c > 0) result += log_gamma(c + w) - log_gamma(w) - log_factorial(c);
  });
  return ok ? result : kLogZero;
}

bool parameters(const Value* args, std::uint32_t, std::vector<Value>* out) {
  return collect_number(args[0], out) && collect_vector(args[1], out);
}
void gradient(NativeContext&, const Dist* d, const Value& x, double* out) {
  *out++ = 0;
  each_count(d, x,
             [&](double w, double c) { *out++ = (c > 0 ? c / w : 0) - trials(d) / total(d); });
}
void gradient_dirichlet(NativeContext&, const Dist* d, const Value& x, double* out) {
  const double both = digamma(total(d)) - digamma(trials(d) + total(d));
  *out++ = 0;
  each_count(
      d, x, [&](double a, double c) { *out++ = (c > 0 ? digamma(c + a) - digamma(a) : 0) + both; });
}
constexpr WideDensity kDensity{parameters, collect_nothing, gradient, no_numbers};
constexpr WideDensity kDirichletDensity{parameters, collect_nothing, gradient_dirichlet,
                                        no_numbers};

constexpr DistType kType = [] {
  DistType t{};
  t.name = "multinomial";
  t.parameter_names = kNames;
  t.parameter_count = 2;
  t.support = DistSupport::Other;
  t.discrete = true;
  t.doc = "Counts of n draws among k outcomes with unnormalised weights.";
  t.construct = construct;
  t.sample = sample;
  t.log_prob = log_prob;
  t.wide_density = &kDensity;
  return t;
}();

constexpr DistType kDirichletType = [] {
  DistType t{};
  t.name = "dirichlet-multinomial";
  t.parameter_names = kAlphaNames;
  t.parameter_count = 2;
  t.support = DistSupport::Other;
  t.discrete = true;
  t.doc = "Counts of n draws among k outcomes whose probabilities are a Dirichlet draw.";
  t.construct = construct_dirichlet;
  t.sample = sample_dirichlet;
  t.log_prob = log_prob_dirichlet;
  t.wide_density = &kDirichletDensity;
  return t;
}();

}  // namespace

const DistType* const multinomial_dist = &kType;
const DistType* const dirichlet_multinomial_dist = &kDirichletType;

}  // namespace chancel
