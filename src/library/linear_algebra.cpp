// SPDX-License-Identifier: Apache-2.0
// Linear algebra on doubles: inverse, determinant, decompositions (by Eigen), norms.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <Eigen/Dense>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "library/arguments.hpp"
#include "library/eigen_arrays.hpp"
#include "library/registry.hpp"
#include "math/elementary.hpp"
#include "math/linear_algebra.hpp"

namespace chancel {
namespace {

Value inverse(NativeContext& cx, const Value* a, std::uint32_t) {
  Matrix m;
  if (!read_square(cx, "inverse", a, &m) || !check_finite(cx, "inverse", m)) return Value::nil();
  const auto inverse = inverse_of(steps_of(cx), m);
  return inverse ? matrix_value(cx, *inverse)
                 : cx.fail(Code::R009, "inverse: the matrix is singular", 0);
}
Value det(NativeContext& cx, const Value* a, std::uint32_t) {
  Matrix m;
  return read_square(cx, "det", a, &m) ? Value::real(determinant_of(steps_of(cx), m))
                                       : Value::nil();
}
Value trace(NativeContext& cx, const Value* a, std::uint32_t) {
  NumberArray m;
  if (!read_square(cx, "trace", a, &m)) return Value::nil();
  Value sum = Value::real(0);
  for (std::size_t i = 0; i < m.items.size() && cx.ok(); i += m.shape[0] + 1)
    sum = add(cx, sum, m.items[i]);
  return sum;
}
Value solve_native(NativeContext& cx, const Value* a, std::uint32_t n) {
  if (n == 1) return inverse(cx, a, n);
  Matrix m;
  NumberArray b;
  if (!read_square(cx, "solve", a, &m) || !check_finite(cx, "solve", m) ||
      !read_array(cx, "solve", a, 1, &b))
    return Value::nil();
  if (b.dimensions() < 1 || b.dimensions() > 2 || static_cast<Index>(b.shape[0]) != m.rows()) {
    return cx.fail(Code::R009,
                   fmt::format("solve: the right side has shape [{}], expected {} rows",
                               fmt::join(b.shape, " "), m.rows()),
                   1);
  }
  const auto x = solution_of(steps_of(cx), m, to_matrix(b));
  return x ? array_value(cx, from_matrix(*x, b.shape))
           : cx.fail(Code::R009, "solve: the matrix is singular", 0);
}
Value cholesky(NativeContext& cx, const Value* a, std::uint32_t) {
  Matrix m;
  if (!read_square(cx, "cholesky", a, &m) || !check_finite(cx, "cholesky", m)) return Value::nil();
  const auto factor = cholesky_of(steps_of(cx), m);
  return factor ? matrix_value(cx, *factor)
                : cx.fail(Code::R009, "cholesky: the matrix is not positive definite", 0);
}
// The entries that (… {:return [:S]}) asks for; all without options.
Value asked_for(NativeContext& cx, const char* function, const Value* a, std::uint32_t n,
                const std::vector<std::pair<const char*, Value>>& entries) {
  std::vector<Value> wanted;
  bool some = false;
  if (n == 2) {
    if (!is_map(a[1])) return cx.wrong_type(function, 1, "a map of options", a[1]);
    if (const Value* keys = map_find(a[1], keyword_of("return"))) {
      some = true;
      if (!read_items(cx, function, keys, 0, &wanted)) return Value::nil();
    }
  }
  Value map = empty_map(*cx.arena);
  for (const auto& [name, value] : entries) {
    const bool in =
        !some || std::any_of(wanted.begin(), wanted.end(), [&, name = name](const Value& w) {
          return w.is(Tag::Keyword) && w.name->full == name;
        });
    if (in) map = map_assoc(*cx.arena, map, keyword_of(name), value);
  }
  return map;
}

Value svd(NativeContext& cx, const Value* a, std::uint32_t n) {
  NumberArray array;
  if (!read_array_of(cx, "svd", a, 0, 2, &array)) return Value::nil();
  if (array.items.empty()) return cx.fail(Code::R009, "svd: the matrix is empty", 0);
  room_for_shape(cx, {array.shape[0], array.shape[0]});
  room_for_shape(cx, {array.shape[1], array.shape[1]});
  const Matrix m = to_matrix(array);
  if (!check_finite(cx, "svd", m)) return Value::nil();
  SingularValues s;
  if (is_large(m)) {
    s = singular_values(steps_of(cx), m);
  } else {
    const Eigen::JacobiSVD<Matrix> small(m, Eigen::ComputeFullU | Eigen::ComputeFullV);
    s = {small.matrixU(), small.singularValues(), small.matrixV().transpose()};
  }
  return asked_for(
      cx, "svd", a, n,
      {{"U", matrix_value(cx, s.u)},
       {"S", array_value(cx, from_matrix(s.s, {static_cast<std::size_t>(s.s.size())}))},
       {"V*", matrix_value(cx, s.vt)}});
}
// Eigenvalues and eigenvectors. For a matrix that is not symmetric the eigenvalues may be complex:
// :rA and :iA are their parts, and the columns of :Q the real vectors that Eigen calls pseudo-
// eigenvectors.
Value eigen(NativeContext& cx, const Value* a, std::uint32_t n) {
  constexpr Index kMostRows = 500;  // a few seconds, which no limit can cut short
  Matrix m;
  if (!read_square(cx, "eigen", a, &m) || !check_finite(cx, "eigen", m)) return Value::nil();
  if (m.rows() > kMostRows)
    return cx.fail(Code::R009, fmt::format("eigen: the matrix has more than {} rows", kMostRows),
                   0);
  const bool symmetric = m.isApprox(m.transpose());
  Matrix vectors;
  Eigen::VectorXd real, imaginary = Eigen::VectorXd::Zero(m.rows());
  if (symmetric) {
    const Eigen::SelfAdjointEigenSolver<Matrix> solver(m);
    vectors = solver.eigenvectors();
    real = solver.eigenvalues();
  } else {
    const Eigen::EigenSolver<Matrix> solver(m);
    vectors = solver.pseudoEigenvectors();
    real = solver.eigenvalues().real();
    imaginary = solver.eigenvalues().imag();
  }
  const auto size = static_cast<std::size_t>(m.rows());
  return asked_for(cx, "eigen", a, n,
                   {{"Q", matrix_value(cx, vectors)},
                    {"A", matrix_value(cx, Matrix(real.asDiagonal()))},
                    {"rA", array_value(cx, from_matrix(real, {size}))},
                    {"iA", array_value(cx, from_matrix(imaginary, {size}))}});
}
// The same sums as norm() makes.
Value norm_of_nodes(NativeContext& cx, const NumberArray& array, double p) {
  const Value power = Value::real(p);
  Value sum = Value::real(0);
  for (const Value& v : array.items) {
    const Value real = is_node(v) ? v : Value::real(to_double(v));
    Value part = p == 2 ? multiply(cx, real, real) : of_nodes(cx, "abs", {real});
    if (cx.ok() && p != 2 && !std::isinf(p)) part = of_nodes(cx, "pow", {part, power});
    if (cx.ok()) sum = std::isinf(p) ? of_nodes(cx, "max", {sum, part}) : add(cx, sum, part);
    if (!cx.ok()) return Value::nil();
  }
  if (std::isinf(p)) return sum;
  return p == 2 ? of_nodes(cx, "sqrt", {sum}) : of_nodes(cx, "pow", {sum, Value::real(1 / p)});
}
Value norm(NativeContext& cx, const Value* a, std::uint32_t n) {
  NumberArray array;
  double p = 2;
  if (!read_array(cx, "norm", a, 0, &array) || (n == 2 && !read_number(cx, "norm", a, 1, &p)))
    return Value::nil();
  if (has_nodes(array)) return norm_of_nodes(cx, array, p);
  double sum = 0;
  for (const Value& v : array.items) {
    const double x = std::fabs(to_double(v));
    if (std::isinf(p))
      sum = std::max(sum, x);
    else
      sum += p == 2 ? x * x : math::pow(x, p);
  }
  return Value::real(std::isinf(p) ? sum : p == 2 ? std::sqrt(sum) : math::pow(sum, 1 / p));
}
Value distance(NativeContext& cx, const Value* a, std::uint32_t) {
  const Value difference = find_native("sub")->function(cx, a, 2);
  return cx.ok() ? norm(cx, &difference, 1) : Value::nil();
}

constexpr NativeDef kLinearAlgebraNatives[] = {
    {"inverse", 1, 1, inverse, kPure, "[matrix]", "The inverse of a square matrix."},
    {"det", 1, 1, det, kPure, "[matrix]", "The determinant of a square matrix."},
    {"trace", 1, 1, trace, kPure, "[matrix]", "The sum of the main diagonal."},
    {"solve", 1, 2, solve_native, kPure, "[a] [a b]",
     "The x with a x = b; the inverse of a when there is no b."},
    {"cholesky", 1, 1, cholesky, kPure, "[matrix]",
     "The lower triangular matrix whose product with its transpose is the matrix."},
    {"svd", 1, 2, svd, kPure, "[matrix] [matrix options]",
     "The singular value decomposition as a map of :U, :S and :V*; {:return [:S]} asks for some."},
    {"eigen", 1, 2, eigen, kPure, "[matrix] [matrix options]",
     "Eigenvectors as columns of :Q, eigenvalues as :A (a diagonal matrix), :rA and :iA (their "
     "real "
     "and imaginary parts); {:return [:Q]} asks for some."},
    {"norm", 1, 2, norm, kPure, "[array] [array p]", "The p-norm (2) of the numbers of the array."},
    {"distance", 2, 2, distance, kPure, "[a b]", "The Euclidean distance."},
};

}  // namespace

std::span<const NativeDef> linear_algebra_natives() { return kLinearAlgebraNatives; }

}  // namespace chancel
