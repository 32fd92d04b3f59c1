// SPDX-License-Identifier: Apache-2.0
// Products and decompositions of matrices so large that they take longer than a run may be without
// a look at its limits: the same algorithms, column by column, with a count of steps between them.
// Smaller ones are left to Eigen.
#pragma once
#include <Eigen/Core>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace chancel {

// Called with the number of loop steps done since the last call; it may throw to stop the
// computation.
using StepCount = std::function<void(std::uint64_t)>;

// From this many rows or columns on.
inline constexpr Eigen::Index kLargeMatrix = 128;
inline bool is_large(const Eigen::MatrixXd& m) {
  return m.rows() > kLargeMatrix || m.cols() > kLargeMatrix;
}

// Each element is the sum of its products from the first to the last: recorded programs add in the
// same order.
Eigen::MatrixXd product(const StepCount& steps, const Eigen::MatrixXd& a, const Eigen::MatrixXd& b);

// Gaussian elimination with row exchanges; all elements must be finite.
struct Elimination {
  Eigen::MatrixXd lu;               // both factors
  std::vector<Eigen::Index> order;  // row i of the product is row order[i] of the matrix
  double determinant = 1;
  bool singular = false;  // up to rounding
};
Elimination eliminate(const StepCount& steps, Eigen::MatrixXd m);
Eigen::MatrixXd solve(const StepCount& steps, const Elimination& e, const Eigen::MatrixXd& b);

// The lower factor; nothing when the matrix is not positive definite.
std::optional<Eigen::MatrixXd> cholesky_factor(const StepCount& steps, Eigen::MatrixXd m);

// One-sided Jacobi rotations (Hestenes 1958): m = u diag(s) vt, s descending, u and vt square.
struct SingularValues {
  Eigen::MatrixXd u;
  Eigen::VectorXd s;
  Eigen::MatrixXd vt;
};
SingularValues singular_values(const StepCount& steps, const Eigen::MatrixXd& m);

}  // namespace chancel
