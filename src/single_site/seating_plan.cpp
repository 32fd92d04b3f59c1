// SPDX-License-Identifier: Apache-2.0
// See seating_plan.hpp.
#include "single_site/seating_plan.hpp"

#include <algorithm>

#include "value/collections.hpp"

namespace chancel {

void SeatingPlan::begin(std::size_t names) {
  values_.assign(names, Value::nil());
  open_ = kept;
  anchored_ = kNone;
  both_anchored_ = false;
  fresh_ = names;
}

void SeatingPlan::seat(std::size_t item, std::size_t table, const Value& value) {
  if (table >= values_.size()) values_.resize(table + 1, Value::nil());
  if (values_[table].is_nil()) values_[table] = value;
  fresh_ = std::max(fresh_, table + 1);
  if (!is_free(item)) return;
  if (std::find(open_.begin(), open_.end(), table) == open_.end()) open_.push_back(table);
  if (is_anchor(item)) {
    both_anchored_ = anchored_ != kNone;
    if (!both_anchored_) anchored_ = table;
  }
}

void SeatingPlan::options(std::size_t item, std::vector<std::size_t>* tables) const {
  *tables = open_;
  if (kind != Kind::Two) {
    tables->push_back(fresh_);
  } else if (open_.size() == 2) {
    if (is_anchor(item) && anchored_ != kNone) std::erase(*tables, anchored_);
  } else if (open_.empty() || !both_anchored_) {
    tables->push_back(fresh_);
  }
}

std::size_t SeatingPlan::occupied() const {
  return static_cast<std::size_t>(
      std::count_if(values_.begin(), values_.end(), [](const Value& v) { return !v.is_nil(); }));
}

bool SeatingPlan::is_in_turn(const Value& dist) const {
  const Value* const values = dist.as<Dist>()->values;
  const Value& counts = values[0];  // of the tables of its restaurant
  return counts.is(Tag::Vector) && counts.as<Vector>()->count == occupied();
}

}  // namespace chancel
