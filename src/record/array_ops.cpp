// SPDX-License-Identifier: Apache-2.0
// See array_ops.hpp. The derivative of the Cholesky factor is that of Murray (2016), "Differentiation
// of the Cholesky decomposition".
#include "record/array_ops.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>

#include "base/assert.hpp"
#include "math/linear_algebra.hpp"
#include "math/log_space.hpp"

namespace chancel {

namespace {

using Matrix = Eigen::MatrixXd;
using Index = Eigen::Index;
using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

const StepCount kUncounted = [](std::uint64_t) {};

Eigen::Map<const Rows> matrix(std::span<const double> x, Index rows) {
  return {x.data(), rows, rows == 0 ? 0 : static_cast<Index>(x.size()) / rows};
}
Index side(std::size_t numbers) {
  return static_cast<Index>(std::lround(std::sqrt(static_cast<double>(numbers))));
}
void write(const std::optional<Matrix>& m, std::span<double> out) {
  if (m)
    Eigen::Map<Rows>(out.data(), m->rows(), m->cols()) = *m;
  else
    std::fill(out.begin(), out.end(), std::numeric_limits<double>::quiet_NaN());
}

// Of a solution: a matrix, then the right sides.
struct Equations {
  std::span<const double> a, b;
  Index n;
  Equations(std::span<const double> x, std::size_t results)
      : a(x.first(x.size() - results)), b(x.last(results)), n(side(a.size())) {}
};

// Of the determinant: det * inverse, transposed; by its minors where that is not finite.
Matrix cofactors(const Matrix& m, double det) {
  const Matrix by_inverse = det * m.partialPivLu().inverse().transpose();
  if (by_inverse.allFinite()) return by_inverse;
  Matrix out(m.rows(), m.cols());
  const auto others = [&](Index left_out) {
    std::vector<Index> rest;
    for (Index i = 0; i < m.rows(); ++i)
      if (i != left_out) rest.push_back(i);
    return rest;
  };
  for (Index i = 0; i < m.rows(); ++i)
    for (Index j = 0; j < m.cols(); ++j)
      out(i, j) =
          ((i + j) % 2 ? -1 : 1) * determinant_of(kUncounted, m(others(i), others(j)).eval());
  return out;
}

// Half of the diagonal and what is below it.
Matrix lower_half(Matrix m) {
  m.triangularView<Eigen::StrictlyUpper>().setZero();
  m.diagonal() *= 0.5;
  return m;
}

// The factor depends on the lower half of the matrix, so that is where the derivatives go.
Matrix cholesky_slopes(const Matrix& l, const Matrix& weight) {
  const Matrix lower = weight.triangularView<Eigen::Lower>();
  Matrix s = lower_half(l.transpose() * lower);
  const auto up = l.transpose().triangularView<Eigen::Upper>();
  up.solveInPlace(s);
  s = up.solve(s.transpose()).eval();
  Matrix both = s + s.transpose();
  return lower_half(std::move(both));
}

}  // namespace

void array_values(GraphOp op, std::span<const double> x, std::span<double> results) {
  switch (op) {
    case GraphOp::Cholesky:
      return write(cholesky_of(kUncounted, matrix(x, side(x.size()))), results);
    case GraphOp::Inverse:
      return write(inverse_of(kUncounted, matrix(x, side(x.size()))), results);
    case GraphOp::Determinant:
      results[0] = determinant_of(kUncounted, matrix(x, side(x.size())));
      return;
    case GraphOp::Solution: {
      const Equations e(x, results.size());
      return write(solution_of(kUncounted, matrix(e.a, e.n), matrix(e.b, e.n)), results);
    }
    case GraphOp::Softmax:
      softmax(x, results.data());
      return;
    default:
      CHANCEL_ASSERT(false, "not a function of arrays");
  }
}

void array_slopes(GraphOp op, std::span<const double> x, std::span<const double> results,
                  std::span<const double> weights, double* out) {
  const auto to = [&](Index rows, Index columns) { return Eigen::Map<Rows>(out, rows, columns); };
  switch (op) {
    case GraphOp::Cholesky: {
      const Index n = side(x.size());
      to(n, n) = cholesky_slopes(matrix(results, n), matrix(weights, n));
      return;
    }
    case GraphOp::Inverse: {
      const Index n = side(x.size());
      const Matrix turned = matrix(results, n).transpose();
      to(n, n) = -(turned * matrix(weights, n) * turned);
      return;
    }
    case GraphOp::Determinant: {
      const Index n = side(x.size());
      to(n, n) = weights[0] * cofactors(matrix(x, n), results[0]);
      return;
    }
    case GraphOp::Solution: {
      const Equations e(x, results.size());
      const Matrix turned = matrix(e.a, e.n).transpose();
      const auto right = solution_of(kUncounted, turned, matrix(weights, e.n));
      if (!right)
        return std::fill_n(out, x.size(), std::numeric_limits<double>::quiet_NaN()), void();
      to(e.n, e.n) = -(*right * matrix(results, e.n).transpose());
      Eigen::Map<Rows>(out + e.a.size(), right->rows(), right->cols()) = *right;
      return;
    }
    case GraphOp::Softmax: {
      double mean = 0;
      for (std::size_t i = 0; i < x.size(); ++i) mean += weights[i] * results[i];
      for (std::size_t i = 0; i < x.size(); ++i) out[i] = results[i] * (weights[i] - mean);
      return;
    }
    default:
      CHANCEL_ASSERT(false, "not a function of arrays");
  }
}

}  // namespace chancel
