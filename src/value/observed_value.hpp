// SPDX-License-Identifier: Apache-2.0
// What an observe makes of a value that is not the distribution's own, but says the same: data files
// know neither truth values (1 and 0) nor integers (3.0) as programs do. Only observed values are
// read so: a value that an engine keeps from another distribution is what it is.
#pragma once
#include <optional>

#include "value/dist_object.hpp"

namespace chancel {

// 3 for 3.0 where the distribution gives integers or may list them, and 3.0 for 3 where it may list
// that; true for 1 and 1.0 where it gives truth values, and 1 for true where it gives 0 and 1 only
// (false and 0 likewise).
std::optional<Value> equivalent_value(const Dist* d, const Value& x);

// The score of the equivalent value; -inf when there is none.
double score_equivalent(NativeContext& cx, const Dist* d, const Value& x);

// The value that the distribution itself would have given for an observed one: a process absorbs it
// so. Where both are possible, integers and truth values go first.
Value own_value(NativeContext& cx, const Dist* d, const Value& x);

}  // namespace chancel
