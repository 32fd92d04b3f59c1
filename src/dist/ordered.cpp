// SPDX-License-Identifier: Apache-2.0
// (ordered dist n): n independent draws from a continuous distribution of numbers, in increasing
// order, as a vector.
#include "dist/base_distribution.hpp"
#include "dist/number_vector.hpp"
#include "dist/object.hpp"
#include "math/special.hpp"

namespace chancel {
extern const DistType* const ordered_dist;
namespace {

constexpr const char* kName = "ordered";
constexpr const char* kNames[] = {"dist", "n"};
constexpr double kMost = 1e6;

// numbers: n.
std::size_t size(const Dist* d) { return static_cast<std::size_t>(d->numbers()[0]); }

Value construct(NativeContext& cx, const Value* args, std::uint32_t) {
  if (!is_number_distribution(args[0]) || args[0].as<Dist>()->type->discrete) {
    return fail_type(cx, kName, "dist", "a continuous distribution of numbers", args[0], 0);
  }
  double n;
  if (!read_parameter(cx, kName, {"n", Rule::Count}, 1, args[1], &n)) return Value::nil();
  if (!(n >= 1 && n <= kMost)) {
    return fail_value(cx, kName, "n", "between 1 and a million", args[1], 1);
  }
  Dist* d = make_dist(*cx.arena, ordered_dist, 2, 1);
  value_at(d, 0) = args[0];
  value_at(d, 1) = args[1];
  d->numbers()[0] = n;
  return Value::object(d);
}

Value sample(NativeContext& cx, const Dist* d, Stream& stream) {
  Scratch<double> x(size(d));
  for (std::size_t i = 0; i < size(d); ++i) {
    const Value v = base_of(d)->type->sample(cx, base_of(d), stream);
    if (!cx.ok()) return Value::nil();
    x[i] = to_double(v);
  }
  std::sort(x.data(), x.data() + size(d));
  return make_number_vector(*cx.arena, x.data(), size(d));
}
double log_prob(NativeContext& cx, const Dist* d, const Value& v) {
  Scratch<double> x(size(d));
  if (!read_vector(v, x.data(), size(d))) return kLogZero;
  double result = log_factorial(d->numbers()[0]);
  for (std::size_t i = 0; i < size(d); ++i) {
    if (i > 0 && !(x[i - 1] <= x[i])) return kLogZero;
    result += base_of(d)->type->log_prob(cx, base_of(d), Value::real(x[i]));
  }
  return result;
}

bool parameters(const Value* args, std::uint32_t, std::vector<Value>* out) {
  return collect_base(args[0], out) && collect_number(args[1], out);
}
// The base, n, then x.
void gradient(NativeContext&, const Dist* d, const Value& v, double* out) {
  const std::uint32_t n = base_of(d)->type->parameter_count;
  Scratch<double> x(size(d));
  if (!read_vector(v, x.data(), size(d))) return;
  std::vector<double> one(n + 1);
  std::fill_n(out, n + 1, 0.0);
  for (std::size_t i = 0; i < size(d); ++i) {
    base_gradient(base_of(d), Value::real(x[i]), one.data());
    for (std::uint32_t j = 0; j < n; ++j) out[j] += one[j];
    out[n + 1 + i] = one[n];
  }
}
constexpr WideDensity kDensity{parameters, collect_vector, gradient, size};

constexpr DistType kType = [] {
  DistType t{};
  t.name = kName;
  t.parameter_names = kNames;
  t.parameter_count = 2;
  t.support = DistSupport::OrderedVector;
  t.doc = "n draws from a continuous distribution of numbers, in increasing order.";
  t.construct = construct;
  t.sample = sample;
  t.log_prob = log_prob;
  t.wide_density = &kDensity;
  return t;
}();

}  // namespace

const DistType* const ordered_dist = &kType;

}  // namespace chancel
