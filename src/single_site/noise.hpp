// SPDX-License-Identifier: Apache-2.0
// The noise of a draw: the number that is standard normal whatever the law of the draw, and at whose
// rank the draw stands in its law. Parameters and a path that they govern hold each other fast; in terms of
// noise they do not: with its noise given the path follows its parameters, and a priori all noise is
// independent.
//
// A value of a discrete law stands for an interval of noise; one number of it is drawn.
#pragma once
#include "value/dist_object.hpp"

namespace chancel {

// Draws of this law are numbers or truth values, and it has quantiles.
bool has_noise(const Value& law);
// The noise of the draw `x`. False: so far out that its digits are lost.
bool noise_of(const Value& law, const Value& x, Stream& stream, double* noise);
// The draw with this noise. False: as above.
bool draw_with(const Value& law, double noise, Value* x);

}  // namespace chancel
