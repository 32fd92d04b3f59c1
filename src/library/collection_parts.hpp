// SPDX-License-Identifier: Apache-2.0
// nth, assoc and conj on any collection, shared by the natives of those names and by those built on
// them.
#pragma once
#include "value/native.hpp"
#include "value/value.hpp"

namespace chancel {

// (nth coll index) with Clojure's rules; fails with R004 when it is out of range and there is no
// default.
Value nth(NativeContext& cx, const Value& coll, const Value& index, const Value* not_found);

// (assoc coll key value): maps, vectors, records, nil.
Value assoc(NativeContext& cx, const char* function, const Value& coll, const Value& key,
            const Value& value);
// (conj coll item)
Value conj(NativeContext& cx, const Value& coll, const Value& item);

}  // namespace chancel
