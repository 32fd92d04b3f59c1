// SPDX-License-Identifier: Apache-2.0
// How each function of the library is recorded (recordable.def is the list).
#pragma once
#include <string_view>
#include <unordered_map>

#include "record/graph.hpp"
#include "value/native.hpp"

namespace chancel {

// Which arguments a function that moves values about looks at; those get numbers for their nodes.
enum class Moves : std::uint8_t {
  Everything,  // looks at none: (vector x y), (cons x list)
  Numbers,     // arguments that are nodes themselves (an index, a count), not what collections hold
  IntoCollection,  // (conj coll x ...): keys and items of maps and sets, nothing of other collections
  Maps,            // (merge map ...): entries that are given in another form
  KeysAndValues,  // (assoc coll key value ...), (get coll key default): the keys
  Entries,        // (hash-map key value ...): the keys
  First,          // (zipmap keys values)
  AllButFirst,    // (dissoc map key ...)
  AllButLast,     // (store key ... value)
};

struct Recordable {
  // Fold, Order ... are the functions that need code of their own; see recorder.cpp.
  enum class Kind : std::uint8_t {
    Pins,
    Numeric,
    Array,  // array_ops.hpp
    Moves,
    Type,
    Sum,
    Difference,
    Product,
    Quotient,
    Increment,
    Decrement,
    Itself,  // (double x)
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    SameNumber,  // ==
    Equal,       // =
    NotEqual,
    Zero,
    Positive,
    Negative,
    Largest,
    Smallest,
    LogSumExp,
    LogMeanExp,
    Mean,
    Variance,
    Deviation,
    Score,  // (observe* dist x)
  } kind = Kind::Pins;
  GraphOp op{};
  chancel::Moves moves{};
  bool numbers_only = false;  // Moves: right for nodes that stand for numbers
};

// The list, by name.
const std::unordered_map<std::string_view, Recordable>& recordable_functions();
// Pins for functions that are not in the list, and for those of the host program.
Recordable recordable(const NativeDef& native);

}  // namespace chancel
