// SPDX-License-Identifier: Apache-2.0
// The noise of a draw: the standard normal number that has the same rank as the draw has in its
// distribution. Parameters and a path that depends on them are often strongly correlated, so that
// neither can move far alone. In terms of noise they are independent a priori: a path of given
// noise moves with its parameters.
//
// A value of a discrete distribution corresponds to an interval of noise; one number of it is
// drawn.
#pragma once
#include "value/dist_object.hpp"

namespace chancel {

// Draws from this distribution are numbers or truth values, and it has quantiles.
bool has_noise(const Value& distribution);
// The noise of the draw `x`. False: so far out that its digits are lost.
bool noise_of(const Value& distribution, const Value& x, Stream& stream, double* noise);
// The draw with this noise. False: as above.
bool draw_with(const Value& distribution, double noise, Value* x);

}  // namespace chancel
