// SPDX-License-Identifier: Apache-2.0
// Scoring and drawing over Dist values, with a context of their own.
#pragma once
#include "random/stream.hpp"
#include "value/dist_object.hpp"

namespace chancel {

inline Value draw(const DistType& type, const Dist* d, Stream& stream, Arena& arena) {
  NativeContext cx(arena);
  return type.sample(cx, d, stream);
}
inline double log_prob(const DistType& type, const Dist* d, const Value& x) {
  Heap heap;
  Arena arena(heap);
  NativeContext cx(arena);
  return type.log_prob(cx, d, x);
}
inline Value draw(const Value& dist, Stream& stream, Arena& arena) {
  const auto* d = dist.as<Dist>();
  return draw(*d->type, d, stream, arena);
}
inline double log_prob(const Value& dist, const Value& x) {
  const auto* d = dist.as<Dist>();
  return log_prob(*d->type, d, x);
}

}  // namespace chancel
