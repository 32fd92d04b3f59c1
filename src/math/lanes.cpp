// SPDX-License-Identifier: Apache-2.0
// See lanes.hpp. Plain loops, compiled once for each width of vectors (base/wide.hpp); operations are never
// fused, so all of them give the same bits. A piece with an argument beyond the safe range is done number by
// number.
#include "math/lanes.hpp"

#include <algorithm>
#include <cstdint>

#include "base/wide.hpp"
#include "math/elementary.hpp"

namespace chancel::math {

namespace {

constexpr std::size_t kPiece = 128;

// Whether none is out of the safe range.
[[gnu::always_inline]] inline bool exp_piece(const double* __restrict from, double less,
                                             double* __restrict to, std::size_t count) {
  std::uint64_t unsafe = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double x = from[i] - less;
    unsafe |= std::fabs(x) <= CHANCEL_EXP_SAFE ? 0 : 1;
    to[i] = chancel_exp_safe(kExpTable, x);
  }
  return unsafe == 0;
}
[[gnu::always_inline]] inline bool log_piece(const double* __restrict from, double* __restrict to,
                                             std::size_t count) {
  std::uint64_t unsafe = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double x = from[i];
    unsafe |= x >= CHANCEL_LOG_LEAST ? 0 : 1;
    unsafe |= x <= CHANCEL_LOG_MOST ? 0 : 1;
    to[i] = chancel_log_safe(kLogTable, x);
  }
  return unsafe == 0;
}

CHANCEL_FOR_EACH_WIDTH(bool, exp_of_piece,
                       (const double* from, double less, double* to, std::size_t count),
                       return exp_piece(from, less, to, count);)
CHANCEL_FOR_EACH_WIDTH(bool, log_of_piece, (const double* from, double* to, std::size_t count),
                       return log_piece(from, to, count);)

}  // namespace

void exp_all(const double* from, double less, double* to, std::size_t count) {
  static const auto wide = CHANCEL_WIDEST(exp_of_piece);
  double piece[kPiece];
  for (std::size_t at = 0; at < count; at += kPiece) {
    const std::size_t n = std::min(kPiece, count - at);
    if (wide(from + at, less, piece, n))
      std::copy_n(piece, n, to + at);
    else
      for (std::size_t i = at; i < at + n; ++i) to[i] = exp(from[i] - less);
  }
}

void log_all(const double* from, double* to, std::size_t count) {
  static const auto wide = CHANCEL_WIDEST(log_of_piece);
  double piece[kPiece];
  for (std::size_t at = 0; at < count; at += kPiece) {
    const std::size_t n = std::min(kPiece, count - at);
    if (wide(from + at, piece, n))
      std::copy_n(piece, n, to + at);
    else
      for (std::size_t i = at; i < at + n; ++i) to[i] = log(from[i]);
  }
}

}  // namespace chancel::math
