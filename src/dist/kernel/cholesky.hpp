// SPDX-License-Identifier: Apache-2.0
// Cholesky factor of a small dense matrix and what densities need from it. Written out rather than
// taken from a library: the order of operations is fixed, so that both compilers give the same bits
// on any machine. Matrices are square, row by row.
#pragma once
#include <cmath>
#include <cstddef>

#include "math/elementary.hpp"

namespace chancel {

// Replaces the lower triangle of `a` by its factor L (a = L L^T) and clears the upper one. False
// when the matrix is not positive definite (or holds a NaN).
inline bool cholesky(double* a, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = a[i * n + j];
      for (std::size_t k = 0; k < j; ++k) sum -= a[i * n + k] * a[j * n + k];
      if (i == j) {
        if (!(sum > 0) || !std::isfinite(sum)) return false;
        a[i * n + i] = std::sqrt(sum);
      } else {
        a[i * n + j] = sum / a[j * n + j];
      }
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i + 1; j < n; ++j) a[i * n + j] = 0;
  }
  return true;
}

// log |a| from its factor.
inline double log_determinant(const double* factor, std::size_t n) {
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += math::log(factor[i * n + i]);
  return 2 * sum;
}

// x := L^-1 x for n numbers that lie `stride` apart.
inline void solve_lower(const double* factor, std::size_t n, double* x, std::size_t stride = 1) {
  for (std::size_t i = 0; i < n; ++i) {
    double sum = x[i * stride];
    for (std::size_t k = 0; k < i; ++k) sum -= factor[i * n + k] * x[k * stride];
    x[i * stride] = sum / factor[i * n + i];
  }
}

// x := L^-T x.
inline void solve_lower_transposed(const double* factor, std::size_t n, double* x) {
  for (std::size_t i = n; i-- > 0;) {
    double sum = x[i];
    for (std::size_t k = i + 1; k < n; ++k) sum -= factor[k * n + i] * x[k];
    x[i] = sum / factor[i * n + i];
  }
}

// The inverse of a = L L^T, which is symmetric: each row of `out` is a column solved for.
inline void invert(const double* factor, std::size_t n, double* out) {
  for (std::size_t i = 0; i < n; ++i) {
    double* row = out + i * n;
    for (std::size_t j = 0; j < n; ++j) row[j] = i == j ? 1 : 0;
    solve_lower(factor, n, row);
    solve_lower_transposed(factor, n, row);
  }
}

// out = a b
inline void multiply(const double* a, const double* b, std::size_t n, double* out) {
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      double sum = 0;
      for (std::size_t k = 0; k < n; ++k) sum += a[i * n + k] * b[k * n + j];
      out[i * n + j] = sum;
    }
  }
}

// Equal to its transpose up to rounding in the input.
inline bool is_symmetric(const double* a, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const double x = a[i * n + j];
      const double y = a[j * n + i];
      if (!(std::fabs(x - y) <= 1e-8 * (1 + std::fabs(x) + std::fabs(y)))) return false;
    }
  }
  return true;
}

}  // namespace chancel
