// SPDX-License-Identifier: Apache-2.0
// The inverse of the standard normal distribution function, for rank-normalised diagnostics.
#pragma once

namespace chancel::report {

// p in (0, 1); -inf at 0, +inf at 1, NaN outside. Relative error below 1e-15.
double normal_quantile(double p);

}  // namespace chancel::report
