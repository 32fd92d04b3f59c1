// SPDX-License-Identifier: Apache-2.0
// Densities on plain numbers, with their derivatives: what recorded programs (src/record) evaluate
// by the row instead of calling a distribution object for each. Rows are the observes of a loop, so
// parameters are often shared by all of them and their logarithms are worked out once. The numbers
// are those of DistType::log_prob, bit for bit.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "value/value.hpp"

namespace chancel {

class NativeContext;
struct Dist;

// One number for each row (step 1), or the same for all (step 0).
struct Lane {
  const double* at;
  std::size_t step;
  double operator[](std::size_t row) const { return at[row * step]; }
};
// Where derivatives are added up, by row or for all rows; null: they are not needed.
struct AdjointLane {
  double* at;
  std::size_t step;
};

// Of a distribution whose parameters and values are numbers.
struct Density {
  // The number that the kernel sees; false: not a value of the distribution, of density zero.
  bool (*read)(const Value& x, double* out);
  // Log densities; NaN in rows whose parameters the constructor refuses.
  void (*log_prob)(const Lane* parameters, Lane x, std::size_t rows, double* out);
  // Adds weight[row] * d log_prob / d parameter and d x to the adjoints. Only for rows whose log_prob
  // is finite.
  void (*gradient)(const Lane* parameters, Lane x, const double* weight, std::size_t rows,
                   const AdjointLane* parameter_adjoints, AdjointLane x_adjoint);
  // Which parameters are the bounds of the support; -1: DistType::bounds, the same for all
  // parameters.
  int lower = -1, upper = -1;
};

// Distributions over 0, 1, ... k-1 whose parameters are k weights, or their logarithms.
enum class WeightsAre : std::uint8_t { None, Plain, Logs };

// Of a distribution whose parameters or values are collections of numbers.
struct WideDensity {
  // The numbers of the parameters in a fixed order, as they were given (they may be nodes of a
  // recording). False: not of the shape that is known here.
  bool (*parameters)(const Value* args, std::uint32_t count, std::vector<Value>* out);
  // Those of a value of the distribution; none for discrete distributions.
  bool (*numbers)(const Value& x, std::vector<Value>* out);
  // d log_prob / d each of the parameters, then of the numbers of x, where log_prob is finite. The
  // derivative in a matrix that has to be symmetric is shared by its halves. Null: the
  // distribution has none.
  void (*gradient)(NativeContext& cx, const Dist* d, const Value& x, double* out);
  // How many numbers a value has.
  std::size_t (*size)(const Dist* d);
  WeightsAre weights = WeightsAre::None;
};

}  // namespace chancel
