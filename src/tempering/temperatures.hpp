// SPDX-License-Identifier: Apache-2.0
// From one temperature to the next: states that stand for prior times likelihood^from get the weights
// likelihood^(to - from). The next temperature is the largest, up to 1, at which the effective number of
// those that the observations allow is still a given share of them.
#pragma once
#include <span>

namespace chancel {

double next_temperature(std::span<const double> log_likelihoods, double from, double share);

}  // namespace chancel
