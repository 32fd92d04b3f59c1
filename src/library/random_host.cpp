// SPDX-License-Identifier: Apache-2.0
// Clojure's own random functions. They draw from the execution's stream but are not choices of the
// model: no engine proposes, scores or replays them. Same seed, same draws.
#include <fmt/format.h>

#include <algorithm>

#include "library/arguments.hpp"
#include "library/registry.hpp"
#include "random/stream.hpp"
#include "vm/hidden_stream.hpp"

namespace chancel {
namespace {

Value rand_native(NativeContext& cx, const Value* a, std::uint32_t n) {
  double scale = 1;
  if (n == 1 && !read_number(cx, "rand", a, 0, &scale)) return Value::nil();
  Stream* stream = hidden_stream(cx, "rand");
  return stream ? Value::real(scale * stream->uniform()) : Value::nil();
}
Value rand_int(NativeContext& cx, const Value* a, std::uint32_t) {
  std::int64_t n = 0;
  if (!read_integer(cx, "rand-int", a, 0, &n)) return Value::nil();
  if (n < 1)
    return cx.fail(Code::R009, fmt::format("rand-int: expected a positive integer, got {}", n), 0);
  Stream* stream = hidden_stream(cx, "rand-int");
  return stream ? Value::integer(
                      static_cast<std::int64_t>(stream->below(static_cast<std::uint64_t>(n))))
                : Value::nil();
}
Value rand_nth(NativeContext& cx, const Value* a, std::uint32_t) {
  std::vector<Value> items;
  if (!read_items(cx, "rand-nth", a, 0, &items)) return Value::nil();
  if (items.empty()) return cx.fail(Code::R009, "rand-nth: the collection is empty", 0);
  Stream* stream = hidden_stream(cx, "rand-nth");
  return stream ? items[stream->below(items.size())] : Value::nil();
}
Value shuffle(NativeContext& cx, const Value* a, std::uint32_t) {
  std::vector<Value> items;
  if (!read_items(cx, "shuffle", a, 0, &items)) return Value::nil();
  Stream* stream = hidden_stream(cx, "shuffle");
  if (!stream) return Value::nil();
  for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[stream->below(i)]);
  return vector_of(cx, items);
}
Value random_sample(NativeContext& cx, const Value* a, std::uint32_t) {
  double p = 0;
  std::vector<Value> items;
  if (!read_number(cx, "random-sample", a, 0, &p) || !read_items(cx, "random-sample", a, 1, &items))
    return Value::nil();
  Stream* stream = hidden_stream(cx, "random-sample");
  if (!stream) return Value::nil();
  std::vector<Value> kept;
  for (const Value& v : items) {
    if (stream->uniform() < p) kept.push_back(v);
  }
  return list_of(cx, kept);
}

constexpr NativeDef kRandomHostNatives[] = {
    {"rand", 0, 1, rand_native, 0, "[] [n]", "A random number from 0 up to but excluding 1 (n)."},
    {"rand-int", 1, 1, rand_int, 0, "[n]", "A random integer from 0 up to but excluding n."},
    {"rand-nth", 1, 1, rand_nth, 0, "[coll]", "A random element of the collection."},
    {"shuffle", 1, 1, shuffle, 0, "[coll]", "The elements in random order, as a vector."},
    {"random-sample", 2, 2, random_sample, 0, "[p coll]",
     "The elements, each kept with probability p."},
    {"Math/random", 0, 0, rand_native, 0, "[]", "A random number from 0 up to but excluding 1."},
};

}  // namespace

std::span<const NativeDef> random_host_natives() { return kRandomHostNatives; }

}  // namespace chancel
