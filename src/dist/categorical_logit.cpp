// SPDX-License-Identifier: Apache-2.0
// (categorical-logit logits): the integers 0 .. k-1 with probabilities proportional to exp(logit).
// The weights are kept relative to the largest.
#include "dist/kernel/weights.hpp"
#include "dist/object.hpp"
#include "dist/parameters.hpp"
#include "dist/wide.hpp"
#include "math/elementary.hpp"

namespace chancel {
extern const DistType* const categorical_logit_dist;
namespace {

constexpr const char* kName = "categorical-logit";
constexpr const char* kNames[] = {"logits"};

// numbers: a WeightTable, then the logits less the logarithm of the sum of their exponentials.
std::size_t size(const Dist* d) { return (d->number_count - 2) / 3; }
WeightTable table(const Dist* d) { return {const_cast<double*>(d->numbers()), size(d)}; }
double* log_mass(const Dist* d) {
  return const_cast<double*>(d->numbers()) + WeightTable::numbers(size(d));
}

Value construct(NativeContext& cx, const Value* args, std::uint32_t) {
  std::vector<double> logits;
  if (!read_numbers(cx, kName, {"logits", Rule::Finite}, 0, args[0], &logits)) return Value::nil();
  const std::size_t k = logits.size();
  Dist* d = make_dist(*cx.arena, categorical_logit_dist, 1, WeightTable::numbers(k) + k);
  d->values[0] = args[0];
  const WeightTable t = table(d);
  const double high = *std::max_element(logits.begin(), logits.end());
  for (std::size_t i = 0; i < k; ++i) t.weights()[i] = math::exp(logits[i] - high);
  t.finish();  // the largest weight is 1
  for (std::size_t i = 0; i < k; ++i) log_mass(d)[i] = logits[i] - high - t.log_total();
  return Value::object(d);
}

Value sample(NativeContext&, const Dist* d, Stream& stream) {
  return Value::integer(static_cast<std::int64_t>(table(d).draw(stream)));
}
double log_prob(NativeContext&, const Dist* d, const Value& x) {
  if (!x.is(Tag::Int) || x.i < 0 || static_cast<std::size_t>(x.i) >= size(d)) return kLogZero;
  return log_mass(d)[x.i];
}
void bounds(const Dist* d, double* lower, double* upper) {
  *lower = 0;
  *upper = static_cast<double>(size(d) - 1);
}
Value enumerate(const Dist* d, Arena& arena) {
  std::vector<Value> items(size(d));
  for (std::size_t i = 0; i < items.size(); ++i) {
    items[i] = Value::integer(static_cast<std::int64_t>(i));
  }
  return make_vector(arena, items.data(), items.size());
}

bool parameters(const Value* args, std::uint32_t, std::vector<Value>* out) {
  return collect_vector(args[0], out);
}
void gradient(NativeContext&, const Dist* d, const Value& x, double* out) {
  for (std::size_t i = 0; i < size(d); ++i) {
    out[i] =
        (x.is(Tag::Int) && x.i == static_cast<std::int64_t>(i) ? 1 : 0) - math::exp(log_mass(d)[i]);
  }
}
constexpr WideDensity kDensity{parameters, collect_nothing, gradient, no_numbers, WeightsAre::Logs};

constexpr DistType kType = [] {
  DistType t{};
  t.name = kName;
  t.parameter_names = kNames;
  t.parameter_count = 1;
  t.support = DistSupport::FiniteIntegers;
  t.discrete = true;
  t.doc = "The integers 0 .. k-1 with probabilities proportional to exp(logit).";
  t.construct = construct;
  t.sample = sample;
  t.log_prob = log_prob;
  t.bounds = bounds;
  t.enumerate = enumerate;
  t.wide_density = &kDensity;
  return t;
}();

}  // namespace

const DistType* const categorical_logit_dist = &kType;

}  // namespace chancel
