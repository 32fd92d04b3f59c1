// SPDX-License-Identifier: Apache-2.0
// The numeric tower. Ratios work in 128 bits and are checked once at the end, so that an
// intermediate product does not count as an overflow. quot, rem and mod of doubles follow Java's
// formulas, with infinities as IEEE gives them.
#include "value/number.hpp"

#include <fmt/format.h>

#include <cmath>

#include "diag/diagnostic.hpp"
#include "value/equality.hpp"
#include "value/print.hpp"
#include "value/record_hook.hpp"

namespace chancel {

namespace {

using Wide = __int128;

struct Fraction {
  Wide numerator;
  Wide denominator;
};

Fraction fraction(const Value& v) {
  if (v.is(Tag::Int)) return {v.i, 1};
  const auto* r = v.as<Ratio>();
  return {r->numerator, r->denominator};
}

Value overflow(NativeContext& cx, const char* function, const Value& a, const Value& b) {
  std::string hint;
  if (function[0] == '+' || function[0] == '*')
    hint = fmt::format("{}' goes on with a double when the result is too large", function);
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
    return cx.recorder->combine(cx, op, a, b);
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

// Lowest terms, as an integer when the denominator is 1. denominator != 0.
bool normal_form(NativeContext& cx, Fraction f, Value* out) {
  if (f.denominator < 0) f = {-f.numerator, -f.denominator};
  Wide x = f.numerator < 0 ? -f.numerator : f.numerator, y = f.denominator;
  while (y != 0) {
    const Wide r = x % y;
    x = y;
    y = r;
  }
  if (x > 1) f = {f.numerator / x, f.denominator / x};
  if (!fits(f.numerator) || !fits(f.denominator)) return false;
  if (f.denominator == 1) {
    *out = Value::integer(static_cast<std::int64_t>(f.numerator));
    return true;
  }
  auto* r = cx.arena->make<Ratio>(Tag::Ratio);
  r->numerator = static_cast<std::int64_t>(f.numerator);
  r->denominator = static_cast<std::int64_t>(f.denominator);
  *out = Value::object(r);
  return true;
}

Value result(NativeContext& cx, const char* function, const Value& a, const Value& b, Fraction f) {
  Value out;
  return normal_form(cx, f, &out) ? out : overflow(cx, function, a, b);
}

bool either_double(const Value& a, const Value& b) {
  return a.is(Tag::Double) || b.is(Tag::Double);
}
bool both_int(const Value& a, const Value& b) { return a.is(Tag::Int) && b.is(Tag::Int); }

// a / b cut off towards zero, for exact numbers with b != 0.
Wide exact_quotient(const Fraction& x, const Fraction& y) {
  return (x.numerator * y.denominator) / (x.denominator * y.numerator);
}

}  // namespace

double to_double(const Value& number) {
  if (number.is(Tag::Double)) return number.d;
  if (number.is(Tag::Int)) return static_cast<double>(number.i);
  const auto* r = number.as<Ratio>();
  constexpr std::int64_t kExact = std::int64_t{1} << 53;
  if (r->numerator <= kExact && r->numerator >= -kExact && r->denominator <= kExact)
    return static_cast<double>(r->numerator) / static_cast<double>(r->denominator);
  return static_cast<double>(static_cast<long double>(r->numerator) /
                             static_cast<long double>(r->denominator));
}

Value make_ratio(NativeContext& cx, std::int64_t numerator, std::int64_t denominator) {
  CHANCEL_DEBUG_ASSERT(denominator != 0, "ratio over zero");
  return result(cx, "/", Value::integer(numerator), Value::integer(denominator),
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
  const Fraction x = fraction(a), y = fraction(b);
  return result(
      cx, "+", a, b,
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
  const Fraction x = fraction(a), y = fraction(b);
  return result(
      cx, "-", a, b,
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
  const Fraction x = fraction(a), y = fraction(b);
  return result(cx, "*", a, b, {x.numerator * y.numerator, x.denominator * y.denominator});
}

Value divide(NativeContext& cx, const Value& a, const Value& b) {
  if (CHANCEL_UNLIKELY(has_node(a, b))) return with_node(cx, '/', a, b);
  if (!check(cx, "/", a, b)) return Value::nil();
  if (either_double(a, b)) return Value::real(to_double(a) / to_double(b));
  const Fraction x = fraction(a), y = fraction(b);
  if (y.numerator == 0) return by_zero(cx, "/");
  return result(cx, "/", a, b, {x.numerator * y.denominator, x.denominator * y.numerator});
}

Value quotient(NativeContext& cx, const Value& a, const Value& b) {
  if (!check(cx, "quot", a, b)) return Value::nil();
  if (either_double(a, b)) {
    if (to_double(b) == 0) return by_zero(cx, "quot");
    return Value::real(std::trunc(to_double(a) / to_double(b)));
  }
  const Fraction x = fraction(a), y = fraction(b);
  if (y.numerator == 0) return by_zero(cx, "quot");
  return result(cx, "quot", a, b, {exact_quotient(x, y), 1});
}

Value remainder(NativeContext& cx, const Value& a, const Value& b) {
  if (!check(cx, "rem", a, b)) return Value::nil();
  if (either_double(a, b)) {
    const double x = to_double(a), y = to_double(b);
    if (y == 0) return by_zero(cx, "rem");
    return Value::real(x - std::trunc(x / y) * y);
  }
  const Fraction x = fraction(a), y = fraction(b);
  if (y.numerator == 0) return by_zero(cx, "rem");
  if (both_int(a, b)) return Value::integer(b.i == -1 ? 0 : a.i % b.i);
  const Wide n = x.numerator * y.denominator, d = y.numerator * x.denominator;
  return result(cx, "rem", a, b, {n % d, x.denominator * y.denominator});
}

Value modulo(NativeContext& cx, const Value& a, const Value& b) {
  if (!check(cx, "mod", a, b)) return Value::nil();
  if (to_double(b) == 0) return by_zero(cx, "mod");
  const Value m = remainder(cx, a, b);
  if (!cx.ok()) return m;
  const double r = to_double(m);
  return r == 0 || (r > 0) == (to_double(b) > 0) ? m : add(cx, m, b);
}

int compare_numbers(const Value& a, const Value& b) {
  if (either_double(a, b)) {
    const double x = to_double(a), y = to_double(b);
    return x < y ? -1 : x > y ? 1 : x == y ? 0 : 2;
  }
  if (both_int(a, b)) return a.i < b.i ? -1 : a.i > b.i ? 1 : 0;
  const Fraction x = fraction(a), y = fraction(b);
  const Wide left = x.numerator * y.denominator, right = y.numerator * x.denominator;
  return left < right ? -1 : left > right ? 1 : 0;
}

int number_order(NativeContext& cx, const char* function, const Value& a, const Value& b) {
  return check(cx, function, a, b) ? compare_numbers(a, b) : 2;
}

bool numeric_equal(const Value& a, const Value& b) { return compare_numbers(a, b) == 0; }

}  // namespace chancel
