// SPDX-License-Identifier: Apache-2.0
// Parts and mixtures of finite sequences, eagerly: take, drop, partition, interleave and the like.
// The prelude calls these for sequences that are realised already, and does the same lazily for
// others.
#include <fmt/format.h>

#include <algorithm>

#include "library/arguments.hpp"
#include "library/array.hpp"
#include "library/registry.hpp"
#include "value/seq_walk.hpp"

namespace chancel {
namespace {

Value part(NativeContext& cx, const std::vector<Value>& items, std::size_t from, std::size_t to) {
  return from >= to ? Value::empty_list() : make_list(*cx.arena, items.data() + from, to - from);
}
// The count argument and the items of the sequence that follows it.
bool read_count_and_items(NativeContext& cx, const char* function, const Value* a, std::size_t* n,
                          std::vector<Value>* items) {
  std::int64_t wanted = 0;
  if (!read_integer(cx, function, a, 0, &wanted) || !read_items(cx, function, a, 1, items))
    return false;
  *n = wanted < 0 ? 0 : std::min(static_cast<std::size_t>(wanted), items->size());
  return true;
}

Value take_eager(NativeContext& cx, const Value* a, std::uint32_t) {
  std::int64_t n = 0;
  if (!read_integer(cx, "take", a, 0, &n)) return Value::nil();
  std::vector<Value> items;
  SeqCursor it(cx, a[1], "take", 1, false);
  for (; n > 0 && it.next(); --n) push_within_limits(cx, items, it.item());
  return cx.ok() ? list_of(cx, items) : Value::nil();
}
// What is left shares structure with the whole: programs walk by (drop 1 xs).
Value behind(NativeContext& cx, const char* function, const Value& coll, std::int64_t n) {
  if (coll.is(Tag::Vector)) {
    const std::int64_t skip = std::clamp<std::int64_t>(n, 0, coll.as<Vector>()->count);
    return make_vector_seq(*cx.arena, coll, static_cast<std::uint64_t>(skip));
  }
  if (!is_seqable(coll)) return cx.wrong_type(function, 0, "a sequence", coll);
  Value s = seq(cx, coll);
  for (; n > 0 && cx.ok() && !s.is_nil(); --n) {
    cx.tick();
    s = next(cx, s);
  }
  return s.is_nil() && cx.ok() ? Value::empty_list() : s;
}
Value drop_shared(NativeContext& cx, const Value* a, std::uint32_t) {
  std::int64_t n = 0;
  return read_integer(cx, "drop", a, 0, &n) ? behind(cx, "drop", a[1], n) : Value::nil();
}
Value nth_rest(NativeContext& cx, const Value* a, std::uint32_t) {
  std::int64_t n = 0;
  if (!read_integer(cx, "nthrest", a, 1, &n)) return Value::nil();
  return n <= 0 ? a[0] : behind(cx, "nthrest", a[0], n);
}
Value nth_next(NativeContext& cx, const Value* a, std::uint32_t) {
  std::int64_t n = 0;
  if (!read_integer(cx, "nthnext", a, 1, &n)) return Value::nil();
  const Value s = behind(cx, "nthnext", a[0], n);
  return s.is(Tag::EmptyList) ? Value::nil() : s;
}
Value take_last(NativeContext& cx, const Value* a, std::uint32_t) {
  std::size_t n = 0;
  std::vector<Value> items;
  if (!read_count_and_items(cx, "take-last", a, &n, &items) || n == 0) return Value::nil();
  return part(cx, items, items.size() - n, items.size());
}
Value drop_last(NativeContext& cx, const Value* a, std::uint32_t count) {
  std::size_t n = 0;
  std::vector<Value> items;
  const Value with_count[2] = {Value::integer(1), a[0]};
  if (!read_count_and_items(cx, "drop-last", count == 1 ? with_count : a, &n, &items)) {
    if (count == 1) cx.failure.argument = 0;
    return Value::nil();
  }
  return part(cx, items, 0, items.size() - n);
}
Value split_at(NativeContext& cx, const Value* a, std::uint32_t) {
  std::size_t n = 0;
  std::vector<Value> items;
  if (!read_count_and_items(cx, "split-at", a, &n, &items)) return Value::nil();
  return pair_of(cx, part(cx, items, 0, n), part(cx, items, n, items.size()));
}
Value take_nth(NativeContext& cx, const Value* a, std::uint32_t) {
  std::int64_t step = 0;
  std::vector<Value> items;
  if (!read_integer(cx, "take-nth", a, 0, &step)) return Value::nil();
  if (step < 1)
    return cx.fail(Code::R009, fmt::format("take-nth: the step must be positive, got {}", step), 0);
  if (!read_items(cx, "take-nth", a, 1, &items)) return Value::nil();
  std::vector<Value> kept;
  for (std::size_t i = 0; i < items.size(); i += static_cast<std::size_t>(step))
    kept.push_back(items[i]);
  return list_of(cx, kept);
}

// partition and partition-all: [n coll] [n step coll] [n step pad coll].
Value partition(NativeContext& cx, const char* function, bool keep_short, const Value* a,
                std::uint32_t count) {
  std::int64_t size = 0;
  std::int64_t step = 0;
  if (!read_integer(cx, function, a, 0, &size)) return Value::nil();
  step = size;
  if (count > 2 && !read_integer(cx, function, a, 1, &step)) return Value::nil();
  if (size < 1)
    return cx.fail(Code::R009,
                   fmt::format("{}: the size of a part must be positive, got {}", function, size),
                   0);
  if (step < 1)
    return cx.fail(Code::R009, fmt::format("{}: the step must be positive, got {}", function, step),
                   1);
  std::vector<Value> pad;
  if (count == 4 && !read_items(cx, function, a, 2, &pad)) return Value::nil();
  std::vector<Value> items;
  if (!read_items(cx, function, a, static_cast<int>(count) - 1, &items)) return Value::nil();
  const auto n = static_cast<std::size_t>(size);
  std::vector<Value> parts;
  for (std::size_t from = 0; from < items.size(); from += static_cast<std::size_t>(step)) {
    cx.tick(1 + std::min(n, items.size()));
    if (n <= items.size() - from) {
      parts.push_back(part(cx, items, from, from + n));
      continue;
    }
    if (keep_short) {
      parts.push_back(part(cx, items, from, items.size()));
      continue;
    }
    if (count == 4) {
      std::vector<Value> padded(items.begin() + static_cast<std::ptrdiff_t>(from), items.end());
      for (std::size_t i = 0; i < pad.size() && padded.size() < n; ++i) padded.push_back(pad[i]);
      parts.push_back(list_of(cx, padded));
    }
    break;
  }
  return list_of(cx, parts);
}
Value partition_full(NativeContext& cx, const Value* a, std::uint32_t n) {
  return partition(cx, "partition", false, a, n);
}
Value partition_all(NativeContext& cx, const Value* a, std::uint32_t n) {
  return partition(cx, "partition-all", true, a, n);
}

Value interleave(NativeContext& cx, const Value* a, std::uint32_t n) {
  std::vector<std::vector<Value>> colls(n);
  std::size_t shortest = n == 0 ? 0 : ~std::size_t{0};
  for (std::uint32_t i = 0; i < n; ++i) {
    if (!read_items(cx, "interleave", a, static_cast<int>(i), &colls[i])) return Value::nil();
    shortest = std::min(shortest, colls[i].size());
  }
  std::vector<Value> mixed;
  for (std::size_t k = 0; k < shortest; ++k) {
    for (const auto& items : colls) push_within_limits(cx, mixed, items[k]);
  }
  return list_of(cx, mixed);
}
Value interpose(NativeContext& cx, const Value* a, std::uint32_t) {
  std::vector<Value> items;
  if (!read_items(cx, "interpose", a, 1, &items)) return Value::nil();
  std::vector<Value> mixed;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i > 0) push_within_limits(cx, mixed, a[0]);
    push_within_limits(cx, mixed, items[i]);
  }
  return list_of(cx, mixed);
}
Value repeat_eager(NativeContext& cx, const Value* a, std::uint32_t) {
  std::int64_t n = 0;
  if (!read_integer(cx, "repeat", a, 0, &n)) return Value::nil();
  if (n > 0) cx.room_for(times(static_cast<std::size_t>(n), 2 * sizeof(Value)));
  return list_of(cx, std::vector<Value>(n > 0 ? static_cast<std::size_t>(n) : 0, a[1]));
}

constexpr NativeDef kPartitionNatives[] = {
    {"%take", 2, 2, take_eager, kPure, "[n coll]", "A list of the first n elements."},
    {"%drop", 2, 2, drop_shared, kPure, "[n coll]", "The elements after the first n."},
    {"nthrest", 2, 2, nth_rest, kPure, "[coll n]",
     "The elements after the first n; () when there are none."},
    {"nthnext", 2, 2, nth_next, kPure, "[coll n]",
     "The elements after the first n; nil when there are none."},
    {"take-last", 2, 2, take_last, kPure, "[n coll]",
     "The last n elements; nil when there are none."},
    {"%drop-last", 1, 2, drop_last, kPure, "[coll] [n coll]",
     "A list of all elements but the last n (1)."},
    {"%split-at", 2, 2, split_at, kPure, "[n coll]",
     "A pair: the first n elements, and the others."},
    {"%take-nth", 2, 2, take_nth, kPure, "[n coll]",
     "A list of every n-th element, from the first."},
    {"%partition", 2, 4, partition_full, kPure, "[n coll] [n step coll] [n step pad coll]",
     "A list of parts of n elements each."},
    {"%partition-all", 2, 3, partition_all, kPure, "[n coll] [n step coll]",
     "A list of parts of n elements each; the last ones may be shorter."},
    {"%interleave", 0, -1, interleave, kPure, "[& colls]",
     "The first elements of all, then the second ones, and so on."},
    {"%interpose", 2, 2, interpose, kPure, "[separator coll]",
     "The elements with the separator between them."},
    {"%repeat", 2, 2, repeat_eager, kPure, "[n x]", "A list of n times x."},
};

}  // namespace

std::span<const NativeDef> partition_natives() { return kPartitionNatives; }

}  // namespace chancel
