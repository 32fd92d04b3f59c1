// SPDX-License-Identifier: Apache-2.0
// What engines and the wiring see of this room: scoring and drawing over Dist values, and the lists
// of everything there is. Distributions that programs define themselves (defdist records) are not
// Dist objects; the VM runs their code.
#pragma once
#include <span>

#include "random/stream.hpp"
#include "value/dist_object.hpp"
#include "value/native.hpp"

namespace chancel {

// The type of a Dist value; null for anything else.
inline const DistType* dist_type(const Value& v) {
  return v.is(Tag::Dist) ? v.as<Dist>()->type : nullptr;
}
// Both take a Dist value. log_prob is never NaN.
inline double log_prob(const Value& dist, const Value& x) {
  const auto* d = dist.as<Dist>();
  return d->type->log_prob(d, x);
}
inline Value draw(const Value& dist, Stream& stream, Arena& arena) {
  const auto* d = dist.as<Dist>();
  return d->type->sample(d, stream, arena);
}

// Every distribution and process, in the order of dists.def. Null for an unknown name.
std::span<const DistType* const> all_distributions();
std::span<const ProcessType* const> all_processes();
const DistType* find_distribution(const char* name);
// Their constructors as natives: pure, so constant ones are built once.
std::span<const NativeDef> distribution_natives();

}  // namespace chancel
