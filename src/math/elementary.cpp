// SPDX-License-Identifier: Apache-2.0
// See elementary.hpp.
#include "math/elementary.hpp"

namespace chancel::math {

double pow(double x, double y) { return chancel_pow(kExpTable, kLogTable, x, y); }

}  // namespace chancel::math
