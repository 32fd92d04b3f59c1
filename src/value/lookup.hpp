// SPDX-License-Identifier: Apache-2.0
// Reading inside values by key, shared by get, get-in, contains? and by calls of keywords, maps and
// vectors in the VM.
#pragma once
#include "value/native.hpp"
#include "value/value.hpp"

namespace chancel {

// (get coll key) and whether it is there: maps, sets, vectors and strings by index, records by
// field, distributions and processes by parameter. Anything else has no keys. False also when cx is
// not ok (lazy key); check it.
bool lookup(NativeContext& cx, const Value& coll, const Value& key, Value* out);

// An index that vectors accept in get, contains? and calls: an integer, also written as a double
// without a fraction.
bool vector_index(const Value& key, std::int64_t* out);

// A sorted map or set whose order is a function of the program: natives cannot search it by its
// order.
bool ordered_by_function(const Value& coll);

}  // namespace chancel
