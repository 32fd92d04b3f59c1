// SPDX-License-Identifier: Apache-2.0
// Numbers of collections for WideDensity: as they stand, numbers or nodes of a recording. What is
// not there yet (a lazy part) or not of the shape makes these false.
#pragma once
#include <vector>

#include "dist/sequence.hpp"
#include "value/density.hpp"

namespace chancel {

inline bool collect_number(const Value& v, std::vector<Value>* out) {
  if (!v.is_number() && !v.is(Tag::Node)) return false;
  out->push_back(v);
  return true;
}
inline bool collect_vector(const Value& v, std::vector<Value>* out) {
  return each_item(v, [&](const Value& item) { return collect_number(item, out); });
}
inline bool collect_matrix(const Value& v, std::vector<Value>* out) {
  return each_item(v, [&](const Value& row) { return collect_vector(row, out); });
}
// The values of a discrete distribution are constants.
inline bool collect_nothing(const Value&, std::vector<Value>*) { return true; }
inline std::size_t no_numbers(const Dist*) { return 0; }

}  // namespace chancel
