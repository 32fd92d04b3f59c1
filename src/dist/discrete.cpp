// SPDX-License-Identifier: Apache-2.0
// (discrete weights): the integers 0 .. k-1 with unnormalised weights, given as a vector, list or
// any other sequence. The object keeps the cumulative weights. The direct paths walk the sequence
// twice (sum, then choose) and build nothing.
#include "diag/diagnostic.hpp"
#include "dist/kernel/weights.hpp"
#include "dist/object.hpp"
#include "dist/parameters.hpp"
#include "dist/wide.hpp"
#include "math/elementary.hpp"

namespace chancel {
extern const DistType* const discrete_dist;
namespace {

constexpr const char* kName = "discrete";
constexpr const char* kNames[] = {"weights"};
constexpr const char* kZeroTotal = "discrete: weights must have a positive, finite sum";

WeightTable table(const Dist* d) {
  return {const_cast<double*>(d->numbers()), (d->number_count - 2) / 2};
}

Value construct(NativeContext& cx, const Value* args, std::uint32_t) {
  std::vector<double> weights;
  if (args[0].is(Tag::Vector)) weights.reserve(args[0].as<Vector>()->count);
  if (!read_numbers(cx, kName, {"weights", Rule::NonNegative}, 0, args[0], &weights)) {
    return Value::nil();
  }
  const std::size_t k = weights.size();
  Dist* d = make_dist(*cx.arena, discrete_dist, 1, WeightTable::numbers(k));
  d->values[0] = args[0];
  const WeightTable t{d->numbers(), k};
  std::copy(weights.begin(), weights.end(), t.weights());
  if (!t.finish()) return cx.fail(Code::D001, kZeroTotal, 0);
  return Value::object(d);
}

Value sample(NativeContext&, const Dist* d, Stream& stream) {
  return Value::integer(static_cast<std::int64_t>(table(d).draw(stream)));
}
double log_prob(NativeContext&, const Dist* d, const Value& x) {
  if (!x.is(Tag::Int) || x.i < 0) return kLogZero;
  return table(d).log_prob(static_cast<std::size_t>(x.i));
}

// Mean of f(i) over the distribution.
template <class F>
double expect(const Dist* d, F f) {
  const WeightTable t = table(d);
  double sum = 0;
  for (std::size_t i = 0; i < t.k; ++i) sum += t.weights()[i] / t.total() * f(i);
  return sum;
}
double mean(const Dist* d) {
  return expect(d, [](std::size_t i) { return static_cast<double>(i); });
}
double variance(const Dist* d) {
  const double m = mean(d);
  return expect(d, [m](std::size_t i) {
    const double e = static_cast<double>(i) - m;
    return e * e;
  });
}
double cdf(const Dist* d, double x) {
  const WeightTable t = table(d);
  if (!(x >= 0)) return 0;
  if (x >= static_cast<double>(t.k - 1)) return 1;
  return t.cumulative()[static_cast<std::size_t>(x)] / t.total();
}
double quantile(const Dist* d, double p) {
  const WeightTable t = table(d);
  std::size_t i = 0;
  while (i < t.last_possible() && (t.weights()[i] == 0 || t.cumulative()[i] < p * t.total())) ++i;
  return static_cast<double>(i);
}
void bounds(const Dist* d, double* lower, double* upper) {
  *lower = 0;
  *upper = static_cast<double>(table(d).k - 1);
}
Value enumerate(const Dist* d, Arena& arena) {
  std::vector<Value> items(table(d).k);
  for (std::size_t i = 0; i < items.size(); ++i) {
    items[i] = Value::integer(static_cast<std::int64_t>(i));
  }
  return make_vector(arena, items.data(), items.size());
}

// Sum of the weights; negative when they are not plain valid numbers.
double sum_of(const Value& weights) {
  double sum = 0;
  const bool ok = each_item(weights, [&sum](const Value& v) {
    double w = 0;
    if (!read_number(v, &w) || !holds(Rule::NonNegative, w)) return false;
    sum += w;
    return true;
  });
  return ok && sum > 0 && sum < kInfinity ? sum : -1;
}
bool sample_direct(const Value* args, std::uint32_t count, Stream& stream, Value* out) {
  if (count != 1) return false;
  const double total = sum_of(args[0]);
  if (total < 0) return false;
  const double target = stream.uniform() * total;
  double sum = 0;
  std::int64_t index = 0;
  std::int64_t last = 0;
  const bool past_the_end = each_item(args[0], [&](const Value& v) {
    double w = 0;
    read_number(v, &w);
    if (w > 0) last = index;
    sum += w;
    if (target < sum) return false;
    ++index;
    return true;
  });
  *out = Value::integer(past_the_end ? last : index);
  return true;
}
bool log_prob_direct(const Value* args, std::uint32_t count, const Value& x, double* out) {
  if (count != 1) return false;
  const double total = sum_of(args[0]);
  if (total < 0) return false;
  *out = kLogZero;
  if (!x.is(Tag::Int) || x.i < 0) return true;
  std::int64_t index = 0;
  each_item(args[0], [&](const Value& v) {
    if (index++ != x.i) return true;
    double w = 0;
    read_number(v, &w);
    if (w > 0) *out = math::log(w) - math::log(total);
    return false;
  });
  return true;
}

bool parameters(const Value* args, std::uint32_t, std::vector<Value>* out) {
  return collect_vector(args[0], out);
}
void gradient(NativeContext&, const Dist* d, const Value& x, double* out) {
  const WeightTable t = table(d);
  for (std::size_t i = 0; i < t.k; ++i) {
    const bool chosen = x.is(Tag::Int) && x.i == static_cast<std::int64_t>(i);
    out[i] = (chosen ? 1 / t.weights()[i] : 0) - 1 / t.total();
  }
}
constexpr WideDensity kDensity{parameters, collect_nothing, gradient, no_numbers,
                               WeightsAre::Plain};

constexpr DistType kType = [] {
  DistType t{};
  t.name = kName;
  t.parameter_names = kNames;
  t.parameter_count = 1;
  t.support = DistSupport::FiniteIntegers;
  t.discrete = true;
  t.doc = "The integers 0 .. k-1 with k unnormalised weights.";
  t.construct = construct;
  t.sample = sample;
  t.log_prob = log_prob;
  t.mean = mean;
  t.variance = variance;
  t.cdf = cdf;
  t.quantile = quantile;
  t.bounds = bounds;
  t.enumerate = enumerate;
  t.sample_direct = sample_direct;
  t.log_prob_direct = log_prob_direct;
  t.wide_density = &kDensity;
  return t;
}();

}  // namespace

const DistType* const discrete_dist = &kType;

}  // namespace chancel
