// SPDX-License-Identifier: Apache-2.0
// Arithmetic on the numeric tower, conversions between kinds of numbers, and bit operations. The VM
// has its own fast paths for + - * / on two numbers; what is here is the general case and the
// functions as values.
#include <fmt/format.h>

#include <cmath>

#include "base/double_text.hpp"
#include "library/arguments.hpp"
#include "library/registry.hpp"
#include "value/big_integer.hpp"
#include "value/number.hpp"

namespace chancel {
namespace {

using Binary = Value (*)(NativeContext&, const Value&, const Value&);

Value fold(NativeContext& cx, const char* function, Binary op, const Value& start, const Value* a,
           std::uint32_t n) {
  if (!check_numbers(cx, function, a, n)) return Value::nil();
  if (n == 0) return start;
  Value result = a[0];
  for (std::uint32_t i = 1; i < n && cx.ok(); ++i) result = op(cx, result, a[i]);
  return result;
}
Value plus(NativeContext& cx, const Value* a, std::uint32_t n) {
  return fold(cx, "+", add, Value::integer(0), a, n);
}
Value times(NativeContext& cx, const Value* a, std::uint32_t n) {
  return fold(cx, "*", multiply, Value::integer(1), a, n);
}
Value minus(NativeContext& cx, const Value* a, std::uint32_t n) {
  if (!check_numbers(cx, "-", a, n)) return Value::nil();
  if (n == 1)
    return a[0].is(Tag::Double) ? Value::real(-a[0].d) : subtract(cx, Value::integer(0), a[0]);
  return fold(cx, "-", subtract, Value::nil(), a, n);
}
Value over(NativeContext& cx, const Value* a, std::uint32_t n) {
  if (!check_numbers(cx, "/", a, n)) return Value::nil();
  if (n == 1) return divide(cx, Value::integer(1), a[0]);
  return fold(cx, "/", divide, Value::nil(), a, n);
}
Value increment(NativeContext& cx, const Value* a, std::uint32_t) {
  if (!check_numbers(cx, "inc", a, 1)) return Value::nil();
  return add(cx, a[0], Value::integer(1));
}
Value decrement(NativeContext& cx, const Value* a, std::uint32_t) {
  if (!check_numbers(cx, "dec", a, 1)) return Value::nil();
  return subtract(cx, a[0], Value::integer(1));
}

// Overflow gives a BigInt instead of an error.
bool both_ints(const Value& a, const Value& b) { return a.is(Tag::Int) && b.is(Tag::Int); }
Value add_wide(NativeContext& cx, const Value& a, const Value& b) {
  std::int64_t r = 0;
  if (both_ints(a, b) && __builtin_add_overflow(a.i, b.i, &r))
    return exact(cx, "+'", ExactOp::Add, a, b);
  return add(cx, a, b);
}
Value subtract_wide(NativeContext& cx, const Value& a, const Value& b) {
  std::int64_t r = 0;
  if (both_ints(a, b) && __builtin_sub_overflow(a.i, b.i, &r))
    return exact(cx, "-'", ExactOp::Subtract, a, b);
  return subtract(cx, a, b);
}
Value multiply_wide(NativeContext& cx, const Value& a, const Value& b) {
  std::int64_t r = 0;
  if (both_ints(a, b) && __builtin_mul_overflow(a.i, b.i, &r))
    return exact(cx, "*'", ExactOp::Multiply, a, b);
  return multiply(cx, a, b);
}
Value plus_wide(NativeContext& cx, const Value* a, std::uint32_t n) {
  return fold(cx, "+'", add_wide, Value::integer(0), a, n);
}
Value times_wide(NativeContext& cx, const Value* a, std::uint32_t n) {
  return fold(cx, "*'", multiply_wide, Value::integer(1), a, n);
}
Value minus_wide(NativeContext& cx, const Value* a, std::uint32_t n) {
  if (!check_numbers(cx, "-'", a, n)) return Value::nil();
  if (n == 1)
    return a[0].is(Tag::Double) ? Value::real(-a[0].d) : subtract_wide(cx, Value::integer(0), a[0]);
  return fold(cx, "-'", subtract_wide, Value::nil(), a, n);
}
Value increment_wide(NativeContext& cx, const Value* a, std::uint32_t) {
  if (!check_numbers(cx, "inc'", a, 1)) return Value::nil();
  return add_wide(cx, a[0], Value::integer(1));
}
Value decrement_wide(NativeContext& cx, const Value* a, std::uint32_t) {
  if (!check_numbers(cx, "dec'", a, 1)) return Value::nil();
  return subtract_wide(cx, a[0], Value::integer(1));
}

Value whole_quotient(NativeContext& cx, const Value* a, std::uint32_t) {
  return check_numbers(cx, "quot", a, 2) ? quotient(cx, a[0], a[1]) : Value::nil();
}
Value whole_remainder(NativeContext& cx, const Value* a, std::uint32_t) {
  return check_numbers(cx, "rem", a, 2) ? remainder(cx, a[0], a[1]) : Value::nil();
}
Value whole_modulo(NativeContext& cx, const Value* a, std::uint32_t) {
  return check_numbers(cx, "mod", a, 2) ? modulo(cx, a[0], a[1]) : Value::nil();
}

bool is_nan(const Value& v) { return v.is(Tag::Double) && std::isnan(v.d); }
// As Clojure: the argument itself is returned, NaN wins, on a tie the later one.
Value extreme(NativeContext& cx, const char* function, int wanted, const Value* a,
              std::uint32_t n) {
  if (!check_numbers(cx, function, a, n)) return Value::nil();
  Value best = a[0];
  for (std::uint32_t i = 1; i < n; ++i) {
    if (is_nan(best)) return best;
    if (is_nan(a[i]) || number_order(cx, function, best, a[i]) != wanted) best = a[i];
  }
  return best;
}
Value largest(NativeContext& cx, const Value* a, std::uint32_t n) {
  return extreme(cx, "max", 1, a, n);
}
Value smallest(NativeContext& cx, const Value* a, std::uint32_t n) {
  return extreme(cx, "min", -1, a, n);
}

Value to_integer(NativeContext& cx, const char* function, const Value* a) {
  if (a[0].is(Tag::Char)) return Value::integer(a[0].i);
  std::int64_t i = 0;
  return read_integer(cx, function, a, 0, &i) ? Value::integer(i) : Value::nil();
}
Value to_int(NativeContext& cx, const Value* a, std::uint32_t) {
  const Value v = to_integer(cx, "int", a);
  if (v.is(Tag::Int) && v.i != static_cast<std::int32_t>(v.i))
    return cx.fail_as("java.lang.IllegalArgumentException", Code::R009,
                      fmt::format("int: {} does not fit into 32 bits", show(a[0])), 0,
                      "long takes integers of 64 bits");
  return v;
}
Value to_long(NativeContext& cx, const Value* a, std::uint32_t) {
  return to_integer(cx, "long", a);
}
Value to_real(NativeContext& cx, const Value* a, std::uint32_t) {
  double d = 0;
  return read_number(cx, "double", a, 0, &d) ? Value::real(d) : Value::nil();
}
Value to_float(NativeContext& cx, const Value* a, std::uint32_t) {
  double d = 0;
  return read_number(cx, "float", a, 0, &d) ? Value::real(d) : Value::nil();
}
Value same_number(NativeContext& cx, const Value* a, std::uint32_t) {
  return check_numbers(cx, "num", a, 1) ? a[0] : Value::nil();
}
// The decimal text of the double is the rational that was meant: 0.1 is 1/10. It is finite.
Value rational_of(NativeContext& cx, double x) {
  const std::string text = java_double_text(x);  // 1.25, 1.0E30, 1.25E-7
  const std::size_t e = text.find('E');
  std::int64_t exponent = 0;
  if (e != std::string::npos) exponent = std::stoll(text.substr(e + 1));
  std::string digits = text.substr(0, e);
  const std::size_t point = digits.find('.');
  exponent -= static_cast<std::int64_t>(digits.size() - point - 1);
  digits.erase(point, 1);
  const Value mantissa = *parse_big_integer(*cx.arena, digits);
  const Value scale =
      exact_power(cx, "rationalize", Value::integer(10), exponent < 0 ? -exponent : exponent);
  if (!cx.ok()) return Value::nil();
  return exact(cx, "rationalize", exponent < 0 ? ExactOp::Divide : ExactOp::Multiply, mantissa,
               scale);
}
Value to_rational(NativeContext& cx, const Value* a, std::uint32_t) {
  if (!check_numbers(cx, "rationalize", a, 1)) return Value::nil();
  if (!a[0].is(Tag::Double)) return a[0];
  if (!std::isfinite(a[0].d))
    return cx.fail(Code::R005, fmt::format("rationalize: {} has no ratio of integers", show(a[0])),
                   0);
  return rational_of(cx, a[0].d);
}

// --- integers of any size ---
Value to_big(NativeContext& cx, const char* function, const Value* a, bool java) {
  std::optional<Value> made;
  const auto whole_part = [&](const Value& v) {
    const Value whole = v.is(Tag::Ratio)
                            ? exact(cx, function, ExactOp::Quotient, v.as<Ratio>()->numerator,
                                    v.as<Ratio>()->denominator)
                            : v;
    return cx.ok() ? as_big_integer(*cx.arena, whole, java) : Value::nil();
  };
  if (is_integer(a[0])) {
    made = as_big_integer(*cx.arena, a[0], java);
  } else if (a[0].is(Tag::Double)) {
    if (std::isfinite(a[0].d)) made = whole_part(rational_of(cx, a[0].d));
  } else if (a[0].is(Tag::Ratio)) {
    made = whole_part(a[0]);
  } else if (a[0].is(Tag::String)) {
    cx.tick(1 + string_view_of(a[0]).size() * string_view_of(a[0]).size() / 1024);
    made = parse_big_integer(*cx.arena, string_view_of(a[0]), 10, java);
  } else {
    return cx.wrong_type(function, 0, "a number or a string of digits", a[0]);
  }
  if (!made)
    return cx.fail_as("java.lang.NumberFormatException", Code::R009,
                      fmt::format("{}: {} is not an integer", function, show(a[0], true, 60)), 0);
  return *made;
}
Value bigint(NativeContext& cx, const Value* a, std::uint32_t) {
  return to_big(cx, "bigint", a, false);
}
Value biginteger(NativeContext& cx, const Value* a, std::uint32_t) {
  return to_big(cx, "biginteger", a, true);
}
Value numerator_of(NativeContext& cx, const Value* a, std::uint32_t) {
  if (!a[0].is(Tag::Ratio))
    return is_integer(a[0]) ? a[0] : cx.wrong_type("numerator", 0, "a ratio", a[0]);
  return as_big_integer(*cx.arena, a[0].as<Ratio>()->numerator, true);
}
Value denominator_of(NativeContext& cx, const Value* a, std::uint32_t) {
  if (!a[0].is(Tag::Ratio))
    return is_integer(a[0]) ? Value::integer(1) : cx.wrong_type("denominator", 0, "a ratio", a[0]);
  return as_big_integer(*cx.arena, a[0].as<Ratio>()->denominator, true);
}

bool check_ints(NativeContext& cx, const char* function, const Value* a, std::uint32_t n) {
  for (std::uint32_t i = 0; i < n; ++i) {
    if (!a[i].is(Tag::Int)) {
      cx.wrong_type(function, static_cast<int>(i), "an integer", a[i]);
      return false;
    }
  }
  return true;
}
Value bit_and(NativeContext& cx, const Value* a, std::uint32_t n) {
  if (!check_ints(cx, "bit-and", a, n)) return Value::nil();
  std::int64_t r = a[0].i;
  for (std::uint32_t i = 1; i < n; ++i) r &= a[i].i;
  return Value::integer(r);
}
Value bit_or(NativeContext& cx, const Value* a, std::uint32_t n) {
  if (!check_ints(cx, "bit-or", a, n)) return Value::nil();
  std::int64_t r = a[0].i;
  for (std::uint32_t i = 1; i < n; ++i) r |= a[i].i;
  return Value::integer(r);
}
Value bit_xor(NativeContext& cx, const Value* a, std::uint32_t n) {
  if (!check_ints(cx, "bit-xor", a, n)) return Value::nil();
  std::int64_t r = a[0].i;
  for (std::uint32_t i = 1; i < n; ++i) r ^= a[i].i;
  return Value::integer(r);
}
Value bit_not(NativeContext& cx, const Value* a, std::uint32_t) {
  return check_ints(cx, "bit-not", a, 1) ? Value::integer(~a[0].i) : Value::nil();
}
// Shift distances count modulo 64, as on the JVM.
Value shift_left(NativeContext& cx, const Value* a, std::uint32_t) {
  if (!check_ints(cx, "bit-shift-left", a, 2)) return Value::nil();
  return Value::integer(
      static_cast<std::int64_t>(static_cast<std::uint64_t>(a[0].i) << (a[1].i & 63)));
}
Value shift_right(NativeContext& cx, const Value* a, std::uint32_t) {
  return check_ints(cx, "bit-shift-right", a, 2) ? Value::integer(a[0].i >> (a[1].i & 63))
                                                 : Value::nil();
}
Value shift_right_unsigned(NativeContext& cx, const Value* a, std::uint32_t) {
  if (!check_ints(cx, "unsigned-bit-shift-right", a, 2)) return Value::nil();
  return Value::integer(
      static_cast<std::int64_t>(static_cast<std::uint64_t>(a[0].i) >> (a[1].i & 63)));
}
Value bit_test(NativeContext& cx, const Value* a, std::uint32_t) {
  return check_ints(cx, "bit-test", a, 2) ? Value::boolean((a[0].i >> (a[1].i & 63)) & 1)
                                          : Value::nil();
}
Value bit_set(NativeContext& cx, const Value* a, std::uint32_t) {
  if (!check_ints(cx, "bit-set", a, 2)) return Value::nil();
  return Value::integer(static_cast<std::int64_t>(static_cast<std::uint64_t>(a[0].i) |
                                                  (std::uint64_t{1} << (a[1].i & 63))));
}

constexpr NativeDef kArithmeticNatives[] = {
    {"+", 0, -1, plus, kPure, "[& numbers]", "The sum of the numbers; 0 when there are none."},
    {"-", 1, -1, minus, kPure, "[x] [x & numbers]",
     "x less the other numbers, or the negative of x alone."},
    {"*", 0, -1, times, kPure, "[& numbers]", "The product of the numbers; 1 when there are none."},
    {"/", 1, -1, over, kPure, "[x] [x & numbers]",
     "x divided by the other numbers, or the reciprocal of x alone; integers give a ratio when "
     "they do not divide."},
    {"+'", 0, -1, plus_wide, kPure, "[& numbers]", "The sum; integers of any size."},
    {"-'", 1, -1, minus_wide, kPure, "[x] [x & numbers]", "The difference; integers of any size."},
    {"*'", 0, -1, times_wide, kPure, "[& numbers]", "The product; integers of any size."},
    {"inc", 1, 1, increment, kPure, "[x]", "One more than x."},
    {"dec", 1, 1, decrement, kPure, "[x]", "One less than x."},
    {"inc'", 1, 1, increment_wide, kPure, "[x]", "One more than x; integers of any size."},
    {"dec'", 1, 1, decrement_wide, kPure, "[x]", "One less than x; integers of any size."},
    {"quot", 2, 2, whole_quotient, kPure, "[x y]", "x divided by y, truncated towards zero."},
    {"rem", 2, 2, whole_remainder, kPure, "[x y]", "The remainder of quot; it has the sign of x."},
    {"mod", 2, 2, whole_modulo, kPure, "[x y]", "x modulo y; it has the sign of y."},
    {"max", 1, -1, largest, kPure, "[x & numbers]", "The largest of the numbers."},
    {"min", 1, -1, smallest, kPure, "[x & numbers]", "The smallest of the numbers."},
    {"int", 1, 1, to_int, kPure, "[x]", "The number cut towards zero, or the code of a character."},
    {"long", 1, 1, to_long, kPure, "[x]",
     "The number cut towards zero, or the code of a character."},
    {"double", 1, 1, to_real, kPure, "[x]", "The number as a double."},
    {"float", 1, 1, to_float, kPure, "[x]",
     "The number as a double (there is no single precision)."},
    {"num", 1, 1, same_number, kPure, "[x]", "The number itself."},
    {"rationalize", 1, 1, to_rational, kPure, "[x]", "The ratio with the decimal value of x."},
    {"bigint", 1, 1, bigint, kPure, "[x]",
     "The whole part of a number, or the integer that a string spells, as an integer of any size: "
     "5N."},
    {"biginteger", 1, 1, biginteger, kPure, "[x]",
     "The same as Java's BigInteger, which prints without the N."},
    {"numerator", 1, 1, numerator_of, kPure, "[r]", "The numerator of a ratio."},
    {"denominator", 1, 1, denominator_of, kPure, "[r]", "The denominator of a ratio."},
    {"bit-and", 2, -1, bit_and, kPure, "[x y & more]", "The bits that all integers have."},
    {"bit-or", 2, -1, bit_or, kPure, "[x y & more]", "The bits that some integer has."},
    {"bit-xor", 2, -1, bit_xor, kPure, "[x y & more]",
     "The bits that an odd number of the integers have."},
    {"bit-not", 1, 1, bit_not, kPure, "[x]", "The bits that x does not have."},
    {"bit-shift-left", 2, 2, shift_left, kPure, "[x n]", "The bits of x moved n places up."},
    {"bit-shift-right", 2, 2, shift_right, kPure, "[x n]",
     "The bits of x moved n places down, keeping the sign."},
    {"unsigned-bit-shift-right", 2, 2, shift_right_unsigned, kPure, "[x n]",
     "The bits of x moved n places down."},
    {"bit-test", 2, 2, bit_test, kPure, "[x n]", "True when bit n of x is set."},
    {"bit-set", 2, 2, bit_set, kPure, "[x n]", "x with bit n set."},
};

}  // namespace

std::span<const NativeDef> arithmetic_natives() { return kArithmeticNatives; }

}  // namespace chancel
