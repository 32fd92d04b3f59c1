// SPDX-License-Identifier: Apache-2.0
// What independent draws from the exact law would reach: the expected distance after n of them, the
// dashed line of the figures. KL: the exact expectation, value by value over the binomial law of
// its count. KS: sqrt(pi/2) log 2 / sqrt n with Stephens' correction for small n (within a
// percent).
#pragma once
#include "paper/truth.hpp"

namespace chancel::paper {

double expected_distance(const Law& law, double draws);
// How many times the expectation the distance of a right sampler is once in ten thousand runs.
double unlikely_factor(const Law& law);

}  // namespace chancel::paper
