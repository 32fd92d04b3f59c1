// SPDX-License-Identifier: Apache-2.0
// Mistakes of a recording, planted on purpose: comparisons with plain executions and differences that
// do not see them have no power (test/record). They exist only in a variant of the files
// that have them, built for tests (CHANCEL_SABOTAGE, test/record/CMakeLists.txt).
#pragma once
#include <cstdint>

namespace chancel {

enum class RecordMistake : std::uint8_t {
  None,
  GuardFlipped,      // less and greater are mixed up when a guard is looked at
  OrderNotGuarded,   // a comparison leaves no guard
  EqualNotGuarded,   // nor does =
  PinNotGuarded,     // nor does a number that a function of unknown kind has seen
  FailureNotPinned,  // nor does a failure that the program may catch
  LawNotGuarded,     // nor does a distribution that is made and not scored
  ArrayNotGuarded,   // nor does a decomposition that may fail
  BatchLeftOut,      // the last batch keeps its numbers of an earlier point
  OutputsStale,      // so do the nodes that only outputs need
  WrongSlope,        // the derivative of a function of one number is a little off
  UserLost,          // a node of the flow of values does not know its last user
  PinForgotten,      // nor that control has looked at it
  SharedSlopeLost,   // what all rows of a batch share gets the derivative of the first row only
};

#ifdef CHANCEL_SABOTAGE
extern RecordMistake record_mistake;  // of the test
static inline bool planted(RecordMistake mistake) { return record_mistake == mistake; }
#else
static inline constexpr bool planted(RecordMistake) { return false; }
#endif

}  // namespace chancel
