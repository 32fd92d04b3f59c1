// SPDX-License-Identifier: Apache-2.0
// The elements of sequences: taking them apart, building lists, walking to the end. Whatever needs
// the whole of a lazy sequence asks for it at once, so that it is realised in one go and the native
// runs again only once.
#include <fmt/format.h>

#include <algorithm>

#include "library/arguments.hpp"
#include "library/collection_parts.hpp"
#include "library/registry.hpp"
#include "value/equality.hpp"

namespace chancel {
namespace {

Value first_of(NativeContext& cx, const Value* a, std::uint32_t) { return first(cx, a[0]); }
Value rest_of(NativeContext& cx, const Value* a, std::uint32_t) { return rest(cx, a[0]); }
Value next_of(NativeContext& cx, const Value* a, std::uint32_t) { return next(cx, a[0]); }
Value seq_of(NativeContext& cx, const Value* a, std::uint32_t) { return seq(cx, a[0]); }
Value second_of(NativeContext& cx, const Value* a, std::uint32_t) {
  const Value behind = next(cx, a[0]);
  return cx.ok() ? first(cx, behind) : behind;
}
Value third_of(NativeContext& cx, const Value* a, std::uint32_t) {
  Value behind = next(cx, a[0]);
  if (cx.ok()) behind = next(cx, behind);
  return cx.ok() ? first(cx, behind) : behind;
}
Value first_of_first(NativeContext& cx, const Value* a, std::uint32_t) {
  const Value head = first(cx, a[0]);
  return cx.ok() ? first(cx, head) : head;
}
Value next_of_first(NativeContext& cx, const Value* a, std::uint32_t) {
  const Value head = first(cx, a[0]);
  return cx.ok() ? next(cx, head) : head;
}
Value next_of_next(NativeContext& cx, const Value* a, std::uint32_t) {
  const Value behind = next(cx, a[0]);
  return cx.ok() ? next(cx, behind) : behind;
}

Value count_of(NativeContext& cx, const Value* a, std::uint32_t) {
  if (a[0].is(Tag::Range) && a[0].as<Range>()->count < 0) {
    return cx.fail(Code::R009, "count: the sequence is infinite", 0);
  }
  const std::int64_t n = count(cx, a[0]);
  return cx.ok() ? Value::integer(n) : Value::nil();
}
Value is_empty(NativeContext& cx, const Value* a, std::uint32_t) {
  if (a[0].is(Tag::Vector)) return Value::boolean(a[0].as<Vector>()->count == 0);
  const Value s = seq(cx, a[0]);
  return Value::boolean(s.is_nil());
}
Value not_empty(NativeContext& cx, const Value* a, std::uint32_t) {
  const Value s = seq(cx, a[0]);
  return s.is_nil() ? Value::nil() : a[0];
}

Value nth_of(NativeContext& cx, const Value* a, std::uint32_t n) {
  return nth(cx, a[0], a[1], n == 3 ? &a[2] : nullptr);
}
// Only the prelude calls this, with an index that it has checked.
Value vector_nth_unchecked(NativeContext&, const Value* a, std::uint32_t) {
  return vector_nth(a[0].as<Vector>(), static_cast<std::uint32_t>(a[1].i));
}

Value last_of(NativeContext& cx, const Value* a, std::uint32_t) {
  if (a[0].is(Tag::Vector)) {
    const auto* v = a[0].as<Vector>();
    return v->count ? vector_nth(v, v->count - 1) : Value::nil();
  }
  if (a[0].is(Tag::Range) && a[0].as<Range>()->count < 0)
    return cx.fail(Code::R009, "last: the sequence is infinite", 0);
  Value item = Value::nil();
  for (SeqCursor it(cx, a[0], "last", 0); it.next();) item = it.item();
  return cx.ok() ? item : Value::nil();
}
Value but_last(NativeContext& cx, const Value* a, std::uint32_t) {
  std::vector<Value> items;
  if (!read_items(cx, "butlast", a, 0, &items)) return Value::nil();
  if (items.size() < 2) return Value::nil();
  items.pop_back();
  return list_of(cx, items);
}
Value reverse_of(NativeContext& cx, const Value* a, std::uint32_t) {
  std::vector<Value> items;
  if (!read_items(cx, "reverse", a, 0, &items)) return Value::nil();
  std::reverse(items.begin(), items.end());
  return list_of(cx, items);
}
Value reverse_seq(NativeContext& cx, const Value* a, std::uint32_t n) {
  if (!a[0].is(Tag::Vector) && !a[0].is(Tag::SortedMap) && !a[0].is(Tag::SortedSet)) {
    return cx.wrong_type("rseq", 0, "a vector or a sorted collection", a[0]);
  }
  const Value reversed = reverse_of(cx, a, n);
  return reversed.is(Tag::EmptyList) ? Value::nil() : reversed;
}
// Accumulators of eager sequence functions: a reversed list, nil when nothing was added.
Value reverse_accumulated(NativeContext& cx, const Value* a, std::uint32_t) {
  return a[0].is_nil() ? Value::empty_list() : reverse_to_list(*cx.arena, a[0]);
}
Value reverse_accumulated_or_nil(NativeContext& cx, const Value* a, std::uint32_t) {
  return a[0].is_nil() ? a[0] : reverse_to_list(*cx.arena, a[0]);
}
// The same as a vector.
Value reverse_to_vector(NativeContext& cx, const Value* a, std::uint32_t) {
  std::vector<Value> items;
  if (!read_items(cx, "%reverse-vector", a, 0, &items)) return Value::nil();
  std::reverse(items.begin(), items.end());
  return vector_of(cx, items);
}

Value cons_of(NativeContext& cx, const Value* a, std::uint32_t) {
  if (CHANCEL_LIKELY(is_seq(a[1]) || a[1].is_nil())) return cons(*cx.arena, a[0], a[1]);
  if (!is_seqable(a[1])) return cx.wrong_type("cons", 1, "a sequence", a[1]);
  const Value s = seq(cx, a[1]);
  return cx.ok() ? cons(*cx.arena, a[0], s) : s;
}
Value list_native(NativeContext& cx, const Value* a, std::uint32_t n) {
  return n == 0 ? Value::empty_list() : make_list(*cx.arena, a, n);
}
Value list_star(NativeContext& cx, const Value* a, std::uint32_t n) {
  Value s = seq(cx, a[n - 1]);
  if (!cx.ok()) return s;
  for (std::uint32_t i = n - 1; i-- > 0;) s = cons(*cx.arena, a[i], s);
  return s;
}

Value do_all(NativeContext& cx, const Value* a, std::uint32_t n) {
  if (n == 2) {
    std::int64_t limit = 0;
    if (!read_integer(cx, "doall", a, 0, &limit)) return Value::nil();
    SeqCursor it(cx, a[1], "doall", 1, false);
    for (; limit >= 0 && it.next(); --limit) {
    }
    return cx.ok() ? a[1] : Value::nil();
  }
  if (a[0].is(Tag::Range)) return a[0];
  for (SeqCursor it(cx, a[0], "doall", 0); it.next();) {
  }
  return cx.ok() ? a[0] : Value::nil();
}
Value do_run(NativeContext& cx, const Value* a, std::uint32_t n) {
  do_all(cx, a, n);
  return Value::nil();
}

Value range_native(NativeContext& cx, const Value* a, std::uint32_t n) {
  if (!check_numbers(cx, "range", a, n)) return Value::nil();
  if (n == 0) {
    auto* r = cx.arena->make<Range>(Tag::Range);
    r->start = Value::integer(0);
    r->step = Value::integer(1);
    r->count = -1;
    return Value::object(r);
  }
  const Value start = n == 1 ? Value::integer(0) : a[0];
  const Value end = n == 1 ? a[0] : a[1];
  const Value step = n == 3 ? a[2] : Value::integer(1);
  if (n == 3 && to_double(step) == 0)
    return cx.fail(Code::R009, "range: the step must not be zero", 2);
  return make_range(cx, start, end, step);
}

Value concat_eager(NativeContext& cx, const Value* a, std::uint32_t n) {
  std::vector<Value> items;
  for (std::uint32_t i = 0; i < n; ++i) {
    if (!read_items(cx, "concat", a, static_cast<int>(i), &items)) return Value::nil();
  }
  return list_of(cx, items);
}

// Venture's (append list list); the textbook's (append vector x) when x is not a sequence.
Value append_native(NativeContext& cx, const Value* a, std::uint32_t n) {
  if (n == 2 && a[0].is(Tag::Vector) && !is_seqable(a[1]))
    return vector_conj(*cx.arena, a[0], a[1]);
  return concat_eager(cx, a, n);
}
Value append_item(NativeContext& cx, const Value* a, std::uint32_t) {
  if (a[0].is(Tag::Vector)) return vector_conj(*cx.arena, a[0], a[1]);
  std::vector<Value> items;
  if (!read_items(cx, "append", a, 0, &items)) return Value::nil();
  items.push_back(a[1]);
  return list_of(cx, items);
}
Value concat_list(NativeContext& cx, const Value* a, std::uint32_t) {
  std::vector<Value> colls;
  if (!read_items(cx, "concat", a, 0, &colls)) return Value::nil();
  const Value result = concat_eager(cx, colls.data(), static_cast<std::uint32_t>(colls.size()));
  if (!cx.ok()) cx.failure.argument = 0;
  return result;
}
// Accumulators again: all elements of coll pushed onto a reversed list; a reversed list laid before
// a sequence.
bool can_follow(NativeContext& cx, const char* function, int argument, const Value& v) {
  if (v.is_nil() || v.is(Tag::EmptyList) || is_seq(v)) return true;
  cx.wrong_type(function, argument, "a list", v);
  return false;
}
Value push_all(NativeContext& cx, const Value* a, std::uint32_t) {
  std::vector<Value> items;
  if (!can_follow(cx, "mapcat", 0, a[0])) return Value::nil();
  if (!read_items(cx, "mapcat", a, 1, &items)) return Value::nil();
  Value acc = a[0];
  for (const Value& v : items) acc = cons(*cx.arena, v, acc);
  return acc;
}
Value cons_all(NativeContext& cx, const Value* a, std::uint32_t) {
  std::vector<Value> items;
  if (!can_follow(cx, "concat", 1, a[1])) return Value::nil();
  if (!read_items(cx, "concat", a, 0, &items)) return Value::nil();
  Value result = a[1];
  for (std::size_t k = items.size(); k-- > 0;) result = cons(*cx.arena, items[k], result);
  return result;
}
Value append_reversed(NativeContext& cx, const Value* a, std::uint32_t) {
  if (!can_follow(cx, "%append-reversed", 1, a[1])) return Value::nil();
  Value result = a[1];
  for (SeqCursor it(cx, a[0], "%append-reversed", 0); it.next();)
    result = cons(*cx.arena, it.item(), result);
  return result;
}

Value distinct_native(NativeContext& cx, const Value* a, std::uint32_t) {
  std::vector<Value> items;
  if (!read_items(cx, "distinct", a, 0, &items)) return Value::nil();
  Value seen = empty_set(*cx.arena);
  std::vector<Value> kept;
  for (Value& v : items) {
    if (!ensure_realised(cx, v)) return Value::nil();
    if (set_contains(seen, v)) continue;
    seen = set_conj(*cx.arena, seen, v);
    kept.push_back(v);
  }
  return list_of(cx, kept);
}
Value dedupe_native(NativeContext& cx, const Value* a, std::uint32_t) {
  std::vector<Value> items;
  if (!read_items(cx, "dedupe", a, 0, &items)) return Value::nil();
  std::vector<Value> kept;
  for (const Value& v : items) {
    const bool same = !kept.empty() && equal(cx, kept.back(), v);
    if (!cx.ok()) return Value::nil();
    if (!same) kept.push_back(v);
  }
  return list_of(cx, kept);
}
Value flatten_native(NativeContext& cx, const Value* a, std::uint32_t) {
  if (!is_sequential(a[0])) return Value::empty_list();
  std::vector<Value> kept;
  std::vector<Value> open;
  if (!read_items(cx, "flatten", a, 0, &open)) return Value::nil();
  std::reverse(open.begin(), open.end());
  while (!open.empty()) {
    const Value v = open.back();
    open.pop_back();
    if (!is_sequential(v)) {
      push_within_limits(cx, kept, v);
      continue;
    }
    std::vector<Value> inside;
    if (!read_items(cx, "flatten", &v, 0, &inside)) return Value::nil();
    cx.room_for(3 * (open.size() + inside.size()) * sizeof(Value));
    open.insert(open.end(), inside.rbegin(), inside.rend());
  }
  return list_of(cx, kept);
}
// (member? x xs): Venture's question whether a value is among the elements.
Value is_member(NativeContext& cx, const Value* a, std::uint32_t) {
  SeqCursor it(cx, a[1], "member?", 1);
  while (it.next()) {
    const bool same = equal(cx, a[0], it.item());
    if (!cx.ok()) return Value::nil();
    if (same) return Value::boolean(true);
  }
  return Value::boolean(false);
}
Value index_in(NativeContext& cx, const Value* a, std::uint32_t) {
  std::int64_t i = 0;
  for (SeqCursor it(cx, a[0], "%index-of", 0); it.next(); ++i) {
    const bool same = equal(cx, it.item(), a[1]);
    if (!cx.ok()) return Value::nil();
    if (same) return Value::integer(i);
  }
  return Value::integer(-1);
}

Value make_reduced(NativeContext& cx, const Value* a, std::uint32_t) {
  auto* r = cx.arena->make<Reduced>(Tag::Reduced);
  r->value = a[0];
  return Value::object(r);
}
Value unreduced(NativeContext&, const Value* a, std::uint32_t) {
  return a[0].is(Tag::Reduced) ? a[0].as<Reduced>()->value : a[0];
}

constexpr NativeDef kSequencesNatives[] = {
    {"first", 1, 1, first_of, kPure, "[coll]", "The first element, or nil when there is none."},
    {"rest", 1, 1, rest_of, kPure, "[coll]",
     "The elements after the first; () when there are none."},
    {"next", 1, 1, next_of, kPure, "[coll]",
     "The elements after the first; nil when there are none."},
    {"seq", 1, 1, seq_of, kPure, "[coll]", "The collection as a sequence; nil when it is empty."},
    {"car", 1, 1, first_of, kPure, "[coll]", "The first element, or nil when there is none."},
    {"cdr", 1, 1, rest_of, kPure, "[coll]",
     "The elements after the first; () when there are none."},
    {"cadr", 1, 1, second_of, kPure, "[coll]", "The second element, or nil when there is none."},
    {"second", 1, 1, second_of, kPure, "[coll]", "The second element, or nil when there is none."},
    {"third", 1, 1, third_of, kPure, "[coll]", "The third element, or nil when there is none."},
    {"ffirst", 1, 1, first_of_first, kPure, "[coll]", "The first element of the first element."},
    {"nfirst", 1, 1, next_of_first, kPure, "[coll]",
     "The elements after the first of the first element."},
    {"fnext", 1, 1, second_of, kPure, "[coll]", "The second element, or nil when there is none."},
    {"nnext", 1, 1, next_of_next, kPure, "[coll]",
     "The elements after the second; nil when there are none."},
    {"count", 1, 1, count_of, kPure, "[coll]", "The number of elements."},
    {"length", 1, 1, count_of, kPure, "[coll]", "The number of elements."},
    {"empty?", 1, 1, is_empty, kPure, "[coll]", "True when there are no elements."},
    {"not-empty", 1, 1, not_empty, kPure, "[coll]",
     "The collection, or nil when it has no elements."},
    {"nth", 2, 3, nth_of, kPure, "[coll index] [coll index not-found]",
     "The element at the index, which starts at 0."},
    {"%vector-nth", 2, 2, vector_nth_unchecked, kPure, "[vector index]",
     "The element of a vector, without any checks."},
    {"last", 1, 1, last_of, kPure, "[coll]", "The last element, or nil when there is none."},
    {"butlast", 1, 1, but_last, kPure, "[coll]",
     "All elements but the last; nil when nothing is left."},
    {"reverse", 1, 1, reverse_of, kPure, "[coll]", "The elements in the opposite order."},
    {"rseq", 1, 1, reverse_seq, kPure, "[coll]",
     "The elements of a vector or sorted collection in the opposite order."},
    {"%reverse-list", 1, 1, reverse_accumulated, kPure, "[reversed]",
     "The elements of a reversed list in order."},
    {"%reverse-list-or-nil", 1, 1, reverse_accumulated_or_nil, kPure, "[reversed]",
     "The elements of a reversed list in order; nil for nil."},
    {"%reverse-vector", 1, 1, reverse_to_vector, kPure, "[reversed]",
     "The elements of a reversed list in order, as a vector."},
    {"cons", 2, 2, cons_of, kPure, "[x coll]", "A list with x before the elements of coll."},
    {"list", 0, -1, list_native, kPure, "[& items]", "A list of the items."},
    {"list*", 1, -1, list_star, kPure, "[& items coll]",
     "A list of the items before the elements of coll."},
    {"doall", 1, 2, do_all, kPure, "[coll] [n coll]",
     "The collection, with its lazy elements realised."},
    {"dorun", 1, 2, do_run, kPure, "[coll] [n coll]",
     "Realises the lazy elements of coll; the value is nil."},
    {"range", 0, 3, range_native, kPure, "[] [end] [start end] [start end step]",
     "The numbers from start (0) up to but excluding end, by step (1); without end they continue "
     "for "
     "ever."},
    {"%concat", 0, -1, concat_eager, kPure, "[& colls]",
     "A list of the elements of all collections."},
    {"append", 0, -1, append_native, kPure, "[& colls] [v x]",
     "A list of the elements of all collections, or the vector with x at its end when x is not a "
     "collection."},
    {"%textbook-append", 2, 2, append_item, kPure, "[coll x]",
     "The vector or list with x at its end (textbook)."},
    {"%concat-list", 1, 1, concat_list, kPure, "[colls]",
     "A list of the elements of all collections in the list."},
    {"%push-all", 2, 2, push_all, kPure, "[reversed coll]",
     "The reversed list with the elements of coll pushed onto it."},
    {"%cons-all", 2, 2, cons_all, kPure, "[coll tail]", "The elements of coll, then the tail."},
    {"%append-reversed", 2, 2, append_reversed, kPure, "[reversed tail]",
     "The elements of a reversed list in order, then the tail."},
    {"%distinct", 1, 1, distinct_native, kPure, "[coll]",
     "A list of the elements without repetitions."},
    {"unique", 1, 1, distinct_native, kPure, "[coll]",
     "A list of the elements without repetitions."},
    {"%dedupe", 1, 1, dedupe_native, kPure, "[coll]",
     "A list of the elements without repetitions of neighbours."},
    {"flatten", 1, 1, flatten_native, kPure, "[coll]",
     "The elements of coll and of the sequences inside it that are not sequences."},
    {"member?", 2, 2, is_member, kPure, "[x coll]",
     "True when x is equal to some element of coll."},
    {"%index-of", 2, 2, index_in, kPure, "[coll x]",
     "The index of the first element equal to x, or -1."},
    {"reduced", 1, 1, make_reduced, kPure, "[x]", "x, marked so that reduce stops with it."},
    {"unreduced", 1, 1, unreduced, kPure, "[x]", "The value inside a reduced, or x itself."},
};

}  // namespace

std::span<const NativeDef> sequence_natives() { return kSequencesNatives; }

}  // namespace chancel
