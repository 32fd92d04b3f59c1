// SPDX-License-Identifier: Apache-2.0
// (get coll key missing) for everything that has keys: maps, sets, vectors, records, fields of distributions.
#pragma once
#include "value/value.hpp"

namespace chancel {
Value lookup(const Value& coll, const Value& key, const Value& missing);
}
