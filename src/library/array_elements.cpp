// SPDX-License-Identifier: Apache-2.0
// Arithmetic and functions, element by element.
#include <cmath>

#include "library/arguments.hpp"
#include "library/array.hpp"
#include "library/eigen_arrays.hpp"
#include "library/registry.hpp"
#include "math/elementary.hpp"

namespace chancel {
namespace {

Value fold_arrays(NativeContext& cx, const char* function, BinaryNumber op, const Value* a,
                  std::uint32_t n, double unary_start, bool unary) {
  NumberArray result;
  if (!read_array(cx, function, a, 0, &result)) return Value::nil();
  if (n == 1 && unary) {
    NumberArray start;
    start.items = {Value::integer(static_cast<std::int64_t>(unary_start))};
    if (combine(cx, function, op, start, result, &result))
      return array_value(cx, std::move(result));
    cx.failure.argument = 0;
    return Value::nil();
  }
  for (std::uint32_t i = 1; i < n; ++i) {
    NumberArray other;
    if (!read_array(cx, function, a, static_cast<int>(i), &other)) return Value::nil();
    if (!combine(cx, function, op, result, other, &result)) return Value::nil();
  }
  return array_value(cx, std::move(result));
}
Value power_of(NativeContext& cx, const Value& x, const Value& y) {
  if (is_node(x) || is_node(y)) return of_nodes(cx, "pow", {x, y});
  return Value::real(math::pow(to_double(x), to_double(y)));
}
Value integer_power(NativeContext& cx, const Value& x, const Value& y) {
  if (is_node(x) || is_node(y)) return of_nodes(cx, "%power", {x, y});
  const Value both[2] = {x, y};
  return find_native("%power")->function(cx, both, 2);
}
Value add_arrays(NativeContext& cx, const Value* a, std::uint32_t n) {
  return fold_arrays(cx, "add", add, a, n, 0, false);
}
Value sub_arrays(NativeContext& cx, const Value* a, std::uint32_t n) {
  return fold_arrays(cx, "sub", subtract, a, n, 0, true);
}
Value mul_arrays(NativeContext& cx, const Value* a, std::uint32_t n) {
  return fold_arrays(cx, "mul", multiply, a, n, 1, false);
}
Value div_arrays(NativeContext& cx, const Value* a, std::uint32_t n) {
  return fold_arrays(cx, "div", divide, a, n, 1, true);
}
Value pow_arrays(NativeContext& cx, const Value* a, std::uint32_t n) {
  return fold_arrays(cx, "pow", power_of, a, n, 1, false);
}
Value power_arrays(NativeContext& cx, const Value* a, std::uint32_t n) {
  return fold_arrays(cx, "power", integer_power, a, n, 1, false);
}

// The native of this name does the same for one number.
template <Text name, double (*f)(double)>
Value each_element(NativeContext& cx, const Value* a, std::uint32_t) {
  NumberArray array;
  if (!read_array(cx, "array function", a, 0, &array)) return Value::nil();
  for (Value& v : array.items) {
    v = v.is(Tag::Node) ? of_nodes(cx, name.text, {v}) : Value::real(f(to_double(v)));
    if (!cx.ok()) return Value::nil();
  }
  return array_value(cx, std::move(array));
}
double relu(double x) { return x > 0 ? x : 0.0; }
double square_root(double x) { return std::sqrt(x); }
double exponential(double x) { return math::exp(x); }
double logarithm(double x) { return math::log(x); }
double absolute(double x) { return std::fabs(x); }
double hyperbolic_tangent(double x) { return std::tanh(x); }
double sine(double x) { return std::sin(x); }
double cosine(double x) { return std::cos(x); }
double round_down(double x) { return std::floor(x); }
double round_up(double x) { return std::ceil(x); }
Value square_elements(NativeContext& cx, const Value* a, std::uint32_t) {
  const Value both[2] = {a[0], a[0]};
  return fold_arrays(cx, "square", multiply, both, 2, 1, false);
}

constexpr NativeDef kArrayElementNatives[] = {
    {"add", 1, -1, add_arrays, kPure, "[& arrays]", "The sum, element by element."},
    {"sub", 1, -1, sub_arrays, kPure, "[a] [a & arrays]",
     "The difference, element by element; one array alone is negated."},
    {"mul", 1, -1, mul_arrays, kPure, "[& arrays]", "The product, element by element."},
    {"emul", 1, -1, mul_arrays, kPure, "[& arrays]", "The product, element by element."},
    {"div", 1, -1, div_arrays, kPure, "[a] [a & arrays]",
     "The quotient, element by element; one array alone is inverted."},
    {"power", 2, 2, power_arrays, kPure, "[x n]",
     "x to the power n, element by element for arrays; whole powers of integers are integers while "
     "they fit."},
    {"square", 1, 1, square_elements, kPure, "[x]", "x times x, element by element for arrays."},
    {"clojure.core.matrix.operators/+", 1, -1, add_arrays, kPure, "[& arrays]",
     "The sum, element by element."},
    {"clojure.core.matrix.operators/-", 1, -1, sub_arrays, kPure, "[a & arrays]",
     "The difference, element by element."},
    {"clojure.core.matrix.operators/*", 1, -1, mul_arrays, kPure, "[& arrays]",
     "The product, element by element."},
    {"clojure.core.matrix.operators//", 1, -1, div_arrays, kPure, "[a & arrays]",
     "The quotient, element by element."},
    {"clojure.core.matrix.operators/**", 2, 2, pow_arrays, kPure, "[a b]",
     "The power, element by element."},
    {"clojure.core.matrix/pow", 2, 2, pow_arrays, kPure, "[a b]", "The power, element by element."},
    {"%array-sqrt", 1, 1, each_element<"sqrt", square_root>, kPure, "[a]",
     "The square root of every element."},
    {"clojure.core.matrix/sqrt", 1, 1, each_element<"sqrt", square_root>, kPure, "[a]",
     "The square root of every element."},
    {"clojure.core.matrix/exp", 1, 1, each_element<"exp", exponential>, kPure, "[a]",
     "e to the power of every element."},
    {"clojure.core.matrix/log", 1, 1, each_element<"log", logarithm>, kPure, "[a]",
     "The natural logarithm of every element."},
    {"clojure.core.matrix/abs", 1, 1, each_element<"abs", absolute>, kPure, "[a]",
     "The absolute value of every element."},
    {"clojure.core.matrix/tanh", 1, 1, each_element<"tanh", hyperbolic_tangent>, kPure, "[a]",
     "The hyperbolic tangent of every element."},
    {"clojure.core.matrix/sin", 1, 1, each_element<"sin", sine>, kPure, "[a]",
     "The sine of every element."},
    {"clojure.core.matrix/cos", 1, 1, each_element<"cos", cosine>, kPure, "[a]",
     "The cosine of every element."},
    {"clojure.core.matrix/floor", 1, 1, each_element<"floor", round_down>, kPure, "[a]",
     "Every element rounded down."},
    {"clojure.core.matrix/ceil", 1, 1, each_element<"ceil", round_up>, kPure, "[a]",
     "Every element rounded up."},
    {"mat-add", 2, -1, add_arrays, kPure, "[a b]", "The sum of matrices (textbook)."},
    {"mat-tanh", 1, 1, each_element<"tanh", hyperbolic_tangent>, kPure, "[a]",
     "The hyperbolic tangent of every element (textbook)."},
    {"mat-relu", 1, 1, each_element<"relu", relu>, kPure, "[a]",
     "Every element, negative ones as zero (textbook)."},
};

}  // namespace

std::span<const NativeDef> array_element_natives() { return kArrayElementNatives; }

}  // namespace chancel
