// SPDX-License-Identifier: Apache-2.0
// Functions of whole arrays that depend on draws, as nodes with several results (array_ops.hpp).
#include <algorithm>
#include <bit>
#include <cmath>

#include "base/planted.hpp"
#include "record/recorder.hpp"
#include "value/collections.hpp"

namespace chancel {

namespace {

// The numbers of a number, of a sequence or of a sequence of sequences of the same length, one after
// the other.
bool read_numbers(NativeContext& cx, const char* function, const Value& v, int depth,
                  std::vector<Value>* out) {
  if (v.is(Tag::Node) || v.is_number()) {
    out->push_back(v);
    return true;
  }
  if (depth == 0 || !is_sequential(v)) return false;
  std::size_t length = 0, items = 0;
  for (SeqCursor it(cx, v, function, 0); it.next(); ++items) {
    const std::size_t before = out->size();
    if (!read_numbers(cx, function, it.item(), depth - 1, out)) return false;
    if (items > 0 && out->size() - before != length) return false;
    length = out->size() - before;
  }
  return cx.ok() && items > 0;
}

// The same arrays, with what `number` says in place of each number.
template <class F>
Value with_numbers(Arena& arena, const Value& v, std::size_t* at, const F& number) {
  if (!v.is(Tag::Vector)) return number((*at)++, v.d);
  std::vector<Value> items;
  for (std::uint32_t i = 0; i < v.as<Vector>()->count; ++i)
    items.push_back(with_numbers(arena, vector_nth(v.as<Vector>(), i), at, number));
  return make_vector(arena, items.data(), items.size());
}

}  // namespace

Value Recorder::array_function(NativeContext& cx, const NativeDef* native, GraphOp op,
                               const Value* args, std::uint32_t count) {
  std::vector<Value> numbers, given(args, args + count), results;
  if (op == GraphOp::Solution && count == 1) op = GraphOp::Inverse;
  for (Value& v : given) {
    if (!read_numbers(cx, native->name, v, 2, &numbers))
      return cx.ok() ? call_pinned(cx, native, args, count) : Value::nil();
    v = present(cx, v);
  }
  if (!cx.ok()) return Value::nil();
  cx.callee = native;
  const Value now = native->function(cx, given.data(), count);
  if (!cx.ok()) return now;
  const auto all_doubles = [](const Value& v) { return v.is(Tag::Double); };
  if (!read_numbers(cx, native->name, now, 2, &results) ||
      !std::all_of(results.begin(), results.end(), all_doubles))
    return call_pinned(cx, native, args, count);
  std::vector<NodeIndex> operands;
  for (const Value& v : numbers) operands.push_back(node(v));
  const NodeIndex first = graph_.apply(op, operands, static_cast<std::uint32_t>(results.size()));
  for (NodeIndex k = 0; k < results.size(); ++k)
    if (std::bit_cast<std::uint64_t>(graph_.value(first + k)) !=
            std::bit_cast<std::uint64_t>(results[k].d) &&
        !(std::isnan(graph_.value(first + k)) && std::isnan(results[k].d))) {
      CHANCEL_DEBUG_ASSERT(false, native->name);
      return call_pinned(cx, native, args, count);
    }
  // Where the function fails, its first result is not a number.
  if (op != GraphOp::Determinant && op != GraphOp::Softmax) {
    if (std::isnan(results[0].d)) return call_pinned(cx, native, args, count);
    if (!planted(Mistake::ArrayNotGuarded))
      to_.guards.push_back({Guard::Kind::Number, first, first, 0, 0});
  }
  const auto rows = static_cast<std::size_t>(std::sqrt(static_cast<double>(results.size())) + 0.5);
  std::size_t at = 0;
  return with_numbers(*cx.arena, now, &at, [&](std::size_t k, double number) {
    const bool always_zero = op == GraphOp::Cholesky && k % rows > k / rows;
    return always_zero ? Value::real(number) : Value::node(first + static_cast<NodeIndex>(k));
  });
}

}  // namespace chancel
