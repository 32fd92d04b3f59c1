// SPDX-License-Identifier: Apache-2.0
// The Chinese restaurant process: (CRP alpha) or (CRP alpha counts), and the distribution it
// produces, (categorical-crp counts alpha). Tables are numbered from 0; a new one gets the smallest
// natural number that is not in use. Counts are a vector as long as tables are just 0 .. k-1 (that
// is always so for (CRP alpha)), and a map when given as one. With a vector, producing copies two
// values, drawing scans the counts, and absorbing copies them once.
#include "diag/diagnostic.hpp"
#include "dist/object.hpp"
#include "dist/parameters.hpp"
#include "math/elementary.hpp"
#include "random/stream.hpp"
#include "value/equality.hpp"

namespace chancel {
extern const DistType* const categorical_crp_dist;
extern const ProcessType* const crp_process;
namespace {

// The cached numbers of both objects.
struct Seating {
  double alpha;
  double customers;  // sum of all counts
  double next;       // number of the next new table
};
constexpr std::size_t kNumbers = sizeof(Seating) / 8;

template <class T>
Seating seating(const T* o) {
  const double* n = o->numbers();
  return {n[0], n[1], n[2]};
}

constexpr Parameter kAlpha{"alpha", Rule::Positive};
constexpr const char* kProcessNames[] = {"alpha", "counts"};
constexpr const char* kDistNames[] = {"counts", "alpha"};

Value table_number(double next) { return Value::integer(static_cast<std::int64_t>(next)); }

double smallest_unused(const Value& map, double from) {
  while (map_find(map, table_number(from))) ++from;
  return from;
}

// A count as a number; counts in maps have been checked to be numbers.
double count_of(const Value& v) {
  double x = 0;
  read_number(v, &x);
  return x;
}

bool read_counts(NativeContext& cx, const char* name, int argument, const Value& counts,
                 Seating* s) {
  s->customers = 0;
  const auto add = [&](const Value& v) {
    double c;
    if (!read_parameter(cx, name, {"each count", Rule::Positive}, argument, v, &c)) return false;
    s->customers += c;
    return true;
  };
  if (counts.is(Tag::Vector)) {
    s->next = counts.as<Vector>()->count;
    return each_item(counts, add);
  }
  if (!is_map(counts)) {
    fail_type(cx, name, "counts", "a map from tables to counts", counts, argument);
    return false;
  }
  map_each(counts, [&](const Value&, const Value& v) {
    if (cx.ok()) add(v);
  });
  if (!cx.ok()) return false;
  s->next = smallest_unused(counts, 0);
  return true;
}

Value make_crp(Arena& arena, const Value& alpha, const Value& counts, const Seating& s) {
  Process* p = make_process(arena, crp_process, 2, kNumbers);
  value_at(p, 0) = alpha;
  value_at(p, 1) = counts;
  double* n = p->numbers();
  n[0] = s.alpha, n[1] = s.customers, n[2] = s.next;
  return Value::object(p);
}

Value make_categorical(Arena& arena, const Value& counts, const Value& alpha, const Seating& s) {
  Dist* d = make_dist(arena, categorical_crp_dist, 2, kNumbers);
  value_at(d, 0) = counts;
  value_at(d, 1) = alpha;
  double* n = d->numbers();
  n[0] = s.alpha, n[1] = s.customers, n[2] = s.next;
  return Value::object(d);
}

Value construct_process(NativeContext& cx, const Value* args, std::uint32_t count) {
  Seating s{};
  if (!read_parameter(cx, "CRP", kAlpha, 0, args[0], &s.alpha)) return Value::nil();
  const Value counts = count > 1 && !args[1].is_nil() ? args[1] : empty_vector(*cx.arena);
  if (!read_counts(cx, "CRP", 1, counts, &s)) return Value::nil();
  return make_crp(*cx.arena, args[0], counts, s);
}

Value construct_dist(NativeContext& cx, const Value* args, std::uint32_t) {
  Seating s{};
  const Value counts = args[0].is_nil() ? empty_vector(*cx.arena) : args[0];
  if (!read_counts(cx, "categorical-crp", 0, counts, &s)) return Value::nil();
  if (!read_parameter(cx, "categorical-crp", kAlpha, 1, args[1], &s.alpha)) return Value::nil();
  return make_categorical(*cx.arena, counts, args[1], s);
}

Value produce(NativeContext& cx, const Process* p) {
  return make_categorical(*cx.arena, value_at(p, 1), value_at(p, 0), seating(p));
}

Value one_more(NativeContext& cx, const Value& count) { return add(cx, count, Value::integer(1)); }

Value absorb(NativeContext& cx, const Process* p, const Value& x) {
  Seating s = seating(p);
  Value counts = value_at(p, 1);
  Arena& arena = *cx.arena;
  s.customers += 1;
  if (counts.is(Tag::Vector)) {
    const auto* v = counts.as<Vector>();
    if (x.is(Tag::Int) && x.i >= 0 && x.i < v->count) {
      const auto i = static_cast<std::uint32_t>(x.i);
      counts = vector_assoc(arena, counts, i, one_more(cx, vector_nth(v, i)));
      return make_crp(arena, value_at(p, 0), counts, s);
    }
    if (x.is(Tag::Int) && x.i == v->count) {
      s.next += 1;
      counts = vector_conj(arena, counts, Value::integer(1));
      return make_crp(arena, value_at(p, 0), counts, s);
    }
    // A table out of turn: from here on counts are a map.
    Value map = empty_map(arena);
    for (std::uint32_t i = 0; i < v->count; ++i) {
      map = map_assoc(arena, map, Value::integer(i), vector_nth(v, i));
    }
    counts = map;
  }
  const Value* old = map_find(counts, x);
  counts = map_assoc(arena, counts, x, old ? one_more(cx, *old) : Value::integer(1));
  if (!cx.ok()) return Value::nil();
  s.next = smallest_unused(counts, s.next);
  return make_crp(arena, value_at(p, 0), counts, s);
}

Value sample(NativeContext&, const Dist* d, Stream& stream) {
  const Seating s = seating(d);
  const Value& counts = value_at(d, 0);
  const double target = stream.uniform() * (s.customers + s.alpha);
  const Value fresh = table_number(s.next);
  if (!(target < s.customers)) return fresh;
  double sum = 0;
  if (counts.is(Tag::Vector)) {
    std::int64_t table = 0;
    const bool past_the_end = each_item(counts, [&](const Value& v) {
      sum += v.is(Tag::Int) ? static_cast<double>(v.i) : count_of(v);
      if (target < sum) return false;
      ++table;
      return true;
    });
    return past_the_end ? fresh : Value::integer(table);
  }
  Value chosen = fresh;
  bool found = false;
  map_each(counts, [&](const Value& table, const Value& v) {
    if (found) return;
    sum += count_of(v);
    if (target < sum) chosen = table, found = true;
  });
  return chosen;
}

double log_prob(NativeContext&, const Dist* d, const Value& x) {
  const Seating s = seating(d);
  const Value& counts = value_at(d, 0);
  double weight = 0;
  if (counts.is(Tag::Vector)) {
    const auto* v = counts.as<Vector>();
    if (!x.is(Tag::Int)) return kLogZero;
    if (x.i >= 0 && x.i < v->count)
      weight = count_of(vector_nth(v, static_cast<std::uint32_t>(x.i)));
  } else if (const Value* count = map_find(counts, x)) {
    weight = count_of(*count);
  }
  if (weight == 0) {
    if (!x.is(Tag::Int) || static_cast<double>(x.i) != s.next) return kLogZero;
    weight = s.alpha;
  }
  return math::log(weight) - math::log(s.customers + s.alpha);
}

// The tables in use and the next new one.
Value enumerate(const Dist* d, Arena& arena) {
  std::vector<Value> items;
  const Value& counts = value_at(d, 0);
  if (counts.is(Tag::Vector)) {
    for (std::int64_t i = 0; i < counts.as<Vector>()->count; ++i)
      items.push_back(Value::integer(i));
  } else {
    map_each(counts, [&](const Value& table, const Value&) { items.push_back(table); });
  }
  items.push_back(table_number(seating(d).next));
  return make_vector(arena, items.data(), items.size());
}

constexpr DistType kDistType = [] {
  DistType t{};
  t.name = "categorical-crp";
  t.parameter_names = kDistNames;
  t.parameter_count = 2;
  t.support = DistSupport::FiniteValues;
  t.discrete = true;
  t.doc = "A table in proportion to its count, or the next new one in proportion to alpha.";
  t.construct = construct_dist;
  t.sample = sample;
  t.log_prob = log_prob;
  t.enumerate = enumerate;
  return t;
}();

constexpr ProcessType kProcessType = {
    "CRP",
    kProcessNames,
    2,
    "Chinese restaurant process with concentration alpha, optionally with tables already seated.",
    construct_process,
    produce,
    absorb};

}  // namespace

const DistType* const categorical_crp_dist = &kDistType;
const ProcessType* const crp_process = &kProcessType;

}  // namespace chancel
