// SPDX-License-Identifier: Apache-2.0
// Clojure's =, hash and compare. Lazy parts that have not been realised make the answer unknown:
// the functions that take a NativeContext ask for them (check cx.ok()); `equal` and `hash` without
// one treat an unrealised LazySeq by identity and are for keys, which ensure_realised has made free
// of them. Data are equal by content, also distributions, processes and records of one type;
// functions, atoms, delays and exceptions only to themselves. Scalars are compared inline: maps and
// memo tables mostly have such keys. Any depth of nesting is safe.
#pragma once
#include <cstdint>
#include <optional>

#include "base/hash.hpp"
#include "value/native.hpp"
#include "value/value.hpp"

namespace chancel {

bool equal_objects(const Value& a, const Value& b);
std::uint32_t hash_object(const Value& v);
bool realise_object(NativeContext& cx, Value& v);

// (= 1 1.0) is false, (= 1 1N) is true, (= [1 2] '(1 2)) is true
inline bool equal(const Value& a, const Value& b) {
  if (a.tag < Tag::EmptyList && CHANCEL_LIKELY(b.tag != Tag::BigInt))
    return a.tag == b.tag && (a.tag == Tag::Double ? a.d == b.d : a.bits == b.bits);
  return equal_objects(a, b);
}
bool equal(NativeContext& cx, const Value& a, const Value& b);
// Clojure's hasheq. Nothing deeper than 500 levels counts, nor what comes after the first 65 536
// items of a sequence; what equals has the same hash.
inline std::uint32_t hash(const Value& v) {
  if (v.is(Tag::Int)) return hash_long(v.i);
  if (v.is(Tag::Keyword)) return v.name->keyword_hash;
  return hash_object(v);
}
// compare: numbers, strings, keywords, symbols, chars, booleans, nil (first), vectors (by length,
// then items). No value when the two cannot be compared.
std::optional<int> compare(const Value& a, const Value& b);
// (== a b): by numeric value whatever the types. Both must be numbers.
bool numeric_equal(const Value& a, const Value& b);
inline bool may_hold_lazy(const Value& v) {
  return (v.tag >= Tag::Cons && v.tag <= Tag::SortedSet && v.tag != Tag::Range) ||
         v.tag == Tag::Dist || v.tag == Tag::Process || v.tag == Tag::Record;
}
// True when no lazy part inside is left to be realised; otherwise asks for the first such part
// (check cx.ok()). Needed before a value becomes a key or is compared. What a query has realised is
// known to its execution only (cx.world): `v` becomes a copy that holds it itself. Any depth.
inline bool ensure_realised(NativeContext& cx, Value& v) {
  return CHANCEL_LIKELY(!may_hold_lazy(v)) || realise_object(cx, v);
}

}  // namespace chancel
