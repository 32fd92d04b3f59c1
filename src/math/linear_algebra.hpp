// SPDX-License-Identifier: Apache-2.0
// Decompositions as programs see them: Eigen's, or for large matrices those that count their steps.
// The library and recorded programs call the same functions, so that they get the same bits.
#pragma once
#include <Eigen/Core>
#include <optional>

#include "math/large_matrix.hpp"

namespace chancel {

// Nothing: an element is not finite, or the matrix is singular (not positive definite).
std::optional<Eigen::MatrixXd> inverse_of(const StepCount& steps, const Eigen::MatrixXd& m);
std::optional<Eigen::MatrixXd> solution_of(const StepCount& steps, const Eigen::MatrixXd& a,
                                           const Eigen::MatrixXd& b);
// The lower factor. Looks at the lower half of the matrix only.
std::optional<Eigen::MatrixXd> cholesky_of(const StepCount& steps, const Eigen::MatrixXd& m);
// NaN when an element is.
double determinant_of(const StepCount& steps, const Eigen::MatrixXd& m);

}  // namespace chancel
