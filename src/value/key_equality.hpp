// SPDX-License-Identifier: Apache-2.0
// How a lookup compares keys when it is part of a comparison: two maps are equal when each key of one is found in the
// other, and such keys may hold maps again. The comparison counts those levels and the pairs that it has seen
// (equality.cpp). Other lookups use equal() without an indirect call.
#pragma once
#include "value/equality.hpp"
#include "value/value.hpp"

namespace chancel {

class KeyEquality {
 public:
  virtual bool same_key(const Value& a, const Value& b) = 0;

 protected:
  ~KeyEquality() = default;
};

// As map_find of collections.hpp.
const Value* map_find(const Value& map, const Value& key, KeyEquality& keys);

// What finds keys in maps is written once for both.
struct EqualKeys {
  bool operator()(const Value& a, const Value& b) const { return equal(a, b); }
};
struct KeysWithin {
  KeyEquality* comparison;
  bool operator()(const Value& a, const Value& b) const {
    const bool scalar = a.tag < Tag::EmptyList && b.tag != Tag::BigInt;
    return scalar ? equal(a, b) : comparison->same_key(a, b);
  }
};

}  // namespace chancel
