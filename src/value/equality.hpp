// SPDX-License-Identifier: Apache-2.0
// Clojure's =, hash and compare. Lazy parts that have not been realised make the answer unknown: the functions that take a
// NativeContext ask for them (check cx.ok()); `equal` and `hash` without one treat an unrealised LazySeq by identity
// and are for keys that have been realised before.
#pragma once
#include <cstdint>
#include <optional>

#include "value/native.hpp"
#include "value/value.hpp"

namespace chancel {

bool equal(const Value& a, const Value& b);  // (= 1 1.0) is false, (= [1 2] '(1 2)) is true
bool equal(NativeContext& cx, const Value& a, const Value& b);
std::uint32_t hash(const Value& v);  // Clojure's hasheq
// compare: numbers, strings, keywords, symbols, chars, booleans, nil (first), vectors (by length, then items).
// No value when the two cannot be compared.
std::optional<int> compare(const Value& a, const Value& b);
// (== a b): by numeric value whatever the types. Both must be numbers.
bool numeric_equal(const Value& a, const Value& b);

}  // namespace chancel
