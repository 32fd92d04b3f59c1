// SPDX-License-Identifier: Apache-2.0
// Integers of any size, and exact arithmetic on them and on ratios: what number.cpp comes to when
// 64 bits do not suffice, or when a program says 5N. Boost.Multiprecision does the arithmetic; the
// objects of the heap hold plain digits, so that collection and copying need not know of it. An
// integer has at most kMostBits bits and a part of a ratio kMostRatioBits: beyond that a single
// operation would take seconds that no limit of the run could cut short.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "value/native.hpp"
#include "value/value.hpp"

namespace chancel {

inline constexpr std::size_t kMostBits = std::size_t{1} << 21;
inline constexpr std::size_t kMostRatioBits = std::size_t{1} << 17;

inline bool is_integer(const Value& v) { return v.is(Tag::Int) || v.is(Tag::BigInt); }
inline std::size_t digit_count(const BigInt* b) { return b->words - 2; }
// The number of bits of the magnitude.
std::size_t bit_count(const Value& integer);

// 5N; with `java`, a BigInteger.
Value make_big_integer(Arena& arena, std::int64_t i, bool java = false);
// From digits in base 2 to 36 with or without a sign. Nothing: the text says no integer, or one
// that is too large.
std::optional<Value> parse_big_integer(Arena& arena, std::string_view text, int base = 10,
                                       bool java = false);
// From a sign (-1, 0, 1) and the bytes of a magnitude, the highest first.
Value big_integer_of_bytes(Arena& arena, int sign, std::string_view bytes);
// The same number as BigInt or BigInteger.
Value as_big_integer(Arena& arena, const Value& integer, bool java = false);

// Of Int and BigInt alike:
std::optional<std::int64_t> small_integer(const Value& v);  // nothing: it does not fit
bool is_odd(const Value& integer);
int sign_of(const Value& integer);
double integer_to_double(const Value& integer);  // rounded to nearest
int compare_integers(const Value& a, const Value& b);
// Digits in the given base, with a minus sign. `cx`, if there is one, may stop it. (Without one,
// huge numbers are described.)
std::string integer_text(NativeContext* cx, const Value& integer, int base = 10);
// Java's BigInteger.hashCode.
std::uint32_t big_integer_hash(const Value& integer);

enum class ExactOp { Add, Subtract, Multiply, Divide, Quotient, Remainder };
// a and b are Int, BigInt or Ratio; a divisor is not 0. Whole results are BigInt. Fails in cx when
// the result is too large.
Value exact(NativeContext& cx, const char* function, ExactOp op, const Value& a, const Value& b);
// numerator / denominator in lowest terms: a Ratio, or a BigInt when it is whole. Both integers.
Value exact_ratio(NativeContext& cx, const char* function, const Value& numerator,
                  const Value& denominator);
// base to the power n >= 0; base is an integer.
Value exact_power(NativeContext& cx, const char* function, const Value& base, std::int64_t n);
int compare_exact(const Value& a, const Value& b);  // -1, 0, 1
double ratio_to_double(const Value& ratio);

}  // namespace chancel
