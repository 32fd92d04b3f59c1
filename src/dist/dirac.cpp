// SPDX-License-Identifier: Apache-2.0
// (dirac x): always x, of any type. Scoring compares numbers by value (1 is 1.0) and the rest with
// =.
#include "dist/object.hpp"
#include "dist/parameters.hpp"
#include "value/collections.hpp"
#include "value/equality.hpp"

namespace chancel {
extern const DistType* const dirac_dist;
namespace {

constexpr const char* kNames[] = {"value"};

Value construct(NativeContext& cx, const Value* args, std::uint32_t) {
  Dist* d = make_dist(*cx.arena, dirac_dist, 1, 0);
  d->values[0] = args[0];
  return Value::object(d);
}
Value sample(NativeContext&, const Dist* d, Stream&) { return d->values[0]; }
bool same(const Value& a, const Value& b) {
  return a.is_number() && b.is_number() ? numeric_equal(a, b) : equal(a, b);
}
double log_prob(NativeContext&, const Dist* d, const Value& x) {
  return same(d->values[0], x) ? 0 : kLogZero;
}
Value enumerate(const Dist* d, Arena& arena) { return make_vector(arena, d->values, 1); }
bool sample_direct(const Value* args, std::uint32_t count, Stream&, Value* out) {
  if (count != 1) return false;
  *out = args[0];
  return true;
}
bool log_prob_direct(const Value* args, std::uint32_t count, const Value& x, double* out) {
  if (count != 1) return false;
  *out = same(args[0], x) ? 0 : kLogZero;
  return true;
}

constexpr DistType kType = [] {
  DistType t{};
  t.name = "dirac";
  t.parameter_names = kNames;
  t.parameter_count = 1;
  t.support = DistSupport::Point;
  t.discrete = true;
  t.doc = "All mass on one value.";
  t.construct = construct;
  t.sample = sample;
  t.log_prob = log_prob;
  t.enumerate = enumerate;
  t.sample_direct = sample_direct;
  t.log_prob_direct = log_prob_direct;
  return t;
}();

}  // namespace

const DistType* const dirac_dist = &kType;

}  // namespace chancel
