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

// (nth coll index) with Clojure's rules; fails with R004 when it is out of range and there is no
// default.
Value nth(NativeContext& cx, const Value& coll, const Value& index, const Value* not_found);

// (assoc coll key value): maps, vectors, records, nil.
Value assoc(NativeContext& cx, const char* function, const Value& coll, const Value& key,
            const Value& value);
// (conj coll item)
Value conj(NativeContext& cx, const Value& coll, const Value& item);

// A sorted map or set whose order is a function of the program: natives cannot search it by its
// order.
bool ordered_by_function(const Value& coll);

}  // namespace chancel
