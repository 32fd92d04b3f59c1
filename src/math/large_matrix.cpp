// SPDX-License-Identifier: Apache-2.0
// See large_matrix.hpp.
#include "math/large_matrix.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace chancel {

using Eigen::Index;
using Matrix = Eigen::MatrixXd;

namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

// Multiplications that take about the time of one step of other loops.
constexpr Index kOfAStep = 8;

void count(const StepCount& steps, Index multiplications) {
  steps(1 + static_cast<std::uint64_t>(multiplications / kOfAStep));
}

}  // namespace

Matrix product(const StepCount& steps, const Matrix& a, const Matrix& b) {
  constexpr Index kPiece = 1 << 22;  // multiplications
  const Index of_a_column = std::max<Index>(1, a.rows() * a.cols());
  const Index columns = std::max<Index>(1, kPiece / of_a_column);
  Matrix out = Matrix::Zero(a.rows(), b.cols());
  for (Index from = 0; from < b.cols(); from += columns) {
    const Index n = std::min(columns, b.cols() - from);
    for (Index j = from; j < from + n; ++j)
      for (Index k = 0; k < a.cols(); ++k) out.col(j) += a.col(k) * b(k, j);
    if (from + n < b.cols()) count(steps, n * of_a_column);
  }
  return out;
}

Elimination eliminate(const StepCount& steps, Matrix m) {
  const Index n = m.rows();
  Elimination e;
  e.order.resize(static_cast<std::size_t>(n));
  std::iota(e.order.begin(), e.order.end(), Index{0});
  double largest = 0, smallest = n > 0 ? HUGE_VAL : 1;
  for (Index k = 0; k < n; ++k) {
    Index pivot = 0;
    m.col(k).tail(n - k).cwiseAbs().maxCoeff(&pivot);
    pivot += k;
    if (pivot != k) {
      m.row(k).swap(m.row(pivot));
      std::swap(e.order[static_cast<std::size_t>(k)], e.order[static_cast<std::size_t>(pivot)]);
      e.determinant = -e.determinant;
    }
    const double top = m(k, k);
    e.determinant *= top;
    largest = std::max(largest, std::fabs(top));
    smallest = std::min(smallest, std::fabs(top));
    if (top == 0) continue;
    m.col(k).tail(n - k - 1) /= top;
    for (Index j = k + 1; j < n; ++j)
      m.col(j).tail(n - k - 1).noalias() -= m(k, j) * m.col(k).tail(n - k - 1);
    count(steps, (n - k) * (n - k));
  }
  e.singular = !(smallest > largest * kEpsilon * static_cast<double>(n));
  e.lu = std::move(m);
  return e;
}

Matrix solve(const StepCount& steps, const Elimination& e, const Matrix& b) {
  const Index n = e.lu.rows();
  Matrix x(n, b.cols());
  for (Index c = 0; c < b.cols(); ++c) {
    for (Index i = 0; i < n; ++i) x(i, c) = b(e.order[static_cast<std::size_t>(i)], c);
    for (Index k = 0; k < n; ++k)
      x.col(c).tail(n - k - 1).noalias() -= x(k, c) * e.lu.col(k).tail(n - k - 1);
    for (Index k = n; k-- > 0;) {
      x(k, c) /= e.lu(k, k);
      x.col(c).head(k).noalias() -= x(k, c) * e.lu.col(k).head(k);
    }
    count(steps, n * n);
  }
  return x;
}

std::optional<Matrix> cholesky_factor(const StepCount& steps, Matrix m) {
  const Index n = m.rows();
  for (Index k = 0; k < n; ++k) {
    m.col(k).tail(n - k).noalias() -= m.block(k, 0, n - k, k) * m.row(k).head(k).transpose();
    const double square = m(k, k);
    if (!(square > 0)) return std::nullopt;
    m.col(k).tail(n - k) /= std::sqrt(square);
    m.col(k).head(k).setZero();
    count(steps, (n - k) * k);
  }
  return m;
}

namespace {

// Turns columns i and j of `a` (and `v` with them) until they are orthogonal; false when they were.
bool rotate(Matrix& a, Matrix& v, Index i, Index j) {
  const double p = a.col(i).squaredNorm(), q = a.col(j).squaredNorm();
  const double dot = a.col(i).dot(a.col(j));
  if (!(std::fabs(dot) > kEpsilon * std::sqrt(p) * std::sqrt(q))) return false;
  const double zeta = (q - p) / (2 * dot);
  const double t = std::copysign(1 / (std::fabs(zeta) + std::hypot(1.0, zeta)), zeta);
  const double c = 1 / std::hypot(1.0, t), s = c * t;
  for (Matrix* m : {&a, &v}) {
    const Eigen::VectorXd x = m->col(i);
    m->col(i) = c * x - s * m->col(j);
    m->col(j) = s * x + c * m->col(j);
  }
  return true;
}

// Fills the columns from `from` on so that all are orthonormal: unit vectors, less their parts along
// the columns before them.
void complete_basis(const StepCount& steps, Matrix& u, Index from) {
  Index unit = 0;
  for (Index k = from; k < u.cols();) {
    Eigen::VectorXd x = Eigen::VectorXd::Unit(u.rows(), unit++ % u.rows());
    for (int again = 0; again < 2; ++again)  // twice is enough (Kahan)
      x -= u.leftCols(k) * (u.leftCols(k).transpose() * x).eval();
    count(steps, 4 * u.rows() * k);
    const double length = x.norm();
    if (length < 0.5 / std::sqrt(static_cast<double>(u.rows()))) continue;
    u.col(k++) = x / length;
  }
}

}  // namespace

SingularValues singular_values(const StepCount& steps, const Matrix& m) {
  if (m.rows() < m.cols()) {
    SingularValues turned = singular_values(steps, m.transpose());
    return {turned.vt.transpose(), turned.s, turned.u.transpose()};
  }
  constexpr int kMostSweeps = 60;
  const Index n = m.cols();
  const double scale = m.cwiseAbs().maxCoeff();
  Matrix a = scale > 0 ? Matrix(m / scale) : m;
  Matrix v = Matrix::Identity(n, n);
  bool turned = true;
  for (int sweep = 0; turned && sweep < kMostSweeps; ++sweep) {
    turned = false;
    for (Index i = 0; i < n; ++i) {
      for (Index j = i + 1; j < n; ++j) {
        turned = rotate(a, v, i, j) || turned;
        count(steps, 8 * m.rows());
      }
    }
  }
  std::vector<Index> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), Index{0});
  const Eigen::VectorXd lengths = a.colwise().norm();
  std::stable_sort(order.begin(), order.end(),
                   [&](Index i, Index j) { return lengths(i) > lengths(j); });
  SingularValues out{Matrix(m.rows(), m.rows()), Eigen::VectorXd(n), Matrix(n, n)};
  Index rank = 0;
  for (Index k = 0; k < n; ++k) {
    const Index from = order[static_cast<std::size_t>(k)];
    out.s(k) = lengths(from) * scale;
    out.vt.row(k) = v.col(from).transpose();
    // Columns without length say nothing of their direction.
    if (lengths(from) > kEpsilon * lengths(order[0]))
      out.u.col(rank++) = a.col(from) / lengths(from);
  }
  complete_basis(steps, out.u, rank);
  return out;
}

}  // namespace chancel
