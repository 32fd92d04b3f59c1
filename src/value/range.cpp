// SPDX-License-Identifier: Apache-2.0
// Ranges: start, step and the number of elements left, so that counting is free and walking builds
// nothing. Elements of double ranges come from repeated addition, as in Clojure (so (range 0 1 0.1)
// has 11 elements); ranges of ratios become lists.
#include <cmath>
#include <vector>

#include "value/collections.hpp"
#include "value/number.hpp"

namespace chancel {

namespace {

// Longer double ranges are counted by division instead of by adding up.
constexpr double kCountByAdding = 1e6;

std::int64_t count_integers(std::int64_t start, std::int64_t end, std::int64_t step) {
  using Wide = __int128;
  const Wide distance = step > 0 ? Wide{end} - start : Wide{start} - end;
  const Wide stride = step > 0 ? Wide{step} : -Wide{step};
  if (distance <= 0) return 0;
  const Wide count = (distance + stride - 1) / stride;
  return count > Wide{INT64_MAX} ? INT64_MAX : static_cast<std::int64_t>(count);
}

std::int64_t count_doubles(double start, double end, double step) {
  const double estimate = std::ceil((end - start) / step);
  if (!(estimate > 0)) return 0;
  if (estimate >= 9e18) return -1;
  if (estimate > kCountByAdding) return static_cast<std::int64_t>(estimate);
  std::int64_t count = 0;
  for (double at = start; step > 0 ? at < end : at > end; at += step) ++count;
  return count;
}

Value ratio_list(NativeContext& cx, const Value& start, const Value& end, const Value& step) {
  const int direction = number_order(cx, "range", step, Value::integer(0));
  std::vector<Value> items;
  for (Value at = start; cx.ok() && number_order(cx, "range", end, at) == direction;
       at = add(cx, at, step)) {
    cx.tick();
    push_within_limits(cx, items, at);
  }
  return cx.ok() ? make_list(*cx.arena, items.data(), items.size()) : Value::nil();
}

}  // namespace

Value make_range(NativeContext& cx, const Value& start, const Value& end, const Value& step) {
  const bool endless =
      end.is_nil() || (end.is(Tag::Double) && std::isinf(end.d) && !step.is(Tag::Ratio) &&
                       (end.d > 0) == (to_double(step) > 0) && to_double(step) != 0);
  std::int64_t count;
  if (endless) {
    count = -1;
  } else if (to_double(step) == 0) {
    if (to_double(start) == to_double(end)) return Value::empty_list();
    count = -1;  // the start again and again
  } else if (start.is(Tag::Int) && end.is(Tag::Int) && step.is(Tag::Int)) {
    count = count_integers(start.i, end.i, step.i);
  } else if (start.is(Tag::Int) && step.is(Tag::Int)) {
    const double stop = to_double(end);  // (range 0 2.5): integers below 2.5
    const double n = std::ceil((stop - to_double(start)) / to_double(step));
    count = n > 0 ? (n < 9e18 ? static_cast<std::int64_t>(n) : INT64_MAX) : 0;
  } else if (start.is(Tag::Double) || step.is(Tag::Double)) {
    count = count_doubles(to_double(start), to_double(end), to_double(step));
  } else {
    return ratio_list(cx, start, end, step);
  }
  if (count == 0) return Value::empty_list();
  auto* r = cx.arena->make<Range>(Tag::Range);
  r->start = start;
  r->step = step;
  r->count = count;
  return Value::object(r);
}

}  // namespace chancel
