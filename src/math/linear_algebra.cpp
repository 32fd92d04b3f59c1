// SPDX-License-Identifier: Apache-2.0
// See linear_algebra.hpp.
#include "math/linear_algebra.hpp"

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <limits>

namespace chancel {

using Matrix = Eigen::MatrixXd;

std::optional<Matrix> inverse_of(const StepCount& steps, const Matrix& m) {
  if (!m.allFinite()) return std::nullopt;
  if (is_large(m)) {
    const Elimination e = eliminate(steps, m);
    if (e.singular) return std::nullopt;
    return solve(steps, e, Matrix::Identity(m.rows(), m.cols()));
  }
  const Eigen::FullPivLU<Matrix> lu(m);
  if (!lu.isInvertible()) return std::nullopt;
  return lu.inverse();
}

std::optional<Matrix> solution_of(const StepCount& steps, const Matrix& a, const Matrix& b) {
  if (!a.allFinite()) return std::nullopt;
  if (is_large(a)) {
    const Elimination e = eliminate(steps, a);
    if (e.singular) return std::nullopt;
    return solve(steps, e, b);
  }
  const Eigen::FullPivLU<Matrix> lu(a);
  if (!lu.isInvertible()) return std::nullopt;
  return lu.solve(b);
}

std::optional<Matrix> cholesky_of(const StepCount& steps, const Matrix& m) {
  if (!m.allFinite()) return std::nullopt;
  if (is_large(m)) return cholesky_factor(steps, m);
  const Eigen::LLT<Matrix> llt(m);
  if (llt.info() != Eigen::Success) return std::nullopt;
  return llt.matrixL();
}

double determinant_of(const StepCount& steps, const Matrix& m) {
  if (m.hasNaN()) return std::numeric_limits<double>::quiet_NaN();
  return is_large(m) ? eliminate(steps, m).determinant : m.determinant();
}

}  // namespace chancel
