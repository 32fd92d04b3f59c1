// SPDX-License-Identifier: Apache-2.0
// How likely an execution from the prior is possible at all, where executions are drawn until enough of
// them are.
#pragma once
#include <cstddef>
#include <cstdint>

namespace chancel {

// The share of possible executions, unbiased, where `first` were drawn, fewer than `wanted` of them were
// possible, and `more` were drawn, until one more than `wanted` was found (Girshick, Mosteller & Savage
// 1946): the mean number of possible ones among the first over all orders that end alike.
double sequential_share(std::size_t wanted, std::size_t first, std::uint64_t more);

}  // namespace chancel
