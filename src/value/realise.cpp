// SPDX-License-Identifier: Apache-2.0
// Asks for every lazy part inside a value, so that it can become a key, be compared or be kept, and
// lets such a value go without the world that knows what its lazy parts are.
#include <algorithm>
#include <vector>

#include "value/collections.hpp"
#include "value/dist_object.hpp"
#include "value/equality.hpp"
#include "value/seq_walk.hpp"
#include "value/shared_walk.hpp"

namespace chancel {

namespace {

// The usual keys and predicts need no list of open places.
bool is_plain_vector(NativeContext& cx, const Value& v) {
  if (!v.is(Tag::Vector)) return false;
  const auto* vector = v.as<Vector>();
  cx.tick(vector->count);
  for (std::uint32_t i = 0; i < vector->count; i += kVectorWidth) {  // a leaf at a time
    const VectorPart part = vector_part(vector, i);
    if (part.packing != Packing::Values) continue;
    const auto* const values = static_cast<const Value*>(part.elements);
    const std::uint32_t end = std::min(vector->count - i, kVectorWidth);
    for (std::uint32_t k = 0; k < end; ++k)
      if (may_hold_lazy(values[k])) return false;
  }
  return true;
}

// Functions, atoms and the like are what they are by identity; text holds nothing.
bool holds_no_data(const Object* o) {
  switch (o->tag) {
    case Tag::String:
    case Tag::Ratio:
    case Tag::BigInt:
    case Tag::Range:
    case Tag::Closure:
    case Tag::Query:
    case Tag::Memo:
    case Tag::Atom:
    case Tag::Delay:
    case Tag::Exception:
    case Tag::Foreign:
      return true;
    default:
      return false;
  }
}

// Whether only the world knows what the lazy cell at `at` holds.
bool kept_in_world(Value at) {
  while (at.is(Tag::LazySeq)) {
    const auto* lazy = at.as<LazySeq>();
    if (lazy->state != LazySeq::kRealised) return true;
    at = lazy->value;
  }
  return false;
}

// A copy in which lazy cells hold what the world knows of them.
Value without_world(NativeContext& cx, const Value& v) {
  return deep_copy(v, *cx.arena, holds_no_data, [&](Object* copy) {
    if (copy->tag != Tag::LazySeq) return;
    auto* lazy = static_cast<LazySeq*>(copy);
    if (lazy_value(cx, lazy, &lazy->value)) lazy->state = LazySeq::kRealised;
  });
}

}  // namespace

bool realise_object(NativeContext& cx, Value& v) {
  if (is_plain_vector(cx, v)) return true;
  std::vector<Value> open{v};
  Value waiting = Value::nil();  // a list of them: all are asked for at once
  VisitedPlaces visited;
  bool only_in_world = false;
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
      only_in_world = only_in_world || kept_in_world(walk.at());
      while (!walk.at().is(Tag::Range) && walk.next() == SeqWalk::Step::Item) {
        look(walk.item());
        only_in_world = only_in_world || kept_in_world(walk.at());
      }
      if (walk.at().is(Tag::LazySeq)) waiting = cons(*cx.arena, walk.at(), waiting);
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
  if (waiting.is_nil()) {
    if (only_in_world) v = without_world(cx, v);
    return true;
  }
  const auto* first = waiting.as<Cons>();
  cx.need(first->rest ? waiting : first->first, true);
  return false;
}

}  // namespace chancel
