// SPDX-License-Identifier: Apache-2.0
// Asks for every lazy part inside a value, so that it can become a key, be compared or be kept.
#include <vector>

#include "value/collections.hpp"
#include "value/dist_object.hpp"
#include "value/equality.hpp"
#include "value/seq_walk.hpp"
#include "value/shared_walk.hpp"

namespace chancel {

bool realise_object(NativeContext& cx, const Value& v) {
  if (v.is(Tag::Vector) && !v.as<Vector>()->root) {  // the usual keys need no list
    const auto* vector = v.as<Vector>();
    std::uint32_t i = 0;
    while (i < vector->count && !may_hold_lazy(vector->tail[i])) ++i;
    if (i == vector->count) return true;
  }
  std::vector<Value> open{v};
  VisitedPlaces visited;
  const auto look = [&](const Value& part) {
    if (may_hold_lazy(part)) open.push_back(part);
  };
  while (!open.empty()) {
    const Value at = open.back();
    open.pop_back();
    if (visited.again(at.o)) continue;
    cx.tick();
    if (at.is(Tag::Vector)) {
      const auto* vector = at.as<Vector>();
      for (std::uint32_t i = 0; i < vector->count; ++i) look(vector_nth(vector, i));
    } else if (is_sequential(at)) {
      SeqWalk walk(&cx, at);
      while (!walk.at().is(Tag::Range) && walk.next() == SeqWalk::Step::Item) look(walk.item());
      if (walk.at().is(Tag::LazySeq)) {
        cx.need(walk.at(), true);
        return false;
      }
    } else if (is_map(at) || is_set(at) || at.is(Tag::Record)) {
      map_each(at, [&](const Value& key, const Value& value) {
        look(key);
        if (!is_set(at)) look(value);
      });
    } else if (at.is(Tag::Dist)) {
      const auto* d = at.as<Dist>();
      for (std::uint32_t i = 0; i < d->value_count; ++i) look(d->values[i]);
    } else if (at.is(Tag::Process)) {
      const auto* p = at.as<Process>();
      for (std::uint32_t i = 0; i < p->value_count; ++i) look(p->values[i]);
    }
  }
  return true;
}

}  // namespace chancel
