// SPDX-License-Identifier: Apache-2.0
// The Dirichlet process (DP alpha H) or (DP alpha H counts), and the distribution it produces,
// (categorical-dp counts H alpha): an earlier value in proportion to its count, or a draw of H in
// proportion to alpha. H is a distribution object. Scores add the atom's mass and alpha times the
// density of H, as the reference does; for continuous H those are of different kinds, and where
// distributions are compared (Fit) an earlier value counts by its mass only.
#include "diag/diagnostic.hpp"
#include "dist/object.hpp"
#include "dist/parameters.hpp"
#include "math/elementary.hpp"
#include "random/stream.hpp"
#include "value/equality.hpp"
#include "value/observed_value.hpp"

namespace chancel {
extern const DistType* const categorical_dp_dist;
extern const ProcessType* const dp_process;
namespace {

constexpr const char* kProcessNames[] = {"alpha", "H", "counts"};
constexpr const char* kDistNames[] = {"counts", "H", "alpha"};

// numbers of both objects: alpha, sum of the counts.
struct State {
  Value alpha, base, counts;
  double concentration = 0;
  double seen = 0;
};

bool read_state(NativeContext& cx, const char* name, int alpha, int base, int counts, State* s) {
  if (!read_parameter(cx, name, {"alpha", Rule::Positive}, alpha, s->alpha, &s->concentration)) {
    return false;
  }
  if (!s->base.is(Tag::Dist)) {
    fail_type(cx, name, "H", "a distribution", s->base, base);
    return false;
  }
  if (s->counts.is_nil()) s->counts = empty_map(*cx.arena);
  if (!is_map(s->counts)) {
    fail_type(cx, name, "counts", "a map from values to counts", s->counts, counts);
    return false;
  }
  map_each(s->counts, [&](const Value&, const Value& count) {
    double c;
    if (!cx.ok()) return;
    if (read_parameter(cx, name, {"each count", Rule::Positive}, counts, count, &c)) s->seen += c;
  });
  return cx.ok();
}

Value make_dp(Arena& arena, const State& s) {
  Process* p = make_process(arena, dp_process, 3, 2);
  value_at(p, 0) = s.alpha;
  value_at(p, 1) = s.base;
  value_at(p, 2) = s.counts;
  p->numbers()[0] = s.concentration;
  p->numbers()[1] = s.seen;
  return Value::object(p);
}
Value make_categorical(Arena& arena, const State& s) {
  Dist* d = make_dist(arena, categorical_dp_dist, 3, 2);
  value_at(d, 0) = s.counts;
  value_at(d, 1) = s.base;
  value_at(d, 2) = s.alpha;
  d->numbers()[0] = s.concentration;
  d->numbers()[1] = s.seen;
  return Value::object(d);
}
State state_of(const Process* p) {
  return {value_at(p, 0), value_at(p, 1), value_at(p, 2), p->numbers()[0], p->numbers()[1]};
}

Value construct_process(NativeContext& cx, const Value* args, std::uint32_t count) {
  State s{args[0], args[1], count > 2 ? args[2] : Value::nil()};
  return read_state(cx, "DP", 0, 1, 2, &s) ? make_dp(*cx.arena, s) : Value::nil();
}
Value construct_dist(NativeContext& cx, const Value* args, std::uint32_t) {
  State s{args[2], args[1], args[0]};
  return read_state(cx, "categorical-dp", 2, 1, 0, &s) ? make_categorical(*cx.arena, s)
                                                       : Value::nil();
}

Value produce(NativeContext& cx, const Process* p) {
  return make_categorical(*cx.arena, state_of(p));
}
// What was observed may be written otherwise than the base gives it: 3.0 for 3. A base that lists its
// values scores these only, and observe tries the other notation.
Value value_of_base(NativeContext& cx, const Value& base, const Value& x) {
  if (!x.is(Tag::Double) && !x.is(Tag::Int) && !x.is(Tag::Bool)) return x;
  const auto* d = base.as<Dist>();
  while (d->type == categorical_dp_dist) d = value_at(d, 1).template as<Dist>();
  const bool lists =
      d->type->support == DistSupport::FiniteValues || d->type->support == DistSupport::Other;
  return lists ? x : own_value(cx, d, x);
}

Value absorb(NativeContext& cx, const Process* p, const Value& observed) {
  State s = state_of(p);
  const Value x = value_of_base(cx, s.base, observed);
  const Value* old = map_find(s.counts, x);
  const Value count = old ? add(cx, *old, Value::integer(1)) : Value::integer(1);
  if (!cx.ok()) return Value::nil();
  s.counts = map_assoc(*cx.arena, s.counts, x, count);
  s.seen += 1;
  return make_dp(*cx.arena, s);
}

Value sample(NativeContext& cx, const Dist* d, Stream& stream) {
  const double alpha = d->numbers()[0];
  const double seen = d->numbers()[1];
  const double target = stream.uniform() * (seen + alpha);
  if (target < seen) {
    Value chosen = Value::nil();
    bool found = false;
    double sum = 0;
    map_each(value_at(d, 0), [&](const Value& value, const Value& count) {
      double c = 0;
      if (found) return;
      read_number(count, &c);
      sum += c;
      chosen = value;
      found = target < sum;
    });
    return chosen;
  }
  const auto* base = value_at(d, 1).template as<Dist>();
  return base->type->sample(cx, base, stream);
}

double log_prob(NativeContext& cx, const Dist* d, const Value& observed) {
  const Value x = value_of_base(cx, value_at(d, 1), observed);
  const double alpha = d->numbers()[0];
  const double log_total = math::log(d->numbers()[1] + alpha);
  double atom = kLogZero;
  if (const Value* count = map_find(value_at(d, 0), x)) {
    double c = 0;
    read_number(*count, &c);
    atom = math::log(c) - log_total;
  }
  const auto* base = value_at(d, 1).template as<Dist>();
  return log_add(atom, math::log(alpha) - log_total + base->type->log_prob(cx, base, x));
}

// All draws from the distribution are point masses.
bool all_masses(const Dist* d) {
  while (d->type == categorical_dp_dist) d = value_at(d, 1).template as<Dist>();
  return d->type->discrete;
}

Fit fit(NativeContext& cx, const Dist* d, const Value& x) {
  if (all_masses(d)) return {log_prob(cx, d, x), kUsualPart};
  const double alpha = d->numbers()[0];
  const double log_total = math::log(d->numbers()[1] + alpha);
  const auto* base = value_at(d, 1).template as<Dist>();
  Fit f = base->type->fit ? base->type->fit(cx, base, x)
                          : Fit{base->type->log_prob(cx, base, x), kUsualPart};
  f.log_prob += math::log(alpha) - log_total;
  if (const Value* count = map_find(value_at(d, 0), x)) {
    double c = 0;
    read_number(*count, &c);
    const double atom = math::log(c) - log_total;
    f = {f.part == kPointMass ? log_add(atom, f.log_prob) : atom, kPointMass};
  }
  return f;
}

constexpr DistType kDistType = [] {
  DistType t{};
  t.name = "categorical-dp";
  t.parameter_names = kDistNames;
  t.parameter_count = 3;
  t.support = DistSupport::Other;
  t.doc = "An earlier value in proportion to its count, or a draw of H in proportion to alpha.";
  t.construct = construct_dist;
  t.sample = sample;
  t.log_prob = log_prob;
  t.fit = fit;
  return t;
}();

constexpr ProcessType kProcessType = {
    "DP",
    kProcessNames,
    3,
    "Dirichlet process with concentration alpha and base distribution H.",
    construct_process,
    produce,
    absorb};

}  // namespace

const DistType* const categorical_dp_dist = &kDistType;
const ProcessType* const dp_process = &kProcessType;

}  // namespace chancel
