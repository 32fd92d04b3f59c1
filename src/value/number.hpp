// SPDX-License-Identifier: Apache-2.0
// The numeric tower: int64, BigInt, ratio, double. Overflow of int64 is an error, a BigInt among
// integers makes the result a BigInt, ratios keep lowest terms and become a BigInt when the
// denominator is 1, a double anywhere makes the result a double: all as in Clojure. The VM has fast
// paths for int/int and double/double and comes here for the rest.
#pragma once
#include "value/native.hpp"
#include "value/value.hpp"

namespace chancel {

double to_double(const Value& number);
Value make_ratio(NativeContext& cx, std::int64_t numerator,
                 std::int64_t denominator);  // denominator != 0
// The names in messages are those of the language (+ - * / quot rem mod); arguments are numbered
// from 0.
Value add(NativeContext& cx, const Value& a, const Value& b);
Value subtract(NativeContext& cx, const Value& a, const Value& b);
Value multiply(NativeContext& cx, const Value& a, const Value& b);
Value divide(NativeContext& cx, const Value& a, const Value& b);
Value quotient(NativeContext& cx, const Value& a, const Value& b);   // quot: towards zero
Value remainder(NativeContext& cx, const Value& a, const Value& b);  // rem: sign of a
Value modulo(NativeContext& cx, const Value& a, const Value& b);     // mod: sign of b
// -1, 0, 1; NaN compares unordered: returns 2. Fails when one is not a number.
int number_order(NativeContext& cx, const char* function, const Value& a, const Value& b);

// The same for two values that are known to be numbers. Integers become doubles beside a double, as
// in Clojure.
int compare_numbers(const Value& a, const Value& b);

}  // namespace chancel
