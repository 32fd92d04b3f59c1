// SPDX-License-Identifier: Apache-2.0
// What a move of a partition chain does (partition_chain.hpp): which items are free, and at which
// tables each of them may be seated in the course of a pass. Tables are named by numbers from zero.
#pragma once
#include <cstddef>
#include <vector>

#include "value/value.hpp"

namespace chancel {

struct SeatingPlan {
  static constexpr std::size_t kNone = ~std::size_t{0};
  enum class Kind { All, Two, Some, Other };

  Kind kind = Kind::All;
  std::vector<bool> free;                   // items; All: every one is
  std::size_t anchors[2] = {kNone, kNone};  // Two: the items that were picked
  std::size_t other = kNone;                // Other: place of the draw that is drawn again
  std::vector<std::size_t> kept;            // Some: tables with items that are not free

  bool is_free(std::size_t item) const { return kind == Kind::All || free[item]; }

  // A pass begins; tables named up to `names` exist.
  void begin(std::size_t names);
  // The item sits there; `value` is the number that the process has for the table.
  void seat(std::size_t item, std::size_t table, const Value& value);
  // Tables at which a free item may be seated; fresh() is the last one, if it may open one.
  void options(std::size_t item, std::vector<std::size_t>* tables) const;
  // The number of a table in this pass; nil: the table is empty so far.
  Value value_of(std::size_t table) const {
    return table < values_.size() ? values_[table] : Value::nil();
  }
  // Tables with at least one item in this pass.
  std::size_t occupied() const;
  // The item that waits for a draw from this distribution may join those tables or open one: its
  // restaurant has no others.
  bool is_in_turn(const Value& dist) const;
  std::size_t fresh() const { return fresh_; }  // name of the next table that is opened

 private:
  bool is_anchor(std::size_t item) const { return item == anchors[0] || item == anchors[1]; }

  std::vector<Value> values_;      // by table
  std::vector<std::size_t> open_;  // tables that free items may join
  std::size_t anchored_ = kNone;   // table of the first anchor that was seated
  bool both_anchored_ = false;
  std::size_t fresh_ = 0;
};

}  // namespace chancel
