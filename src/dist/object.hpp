// SPDX-License-Identifier: Apache-2.0
// Building Dist and Process objects: the header, room for values, room for cached numbers. One
// allocation (values[1] of the structs is where the values start). The caller fills in values and
// numbers before the object is seen by anyone else.
#pragma once
#include <cstddef>

#include "value/dist_object.hpp"
#include "value/heap.hpp"

namespace chancel {

inline Dist* make_dist(Arena& arena, const DistType* type, std::size_t values,
                       std::size_t numbers) {
  auto* d = arena.make<Dist>(Tag::Dist,
                             sizeof(Dist) - sizeof(Value) + values * sizeof(Value) + numbers * 8);
  d->type = type;
  d->value_count = static_cast<std::uint32_t>(values);
  d->number_count = static_cast<std::uint32_t>(numbers);
  return d;
}

inline Process* make_process(Arena& arena, const ProcessType* type, std::size_t values,
                             std::size_t numbers) {
  auto* p = arena.make<Process>(
      Tag::Process, sizeof(Process) - sizeof(Value) + values * sizeof(Value) + numbers * 8);
  p->type = type;
  p->value_count = static_cast<std::uint32_t>(values);
  p->number_count = static_cast<std::uint32_t>(numbers);
  return p;
}

// The i-th value of a Dist or Process. (A constant index into values[1] draws warnings.)
template <class T>
inline auto& value_at(T* o, std::size_t i) {
  auto* values = o->values;
  return values[i];
}

}  // namespace chancel
