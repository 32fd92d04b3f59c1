// SPDX-License-Identifier: Apache-2.0
// How many functions and loops may have been given to compilers, by the processor time that the program has used: a
// compiler takes about 0.15 s, and all of them may take a tenth of the program's time, a little at once, and no more than
// five seconds.
#pragma once
#include <algorithm>
#include <cstddef>

namespace chancel::native {

inline std::size_t units_allowed(double seconds_used) {
  constexpr double kSecondsOfUnit = 0.15, kAtOnce = 0.3, kShare = 0.1, kMost = 5;
  return static_cast<std::size_t>(std::min(kMost, kAtOnce + kShare * std::max(0.0, seconds_used)) /
                                  kSecondsOfUnit);
}

}  // namespace chancel::native
