// SPDX-License-Identifier: Apache-2.0
// The numeric tower. Ratios of 64-bit parts work in 128 bits; where the result does not fit, and
// where an operand is a BigInt, big_integer.cpp takes over. quot, rem and mod of doubles follow
// Java's formulas, with infinities as IEEE gives them.
#include "value/number.hpp"

#include <fmt/format.h>

#include <cmath>

#include "diag/diagnostic.hpp"
#include "value/big_integer.hpp"
#include "value/equality.hpp"
#include "value/print.hpp"
#include "value/symbolic_hook.hpp"

namespace chancel {

namespace {

using Wide = __int128;

struct Fraction {
  Wide numerator;
  Wide denominator;
};

// Of 64-bit parts.
bool is_small(const Value& v) {
  return v.is(Tag::Int) || (v.is(Tag::Ratio) && v.as<Ratio>()->numerator.is(Tag::Int) &&
                            v.as<Ratio>()->denominator.is(Tag::Int));
}
bool both_small(const Value& a, const Value& b) { return is_small(a) && is_small(b); }

Fraction fraction(const Value& v) {
  if (v.is(Tag::Int)) return {v.i, 1};
  const auto* r = v.as<Ratio>();
  return {r->numerator.i, r->denominator.i};
}

Value overflow(NativeContext& cx, const char* function, const Value& a, const Value& b) {
  std::string hint;
  if (function[0] == '+' || function[0] == '*' || function[0] == '-')
    hint = fmt::format("{}' continues with integers of any size", function);
  return cx.fail(Code::R005,
                 fmt::format("{}: the result of ({} {} {}) does not fit into 64 bits", function,
                             function, show(a), show(b)),
                 -1, std::move(hint));
}

Value by_zero(NativeContext& cx, const char* function) {
  return cx.fail(Code::R006, fmt::format("{}: division by zero", function), 1);
}

// Both are numbers, or the failure is reported.
bool has_node(const Value& a, const Value& b) { return a.is(Tag::Node) || b.is(Tag::Node); }
bool check(NativeContext& cx, const char* function, const Value& a, const Value& b);
// While a program is recorded.
Value with_node(NativeContext& cx, char op, const Value& a, const Value& b) {
  const char function[2] = {op, 0};
  if (a.is(Tag::Node) ? b.is(Tag::Node) || b.is_number() : a.is_number())
    return cx.symbolic->combine(cx, op, a, b);
  check(cx, function, a.is(Tag::Node) ? b : a, a.is(Tag::Node) ? b : a);
  return Value::nil();
}

bool check(NativeContext& cx, const char* function, const Value& a, const Value& b) {
  if (!a.is_number()) {
    cx.wrong_type(function, 0, "a number", a);
    return false;
  }
  if (!b.is_number()) {
    cx.wrong_type(function, 1, "a number", b);
    return false;
  }
  return true;
}

bool fits(Wide w) { return w >= Wide{INT64_MIN} && w <= Wide{INT64_MAX}; }

// Lowest terms. Whole results are of the kind that Clojure makes: 64 bits from integers, a BigInt
// from ratios. denominator != 0. False: it does not fit.
bool normal_form(NativeContext& cx, Fraction f, bool whole_is_big, Value* out) {
  if (f.denominator < 0) f = {-f.numerator, -f.denominator};
  Wide x = f.numerator < 0 ? -f.numerator : f.numerator, y = f.denominator;
  while (y != 0) {
    const Wide r = x % y;
    x = y;
    y = r;
  }
  if (x > 1) f = {f.numerator / x, f.denominator / x};
  if (!fits(f.numerator) || !fits(f.denominator)) return false;
  const auto numerator = static_cast<std::int64_t>(f.numerator);
  if (f.denominator == 1) {
    *out = whole_is_big ? make_big_integer(*cx.arena, numerator) : Value::integer(numerator);
    return true;
  }
  auto* r = cx.arena->make<Ratio>(Tag::Ratio);
  r->numerator = Value::integer(numerator);
  r->denominator = Value::integer(static_cast<std::int64_t>(f.denominator));
  *out = Value::object(r);
  return true;
}

bool both_int(const Value& a, const Value& b) { return a.is(Tag::Int) && b.is(Tag::Int); }

// Of small operands: f, or the same exactly.
Value result(NativeContext& cx, const char* function, ExactOp op, const Value& a, const Value& b,
             Fraction f) {
  Value out;
  return normal_form(cx, f, !both_int(a, b), &out) ? out : exact(cx, function, op, a, b);
}

bool either_double(const Value& a, const Value& b) {
  return a.is(Tag::Double) || b.is(Tag::Double);
}

// a / b cut off towards zero, for exact numbers with b != 0.
Wide exact_quotient(const Fraction& x, const Fraction& y) {
  return (x.numerator * y.denominator) / (x.denominator * y.numerator);
}

}  // namespace

double to_double(const Value& number) {
  if (number.is(Tag::Double)) return number.d;
  if (number.is(Tag::Int)) return static_cast<double>(number.i);
  return number.is(Tag::BigInt) ? integer_to_double(number) : ratio_to_double(number);
}

Value make_ratio(NativeContext& cx, std::int64_t numerator, std::int64_t denominator) {
  CHANCEL_DEBUG_ASSERT(denominator != 0, "ratio over zero");
  return result(cx, "/", ExactOp::Divide, Value::integer(numerator), Value::integer(denominator),
                {numerator, denominator});
}

Value add(NativeContext& cx, const Value& a, const Value& b) {
  if (both_int(a, b)) {
    std::int64_t sum;
    return __builtin_add_overflow(a.i, b.i, &sum) ? overflow(cx, "+", a, b) : Value::integer(sum);
  }
  if (CHANCEL_UNLIKELY(has_node(a, b))) return with_node(cx, '+', a, b);
  if (!check(cx, "+", a, b)) return Value::nil();
  if (either_double(a, b)) return Value::real(to_double(a) + to_double(b));
  if (!both_small(a, b)) return exact(cx, "+", ExactOp::Add, a, b);
  const Fraction x = fraction(a), y = fraction(b);
  return result(
      cx, "+", ExactOp::Add, a, b,
      {x.numerator * y.denominator + y.numerator * x.denominator, x.denominator * y.denominator});
}

Value subtract(NativeContext& cx, const Value& a, const Value& b) {
  if (both_int(a, b)) {
    std::int64_t difference;
    return __builtin_sub_overflow(a.i, b.i, &difference) ? overflow(cx, "-", a, b)
                                                         : Value::integer(difference);
  }
  if (CHANCEL_UNLIKELY(has_node(a, b))) return with_node(cx, '-', a, b);
  if (!check(cx, "-", a, b)) return Value::nil();
  if (either_double(a, b)) return Value::real(to_double(a) - to_double(b));
  if (!both_small(a, b)) return exact(cx, "-", ExactOp::Subtract, a, b);
  const Fraction x = fraction(a), y = fraction(b);
  return result(
      cx, "-", ExactOp::Subtract, a, b,
      {x.numerator * y.denominator - y.numerator * x.denominator, x.denominator * y.denominator});
}

Value multiply(NativeContext& cx, const Value& a, const Value& b) {
  if (both_int(a, b)) {
    std::int64_t product;
    return __builtin_mul_overflow(a.i, b.i, &product) ? overflow(cx, "*", a, b)
                                                      : Value::integer(product);
  }
  if (CHANCEL_UNLIKELY(has_node(a, b))) return with_node(cx, '*', a, b);
  if (!check(cx, "*", a, b)) return Value::nil();
  if (either_double(a, b)) return Value::real(to_double(a) * to_double(b));
  if (!both_small(a, b)) return exact(cx, "*", ExactOp::Multiply, a, b);
  const Fraction x = fraction(a), y = fraction(b);
  return result(cx, "*", ExactOp::Multiply, a, b,
                {x.numerator * y.numerator, x.denominator * y.denominator});
}

namespace {
int sign_of_number(const Value& v) {
  if (v.is(Tag::Double)) return v.d < 0 ? -1 : v.d > 0;
  return sign_of(v.is(Tag::Ratio) ? v.as<Ratio>()->numerator : v);
}
bool is_zero(const Value& v) { return sign_of_number(v) == 0; }
}  // namespace

Value divide(NativeContext& cx, const Value& a, const Value& b) {
  if (CHANCEL_UNLIKELY(has_node(a, b))) return with_node(cx, '/', a, b);
  if (!check(cx, "/", a, b)) return Value::nil();
  if (either_double(a, b)) return Value::real(to_double(a) / to_double(b));
  if (is_zero(b)) return by_zero(cx, "/");
  if (!both_small(a, b)) return exact(cx, "/", ExactOp::Divide, a, b);
  const Fraction x = fraction(a), y = fraction(b);
  return result(cx, "/", ExactOp::Divide, a, b,
                {x.numerator * y.denominator, x.denominator * y.numerator});
}

Value quotient(NativeContext& cx, const Value& a, const Value& b) {
  if (!check(cx, "quot", a, b)) return Value::nil();
  if (either_double(a, b)) {
    if (to_double(b) == 0) return by_zero(cx, "quot");
    return Value::real(std::trunc(to_double(a) / to_double(b)));
  }
  if (is_zero(b)) return by_zero(cx, "quot");
  if (both_int(a, b)) {
    if (b.i != -1) return Value::integer(a.i / b.i);
    std::int64_t negated;
    return __builtin_sub_overflow(0, a.i, &negated) ? overflow(cx, "quot", a, b)
                                                    : Value::integer(negated);
  }
  if (!both_small(a, b)) return exact(cx, "quot", ExactOp::Quotient, a, b);
  return result(cx, "quot", ExactOp::Quotient, a, b, {exact_quotient(fraction(a), fraction(b)), 1});
}

Value remainder(NativeContext& cx, const Value& a, const Value& b) {
  if (!check(cx, "rem", a, b)) return Value::nil();
  if (either_double(a, b)) {
    const double x = to_double(a), y = to_double(b);
    if (y == 0) return by_zero(cx, "rem");
    return Value::real(x - std::trunc(x / y) * y);
  }
  if (is_zero(b)) return by_zero(cx, "rem");
  if (both_int(a, b)) return Value::integer(b.i == -1 ? 0 : a.i % b.i);
  if (!both_small(a, b)) return exact(cx, "rem", ExactOp::Remainder, a, b);
  const Fraction x = fraction(a), y = fraction(b);
  const Wide n = x.numerator * y.denominator, d = y.numerator * x.denominator;
  return result(cx, "rem", ExactOp::Remainder, a, b, {n % d, x.denominator * y.denominator});
}

Value modulo(NativeContext& cx, const Value& a, const Value& b) {
  if (!check(cx, "mod", a, b)) return Value::nil();
  if (to_double(b) == 0) return by_zero(cx, "mod");
  const Value m = remainder(cx, a, b);
  if (!cx.ok()) return m;
  const int sign = sign_of_number(m);
  return sign == 0 || sign == sign_of_number(b) ? m : add(cx, m, b);
}

int compare_numbers(const Value& a, const Value& b) {
  if (either_double(a, b)) {
    const double x = to_double(a), y = to_double(b);
    return x < y ? -1 : x > y ? 1 : x == y ? 0 : 2;
  }
  if (both_int(a, b)) return a.i < b.i ? -1 : a.i > b.i ? 1 : 0;
  if (!both_small(a, b)) return compare_exact(a, b);
  const Fraction x = fraction(a), y = fraction(b);
  const Wide left = x.numerator * y.denominator, right = y.numerator * x.denominator;
  return left < right ? -1 : left > right ? 1 : 0;
}

int number_order(NativeContext& cx, const char* function, const Value& a, const Value& b) {
  return check(cx, function, a, b) ? compare_numbers(a, b) : 2;
}

bool numeric_equal(const Value& a, const Value& b) { return compare_numbers(a, b) == 0; }

}  // namespace chancel
