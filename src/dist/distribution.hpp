// SPDX-License-Identifier: Apache-2.0
// The lists of all distributions and processes. Distributions that programs define (defdist
// records) are not Dist objects; the VM runs their code.
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

// Every distribution and process, in the order of dists.def. Null for an unknown name.
std::span<const DistType* const> all_distributions();
std::span<const ProcessType* const> all_processes();
const DistType* find_distribution(const char* name);
// Their constructors as natives: pure, so constant ones are built once.
std::span<const NativeDef> distribution_natives();

}  // namespace chancel
