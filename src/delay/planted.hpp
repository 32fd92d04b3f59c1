// SPDX-License-Identifier: Apache-2.0
// Mistakes of delayed sampling, planted on purpose: tests that do not see them have no power
// (test/delay). They exist only in a variant of the files that have them, built for tests
// (CHANCEL_SABOTAGE, test/delay/CMakeLists.txt).
#pragma once
#include <cstdint>

namespace chancel {

enum class DelayMistake : std::uint8_t {
  None,
  EdgeHalfTurned,        // a Gaussian edge is turned round, and the parent stays as it was
  FiniteEdgeHalfTurned,  // the same of finite draws
  ScaleNotConditioned,   // an unknown precision does not learn from the numbers that it scales
  ChildNotTakenIn,       // a drawn child does not condition its parent
  MeanNotShifted,        // a forced number leaves the mean of the rest of its block as it was
  ScaleKeptAfterDraw,    // covariances stay in units of a precision that has been drawn
};

#ifdef CHANCEL_SABOTAGE
extern DelayMistake delay_mistake;  // of the test
static inline bool planted(DelayMistake mistake) { return delay_mistake == mistake; }
#else
static inline constexpr bool planted(DelayMistake) { return false; }
#endif

}  // namespace chancel
