// SPDX-License-Identifier: Apache-2.0
// Functions of rows of numbers and their derivatives: the loops that batches (batches.hpp) and plates
// (plate_program.hpp) consist of. Each file that includes this has them for itself, since tests build some of them with
// planted mistakes.
#pragma once
#include <algorithm>
#include <cmath>

#include "base/planted.hpp"
#include "math/lanes.hpp"
#include "math/log_space.hpp"
#include "record/elementary.hpp"
#include "record/graph_op.hpp"
#include "value/density.hpp"

namespace chancel {

// What does not matter has no derivative, even where its slope is infinite.
[[maybe_unused]] static inline double slope_part(double weight, double slope) {
  if (planted(Mistake::WrongSlope)) slope *= 1.0001;
  return weight == 0 ? 0 : weight * slope;
}

template <class F>
static void unary(Lane x, std::size_t rows, double* out) {
  for (std::size_t i = 0; i < rows; ++i) out[i] = F::of(x.at[i * x.step]);
}
template <class F>
static void unary_backward(Lane x, const double* r, const double* weight, std::size_t rows,
                           AdjointLane to) {
  if (!to.at) return;
  for (std::size_t i = 0; i < rows; ++i)
    to.at[i * to.step] += slope_part(weight[i], F::slope(x.at[i * x.step], r[i]));
}

template <class F>
static void binary(Lane x, Lane y, std::size_t rows, double* out) {
  if (x.step && y.step) {
    for (std::size_t i = 0; i < rows; ++i) out[i] = F::of(x.at[i], y.at[i]);
  } else if (x.step) {
    const double b = *y.at;
    for (std::size_t i = 0; i < rows; ++i) out[i] = F::of(x.at[i], b);
  } else {
    const double a = *x.at;
    for (std::size_t i = 0; i < rows; ++i) out[i] = F::of(a, y.at[i * y.step]);
  }
}

// Adds weight * slope to an adjoint of each row, or to one for all.
template <class Slope>
static void add_slopes(const double* weight, std::size_t rows, AdjointLane to, Slope slope) {
  if (!to.at) return;
  if (to.step) {
    for (std::size_t i = 0; i < rows; ++i) to.at[i] += slope_part(weight[i], slope(i));
  } else {
    double sum = 0;
    if (planted(Mistake::SharedSlopeLost)) rows = 1;
    for (std::size_t i = 0; i < rows; ++i) sum += slope_part(weight[i], slope(i));
    *to.at += sum;
  }
}
template <class F>
static void binary_backward(Lane x, Lane y, const double* r, const double* weight, std::size_t rows,
                            AdjointLane to_x, AdjointLane to_y) {
  add_slopes(weight, rows, to_x, [&](std::size_t i) { return F::slope_x(x[i], y[i], r[i]); });
  add_slopes(weight, rows, to_y, [&](std::size_t i) { return F::slope_y(x[i], y[i], r[i]); });
}

// Of rows whose score is finite; impossible rows, terms of a log-sum-exp, have no derivatives. The value comes last.
static inline void density_backward(const Density& density, const Lane* lanes, std::size_t count,
                                    const double* score, const double* weight, std::size_t rows,
                                    const AdjointLane* to) {
  constexpr std::size_t kMost = 8;
  for (std::size_t row = 0; row < rows;) {
    std::size_t end = row;
    while (end < rows && std::isfinite(score[end])) ++end;
    if (end > row) {
      Lane part[kMost];
      AdjointLane part_to[kMost];
      for (std::size_t k = 0; k < count; ++k) {
        part[k] = {lanes[k].at + row * lanes[k].step, lanes[k].step};
        part_to[k] = to[k];
        if (to[k].at) part_to[k].at += row * to[k].step;
      }
      density.gradient(part, part[count - 1], weight + row, end - row, part_to, part_to[count - 1]);
    }
    row = end + 1;
  }
}

}  // namespace chancel
