// SPDX-License-Identifier: Apache-2.0
// (categorical pairs): any values with unnormalised weights, as a sequence of [value weight] pairs
// or as a map from value to weight. A value that is listed twice has the sum of its weights.
// Scoring compares with = and is linear in the number of values; more than eight plain ones are
// hashed.
#include <bit>
#include <cstring>

#include "diag/diagnostic.hpp"
#include "dist/kernel/weights.hpp"
#include "dist/object.hpp"
#include "dist/parameters.hpp"
#include "dist/wide.hpp"
#include "math/elementary.hpp"
#include "value/equality.hpp"

namespace chancel {
extern const DistType* const categorical_dist;
namespace {

constexpr const char* kName = "categorical";
constexpr const char* kNames[] = {"pairs"};
constexpr std::size_t kScanned = 8;

// values: the argument, then the k values. numbers: a WeightTable over them, then (only if there
// are more than kScanned values, all hashable without an address) an open-addressing table of
// indices.
std::size_t size_of_dist(const Dist* d) { return d->value_count - 1; }
WeightTable table(const Dist* d) { return {const_cast<double*>(d->numbers()), size_of_dist(d)}; }
std::size_t slots_for(std::size_t k) { return std::bit_ceil(2 * k); }
// Index + 1 in each slot, 0 = free; one 8-byte number a slot.
std::uint64_t slot(const double* slots, std::size_t i) {
  return std::bit_cast<std::uint64_t>(slots[i]);
}

// Closures and the like are equal by identity; a collection may move them, so they are not hashed.
bool hashable(const Value& v) {
  return v.tag <= Tag::Symbol || v.is(Tag::String) || v.is(Tag::Ratio) || v.is(Tag::BigInt);
}

struct Pairs {
  std::vector<Value> values;
  std::vector<double> weights;
  bool hashable = true;

  bool add(NativeContext& cx, const Value& value, const Value& weight) {
    double w;
    if (!read_parameter(cx, kName, {"each weight", Rule::NonNegative}, 0, weight, &w)) return false;
    hashable = hashable && chancel::hashable(value);
    values.push_back(value);
    weights.push_back(w);
    return true;
  }
};

bool read_pair(NativeContext& cx, const Value& pair, Pairs* pairs) {
  Value items[2];
  int n = 0;
  if (is_sequential(pair)) {
    for (SeqCursor it(cx, pair, kName, 0); it.next(); ++n) {
      if (n < 2) items[n] = it.item();
    }
    if (!cx.ok()) return false;
    if (n == 2) return pairs->add(cx, items[0], items[1]);
  }
  fail_type(cx, kName, "each item of pairs", "a [value weight] pair", pair, 0);
  return false;
}

Value construct(NativeContext& cx, const Value* args, std::uint32_t) {
  Pairs pairs;
  if (is_map(args[0])) {
    map_each(args[0], [&](const Value& value, const Value& weight) {
      if (cx.ok()) pairs.add(cx, value, weight);
    });
  } else if (is_sequential(args[0])) {
    // Weights alone are those of 0, 1, 2 ..., as the paper writes it.
    for (SeqCursor it(cx, args[0], kName, 0); it.next();) {
      const auto index = static_cast<std::int64_t>(pairs.values.size());
      const bool weight = it.item().is_number();
      if (weight ? !pairs.add(cx, Value::integer(index), it.item())
                 : !read_pair(cx, it.item(), &pairs))
        return Value::nil();
    }
  } else {
    return fail_type(cx, kName, "pairs", "a sequence of [value weight] pairs or a map", args[0], 0);
  }
  if (!cx.ok()) return Value::nil();
  const std::size_t k = pairs.values.size();
  if (k == 0) return cx.fail(Code::D001, "categorical: pairs must not be empty", 0);
  const std::size_t slots = k > kScanned && pairs.hashable ? slots_for(k) : 0;
  Dist* d = make_dist(*cx.arena, categorical_dist, 1 + k, WeightTable::numbers(k) + slots);
  d->values[0] = args[0];
  std::copy(pairs.values.begin(), pairs.values.end(), d->values + 1);
  const WeightTable t = table(d);
  std::copy(pairs.weights.begin(), pairs.weights.end(), t.weights());
  if (!t.finish()) {
    return cx.fail(Code::D001, "categorical: weights must have a positive, finite sum", 0);
  }
  double* index = d->numbers() + WeightTable::numbers(k);
  std::fill(index, index + slots, std::bit_cast<double>(std::uint64_t{0}));
  for (std::size_t i = 0; slots && i < k; ++i) {
    std::size_t at = hash(d->values[1 + i]) & (slots - 1);
    while (slot(index, at)) at = (at + 1) & (slots - 1);
    index[at] = std::bit_cast<double>(static_cast<std::uint64_t>(i + 1));
  }
  return Value::object(d);
}

Value sample(NativeContext&, const Dist* d, Stream& stream) {
  return d->values[1 + table(d).draw(stream)];
}

double log_prob(NativeContext&, const Dist* d, const Value& x) {
  const WeightTable t = table(d);
  double weight = 0;
  const std::size_t slots = d->number_count - WeightTable::numbers(t.k);
  if (slots) {
    if (!hashable(x)) return kLogZero;
    const double* index = d->numbers() + WeightTable::numbers(t.k);
    for (std::size_t at = hash(x) & (slots - 1); slot(index, at); at = (at + 1) & (slots - 1)) {
      const std::size_t i = slot(index, at) - 1;
      if (equal(d->values[1 + i], x)) weight += t.weights()[i];
    }
  } else {
    for (std::size_t i = 0; i < t.k; ++i) {
      if (equal(d->values[1 + i], x)) weight += t.weights()[i];
    }
  }
  return weight > 0 ? math::log(weight) - t.log_total() : kLogZero;
}

// The different values in the order given.
Value enumerate(const Dist* d, Arena& arena) {
  std::vector<Value> items;
  for (std::size_t i = 0; i < size_of_dist(d); ++i) {
    const Value& v = d->values[1 + i];
    bool seen = false;
    for (const Value& other : items) seen = seen || equal(v, other);
    if (!seen) items.push_back(v);
  }
  return make_vector(arena, items.data(), items.size());
}

// The weights. Values that move would be compared with each other: that is not known here.
bool parameters(const Value* args, std::uint32_t, std::vector<Value>* out) {
  bool ok = true;
  if (is_map(args[0])) {
    map_each(args[0], [&](const Value& value, const Value& weight) {
      ok = ok && !value.is(Tag::Node) && collect_number(weight, out);
    });
    return ok;
  }
  return each_item(args[0], [&](const Value& pair) {
    std::size_t n = 0;
    return each_item(pair,
                     [&](const Value& item) {
                       return n++ == 0 ? !item.is(Tag::Node) : collect_number(item, out);
                     }) &&
           n == 2;
  });
}
void gradient(NativeContext&, const Dist* d, const Value& x, double* out) {
  const WeightTable t = table(d);
  double weight = 0;
  for (std::size_t i = 0; i < t.k; ++i) {
    if (equal(d->values[1 + i], x)) weight += t.weights()[i];
  }
  for (std::size_t i = 0; i < t.k; ++i) {
    out[i] = (equal(d->values[1 + i], x) ? 1 / weight : 0) - 1 / t.total();
  }
}
constexpr WideDensity kDensity{parameters, collect_nothing, gradient, no_numbers};

constexpr DistType kType = [] {
  DistType t{};
  t.name = kName;
  t.parameter_names = kNames;
  t.parameter_count = 1;
  t.support = DistSupport::FiniteValues;
  t.discrete = true;
  t.doc = "Any values with unnormalised weights, from [value weight] pairs or a map.";
  t.construct = construct;
  t.sample = sample;
  t.log_prob = log_prob;
  t.enumerate = enumerate;
  t.wide_density = &kDensity;
  return t;
}();

}  // namespace

const DistType* const categorical_dist = &kType;

}  // namespace chancel
