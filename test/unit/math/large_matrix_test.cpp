// SPDX-License-Identifier: Apache-2.0
// The large path of core.matrix against the small one (Eigen's) on random matrices on both sides of
// the size where the path changes: what a program gets may not depend on it.
#include "math/large_matrix.hpp"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <Eigen/SVD>
#include <cmath>

#include "random/stream.hpp"

namespace chancel {
namespace {

using Eigen::Index;
using Matrix = Eigen::MatrixXd;

class LargeMatrixTest : public ::testing::Test {
 protected:
  Matrix random(Index rows, Index columns) {
    return Matrix::NullaryExpr(rows, columns, [this] { return 2 * stream.uniform() - 1; });
  }
  const StepCount steps = [](std::uint64_t) {};
  Stream stream{StreamName{11}, 0, 0};
};

constexpr Index kSizes[] = {1, 2, 5, 33, kLargeMatrix - 1, kLargeMatrix, kLargeMatrix + 1, 150};

double difference(const Matrix& a, const Matrix& b) {
  return a.size() == 0 ? 0 : (a - b).cwiseAbs().maxCoeff();
}

TEST_F(LargeMatrixTest, ProductsAreEigens) {
  for (const Index n : kSizes) {
    const Matrix a = random(n, n + 3), b = random(n + 3, n);
    EXPECT_LT(difference(product(steps, a, b), a * b), 1e-12) << n;
  }
  // Long enough to be done in pieces.
  const Matrix a = random(300, 400), b = random(400, 301);
  EXPECT_LT(difference(product(steps, a, b), a * b), 1e-11);
}

TEST_F(LargeMatrixTest, DeterminantsInversesAndSolutionsAreEigens) {
  for (const Index n : kSizes) {
    const Matrix m = random(n, n) + 2 * Matrix::Identity(n, n), b = random(n, 3);
    const Elimination e = eliminate(steps, m);
    const Eigen::FullPivLU<Matrix> lu(m);
    EXPECT_NEAR(e.determinant / lu.determinant(), 1, 1e-9) << n;
    EXPECT_FALSE(e.singular) << n;
    EXPECT_LT(difference(solve(steps, e, b), lu.solve(b)), 1e-8) << n;
    EXPECT_LT(difference(solve(steps, e, Matrix::Identity(n, n)), lu.inverse()), 1e-8) << n;
  }
}

TEST_F(LargeMatrixTest, RowsAreExchanged) {
  for (const Index n : kSizes) {  // zeros on the diagonal: a cycle of the unit vectors
    Matrix m = Matrix::Zero(n, n);
    for (Index i = 0; i < n; ++i) m(i, (i + 1) % n) = 1;
    const Elimination e = eliminate(steps, m);
    EXPECT_EQ(e.determinant, n % 2 == 0 ? -1 : 1) << n;
    EXPECT_EQ(difference(solve(steps, e, m), Matrix::Identity(n, n)), 0) << n;
  }
}

TEST_F(LargeMatrixTest, BothPathsFindTheSameMatricesSingular) {
  for (const Index n : kSizes) {
    if (n == 1) continue;
    Matrix m = random(n, n);
    m.col(n - 1) = m.leftCols(n - 1).rowwise().sum();
    EXPECT_TRUE(eliminate(steps, m).singular) << n;
    EXPECT_FALSE(Eigen::FullPivLU<Matrix>(m).isInvertible()) << n;
    EXPECT_TRUE(eliminate(steps, Matrix::Zero(n, n)).singular) << n;
  }
}

TEST_F(LargeMatrixTest, CholeskyFactorsAreEigens) {
  for (const Index n : kSizes) {
    const Matrix half = random(n, n + 2);
    Matrix m = half * half.transpose();
    const auto factor = cholesky_factor(steps, m);
    ASSERT_TRUE(factor) << n;
    EXPECT_LT(difference(*factor, Eigen::LLT<Matrix>(m).matrixL()), 1e-8) << n;
    m(n - 1, n - 1) = -1;
    EXPECT_FALSE(cholesky_factor(steps, m)) << n;
    EXPECT_NE(Eigen::LLT<Matrix>(m).info(), Eigen::Success) << n;
  }
}

TEST_F(LargeMatrixTest, SingularValuesAreEigens) {
  for (const Index n : {Index{1}, Index{2}, Index{33}, kLargeMatrix, kLargeMatrix + 1}) {
    Matrix deficient = random(n, n);
    deficient.rightCols(n / 2) = deficient.leftCols(n / 2);
    for (const Matrix& m : {random(n, n), random(n + 5, n), random(n, n + 5), deficient}) {
      const SingularValues s = singular_values(steps, m);
      EXPECT_LT(difference(s.s, Eigen::BDCSVD<Matrix>(m).singularValues()), 1e-10) << n;
      Matrix diagonal = Matrix::Zero(m.rows(), m.cols());
      diagonal.diagonal() = s.s;
      EXPECT_LT(difference(s.u * diagonal * s.vt, m), 1e-11) << n;
      const Matrix square_u = s.u.transpose() * s.u, square_v = s.vt * s.vt.transpose();
      EXPECT_LT(difference(square_u, Matrix::Identity(m.rows(), m.rows())), 1e-11) << n;
      EXPECT_LT(difference(square_v, Matrix::Identity(m.cols(), m.cols())), 1e-11) << n;
    }
  }
}

}  // namespace
}  // namespace chancel
