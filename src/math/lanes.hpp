// SPDX-License-Identifier: Apache-2.0
// exp and log of whole arrays: the same bits as of one number (math/elementary.hpp), by vector
// instructions of the processor at hand. About a third of the time.
#pragma once
#include <cstddef>

namespace chancel::math {

// to[i] = exp(from[i] - less)
void exp_all(const double* from, double less, double* to, std::size_t count);
// to[i] = log(from[i]); from and to may be the same
void log_all(const double* from, double* to, std::size_t count);

}  // namespace chancel::math
