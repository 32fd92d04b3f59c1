// SPDX-License-Identifier: Apache-2.0
// (dirichlet-discrete counts): integers 0 .. k-1 whose probabilities have a Dirichlet prior,
// integrated out. Produces (discrete counts); absorbing i adds one to its count.
#include "diag/diagnostic.hpp"
#include "dist/object.hpp"
#include "dist/parameters.hpp"

namespace chancel {
extern const DistType* const discrete_dist;
extern const ProcessType* const dirichlet_discrete_process;
namespace {

constexpr const char* kName = "dirichlet-discrete";
constexpr const char* kNames[] = {"counts"};

// The only value is a Vector of checked numbers.
Value make(Arena& arena, const Value& counts) {
  Process* p = make_process(arena, dirichlet_discrete_process, 1, 0);
  p->values[0] = counts;
  return Value::object(p);
}

Value construct(NativeContext& cx, const Value* args, std::uint32_t) {
  std::vector<double> numbers;
  if (!read_numbers(cx, kName, {"counts", Rule::NonNegative}, 0, args[0], &numbers)) {
    return Value::nil();
  }
  if (args[0].is(Tag::Vector)) return make(*cx.arena, args[0]);
  std::vector<Value> items;
  for (SeqCursor it(cx, args[0], kName, 0); it.next();) items.push_back(it.item());
  return make(*cx.arena, make_vector(*cx.arena, items.data(), items.size()));
}

Value produce(NativeContext& cx, const Process* p) {
  return discrete_dist->construct(cx, p->values, 1);
}

Value absorb(NativeContext& cx, const Process* p, const Value& x) {
  const Value& counts = p->values[0];
  const auto* v = counts.as<Vector>();
  if (!x.is(Tag::Int) || x.i < 0 || x.i >= v->count) {
    return fail_value(cx, kName, "what is absorbed", "an index into the counts", x, -1);
  }
  const auto i = static_cast<std::uint32_t>(x.i);
  const Value count = add(cx, vector_nth(v, i), Value::integer(1));
  if (!cx.ok()) return Value::nil();
  return make(*cx.arena, vector_assoc(*cx.arena, counts, i, count));
}

constexpr ProcessType kType = {
    kName,
    kNames,
    1,
    "Discrete values with Dirichlet pseudo-counts; absorbing a value adds one to its count.",
    construct,
    produce,
    absorb};

}  // namespace

const ProcessType* const dirichlet_discrete_process = &kType;

}  // namespace chancel
