// SPDX-License-Identifier: Apache-2.0
// Functions of numbers. Names are those of anglican.runtime and of Java's Math (Math/log is found
// as log).
#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "library/arguments.hpp"
#include "library/registry.hpp"
#include "math/elementary.hpp"
#include "math/special.hpp"
#include "value/big_integer.hpp"

namespace chancel {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

double signum(double x) { return x > 0 ? 1.0 : x < 0 ? -1.0 : x; }
double log_two(double x) { return std::log2(x); }
double radians(double x) { return x / 180.0 * M_PI; }
double degrees(double x) { return x * 180.0 / M_PI; }
double relu(double x) { return x > 0 ? x : 0.0; }
double rounded_to_even(double x) { return std::nearbyint(x); }

template <Text name, double (*f)(double)>
Value of_one(NativeContext& cx, const Value* a, std::uint32_t) {
  double x = 0;
  return read_number(cx, name.text, a, 0, &x) ? Value::real(f(x)) : Value::nil();
}
template <Text name, double (*f)(double, double)>
Value of_two(NativeContext& cx, const Value* a, std::uint32_t) {
  double x = 0;
  double y = 0;
  if (!read_number(cx, name.text, a, 0, &x) || !read_number(cx, name.text, a, 1, &y))
    return Value::nil();
  return Value::real(f(x, y));
}
using One = double (*)(double);

Value absolute(NativeContext& cx, const Value* a, std::uint32_t) {
  if (a[0].is(Tag::Double)) return Value::real(std::fabs(a[0].d));
  if (!check_numbers(cx, "abs", a, 1)) return Value::nil();
  return to_double(a[0]) < 0 ? subtract(cx, Value::integer(0), a[0]) : a[0];
}
// Java's rule: floor(x + 1/2), NaN is 0, too large is the largest.
Value round_half_up(NativeContext& cx, const Value* a, std::uint32_t) {
  if (is_integer(a[0])) return a[0];
  double x = 0;
  if (!read_number(cx, "round", a, 0, &x)) return Value::nil();
  if (std::isnan(x)) return Value::integer(0);
  double r = std::floor(x);
  if (x - r >= 0.5) r += 1;
  if (r >= 0x1.0p63) return Value::integer(std::numeric_limits<std::int64_t>::max());
  if (r < -0x1.0p63) return Value::integer(std::numeric_limits<std::int64_t>::min());
  return Value::integer(static_cast<std::int64_t>(r));
}
// Whole powers of integers are integers while they fit.
Value power(NativeContext& cx, const Value* a, std::uint32_t) {
  if (!check_numbers(cx, "power", a, 2)) return Value::nil();
  if (!a[0].is(Tag::Double) && a[1].is(Tag::Int) && a[1].i >= 0) {
    std::int64_t left = a[1].i;
    if (a[0].is(Tag::Int)) {
      std::int64_t result = 1;
      std::int64_t base = a[0].i;
      bool fits = true;
      while (fits && left > 0) {
        if (left & 1) fits = !__builtin_mul_overflow(result, base, &result);
        left >>= 1;
        if (fits && left > 0) fits = !__builtin_mul_overflow(base, base, &base);
      }
      if (fits) return Value::integer(result);
    } else if (a[0].is(Tag::BigInt)) {
      return exact_power(cx, "expt", a[0], left);
    } else if (left <= 64) {
      Value result = Value::integer(1);
      for (; left > 0 && cx.ok(); --left) result = multiply(cx, result, a[0]);
      return result;
    }
  }
  return Value::real(math::pow(to_double(a[0]), to_double(a[1])));
}
// Multivariate log-gamma: (log-mv-gamma-fn dimension x).
Value log_mv_gamma(NativeContext& cx, const Value* a, std::uint32_t) {
  std::int64_t p = 0;
  double x = 0;
  if (!read_size(cx, "log-mv-gamma-fn", a, 0, &p) || !read_number(cx, "log-mv-gamma-fn", a, 1, &x))
    return Value::nil();
  if (p > 1000000) return cx.fail(Code::R009, "log-mv-gamma-fn: the dimension is too large", 0);
  return Value::real(log_multivariate_gamma(x, p));
}

Value factorial(NativeContext& cx, const Value* a, std::uint32_t) {
  std::int64_t n = 0;
  if (!read_size(cx, "factorial", a, 0, &n)) return Value::nil();
  if (n > 20) return Value::real(n > 170 ? kInfinity : gamma_function(static_cast<double>(n) + 1));
  std::int64_t r = 1;
  for (std::int64_t i = 2; i <= n; ++i) r *= i;
  return Value::integer(r);
}
Value floor_mod(NativeContext& cx, const Value* a, std::uint32_t) {
  return check_numbers(cx, "floorMod", a, 2) ? modulo(cx, a[0], a[1]) : Value::nil();
}
Value floor_div(NativeContext& cx, const Value* a, std::uint32_t) {
  if (!check_numbers(cx, "floorDiv", a, 2)) return Value::nil();
  const Value m = modulo(cx, a[0], a[1]);
  if (!cx.ok()) return m;
  const Value whole = subtract(cx, a[0], m);
  return cx.ok() ? quotient(cx, whole, a[1]) : whole;
}

double plain_power(double x, double y) { return math::pow(x, y); }
double arc_tangent(double y, double x) { return std::atan2(y, x); }
double hypotenuse(double x, double y) { return std::hypot(x, y); }

constexpr NativeDef kMathNatives[] = {
    {"abs", 1, 1, absolute, kPure, "[x]", "The absolute value of x, of the same type."},
    {"floor", 1, 1, of_one<"floor", static_cast<One>(std::floor)>, kPure, "[x]",
     "The largest whole number that is not above x, as a double."},
    {"ceil", 1, 1, of_one<"ceil", static_cast<One>(std::ceil)>, kPure, "[x]",
     "The smallest whole number that is not below x, as a double."},
    {"rint", 1, 1, of_one<"rint", rounded_to_even>, kPure, "[x]",
     "The nearest whole number as a double; ties go to the even one."},
    {"round", 1, 1, round_half_up, kPure, "[x]", "The nearest integer; ties go up."},
    {"signum", 1, 1, of_one<"signum", signum>, kPure, "[x]", "-1.0, 0.0 or 1.0: the sign of x."},
    {"sqrt", 1, 1, of_one<"sqrt", static_cast<One>(std::sqrt)>, kPure, "[x]",
     "The square root; NaN for negative numbers."},
    {"cbrt", 1, 1, of_one<"cbrt", cube_root>, kPure, "[x]", "The cube root."},
    {"exp", 1, 1, of_one<"exp", math::exp>, kPure, "[x]", "e to the power x."},
    {"expm1", 1, 1, of_one<"expm1", math::expm1>, kPure, "[x]",
     "e to the power x, less 1, exact near 0."},
    {"log", 1, 1, of_one<"log", math::log>, kPure, "[x]",
     "The natural logarithm; -Infinity for 0."},
    {"log1p", 1, 1, of_one<"log1p", math::log1p>, kPure, "[x]",
     "The natural logarithm of 1 + x, exact near 0."},
    {"log10", 1, 1, of_one<"log10", static_cast<One>(std::log10)>, kPure, "[x]",
     "The decimal logarithm."},
    {"log2", 1, 1, of_one<"log2", log_two>, kPure, "[x]", "The binary logarithm."},
    {"sin", 1, 1, of_one<"sin", static_cast<One>(std::sin)>, kPure, "[x]",
     "The sine of an angle in radians."},
    {"cos", 1, 1, of_one<"cos", static_cast<One>(std::cos)>, kPure, "[x]",
     "The cosine of an angle in radians."},
    {"tan", 1, 1, of_one<"tan", static_cast<One>(std::tan)>, kPure, "[x]",
     "The tangent of an angle in radians."},
    {"asin", 1, 1, of_one<"asin", static_cast<One>(std::asin)>, kPure, "[x]",
     "The angle with this sine."},
    {"acos", 1, 1, of_one<"acos", static_cast<One>(std::acos)>, kPure, "[x]",
     "The angle with this cosine."},
    {"atan", 1, 1, of_one<"atan", static_cast<One>(std::atan)>, kPure, "[x]",
     "The angle with this tangent."},
    {"atan2", 2, 2, of_two<"atan2", arc_tangent>, kPure, "[y x]", "The angle of the point (x, y)."},
    {"sinh", 1, 1, of_one<"sinh", static_cast<One>(std::sinh)>, kPure, "[x]",
     "The hyperbolic sine."},
    {"cosh", 1, 1, of_one<"cosh", static_cast<One>(std::cosh)>, kPure, "[x]",
     "The hyperbolic cosine."},
    {"tanh", 1, 1, of_one<"tanh", static_cast<One>(std::tanh)>, kPure, "[x]",
     "The hyperbolic tangent."},
    {"hypot", 2, 2, of_two<"hypot", hypotenuse>, kPure, "[x y]",
     "The square root of x squared plus y squared."},
    {"toRadians", 1, 1, of_one<"toRadians", radians>, kPure, "[x]", "The angle in radians."},
    {"toDegrees", 1, 1, of_one<"toDegrees", degrees>, kPure, "[x]", "The angle in degrees."},
    {"pow", 2, 2, of_two<"pow", plain_power>, kPure, "[x y]", "x to the power y, as a double."},
    {"expt", 2, 2, power, kPure, "[x y]",
     "x to the power y; whole powers of integers are integers while they fit."},
    {"floorMod", 2, 2, floor_mod, kPure, "[x y]", "x modulo y; it has the sign of y."},
    {"floorDiv", 2, 2, floor_div, kPure, "[x y]", "x divided by y, rounded down."},
    {"erf", 1, 1, of_one<"erf", static_cast<One>(std::erf)>, kPure, "[x]", "The error function."},
    {"erfc", 1, 1, of_one<"erfc", static_cast<One>(std::erfc)>, kPure, "[x]",
     "One less the error function."},
    {"gamma-fn", 1, 1, of_one<"gamma-fn", gamma_function>, kPure, "[x]", "The gamma function."},
    {"digamma", 1, 1, of_one<"digamma", digamma>, kPure, "[x]",
     "The derivative of the log of the gamma function."},
    {"log-gamma-fn", 1, 1, of_one<"log-gamma-fn", log_gamma>, kPure, "[x]",
     "The log of the gamma function."},
    {"log-mv-gamma-fn", 2, 2, log_mv_gamma, kPure, "[dimension x]",
     "The log of the multivariate gamma function."},
    {"log-beta-fn", 2, 2, of_two<"log-beta-fn", log_beta>, kPure, "[a b]",
     "The log of the beta function."},
    {"factorial", 1, 1, factorial, kPure, "[n]", "1 * 2 * ... * n; a double from 21 on."},
    {"sigmoid", 1, 1, of_one<"sigmoid", logistic>, kPure, "[x]", "1 / (1 + e^-x)."},
    {"logit", 1, 1, of_one<"logit", logit>, kPure, "[p]", "log(p / (1 - p))."},
    {"relu", 1, 1, of_one<"relu", relu>, kPure, "[x]", "x when it is positive, else 0.0."},
    {"%power", 2, 2, power, kPure, "[x y]",
     "x to the power y; whole powers of integers are integers while they fit."},
};

}  // namespace

std::span<const NativeDef> math_natives() { return kMathNatives; }

}  // namespace chancel
