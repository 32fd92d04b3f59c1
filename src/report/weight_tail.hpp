// SPDX-License-Identifier: Apache-2.0
// How heavy the tail of the weights of a run is: the shape k-hat of a generalised Pareto distribution
// (math/pareto_smoothing.hpp). Where every draw has a sweep of its own, of the draws. Where sweeps give
// several draws, whose weights have the evidence estimate of the sweep as a common factor, the larger of
// two: of the sums of the sweeps, and of the weights relative to the sum of their sweep. Sweeps of fewer
// than 25 have too few sums to fit (five in the tail). NaN: weights are equal, or there is no tail.
#pragma once
#include "report/accuracy.hpp"

namespace chancel::report {

double weight_tail_shape(const DrawFrame& frame);

}  // namespace chancel::report
