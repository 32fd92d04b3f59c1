// SPDX-License-Identifier: Apache-2.0
// Standard exponential draws by inversion. One word of the stream a draw, always: that keeps draws
// of different particles in step, and the logarithm costs less than the word does.
#include <cmath>

#include "math/elementary.hpp"
#include "random/stream.hpp"

namespace chancel {

double Stream::exponential() { return -math::log(uniform_open()); }

}  // namespace chancel
