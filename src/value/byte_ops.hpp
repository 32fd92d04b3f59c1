// SPDX-License-Identifier: Apache-2.0
// The operations of the stack machine that values are written for (bytes.hpp). States of runs that hold
// such bytes belong to one version of Chancel, and messages between ranks to one program.
#pragma once
#include <cstdint>

namespace chancel::op {

enum : std::uint8_t {
  kEnd,  // of a value
  kNil,
  kFalse,
  kTrue,
  kInt,
  kDouble,
  kChar,
  kKeyword,
  kSymbol,
  kClass,
  kNative,
  kEmptyList,
  kAgain,  // an object that was built before: its index
  kMeta,   // the last value is metadata of the object that is built next
  kString,
  kBigInt,
  kRatio,
  kCells,  // n items and a rest: n list cells
  kVector,
  kReals,  // a vector of doubles
  kInts,   // a vector of integers
  kVectorSeq,
  kRange,
  kLazySeq,
  kArrayMap,
  kHashMap,
  kSortedMap,
  kSet,
  kSortedSet,
  kRecord,
  kDist,
  kReduced,
  kSmall = 0x80  // and above: the integers from 0
};
inline constexpr std::int64_t kSmallCount = 0x80;

}  // namespace chancel::op
