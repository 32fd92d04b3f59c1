// SPDX-License-Identifier: Apache-2.0
// What a run says against an answer in closed form.
#pragma once
#include "answers.hpp"
#include "delayed_run.hpp"

namespace delayed {

inline constexpr double kEvidenceTolerance = 1e-9;
inline constexpr double kMostErrors = 5;  // Monte Carlo standard errors of a mean or variance

// Empty, or the first difference. The log evidence must be exact, weights of draws equal, and means
// and variances within a number of standard errors, which come from batches of the run.
std::string difference(const Answer& answer, const Setting& setting, std::uint64_t samples,
                       std::uint64_t seed);

}  // namespace delayed
