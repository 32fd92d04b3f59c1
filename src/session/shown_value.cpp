// SPDX-License-Identifier: Apache-2.0
// See shown_value.hpp.
#include "session/shown_value.hpp"

#include "value/collections.hpp"
#include "value/dist_object.hpp"
#include "value/equality.hpp"
#include "value/seq_walk.hpp"
#include "value/shared_walk.hpp"

namespace chancel {

void ShownValue::look(const Value& part) {
  if (may_hold_lazy(part)) open_.push_back(part);
}

bool ShownValue::realise(const Value& value) {
  VisitedPlaces visited;
  look(value);
  if (is_endless(value)) more_ = true;
  while (!open_.empty()) {
    const Value at = open_.back();
    open_.pop_back();
    if (visited.again(at.o)) continue;
    if (at.is(Tag::Vector)) {
      const auto* vector = at.as<Vector>();
      for (std::uint32_t i = 0; i < vector->count; ++i) look(vector_nth(vector, i));
    } else if (is_sequential(at)) {
      if (!realise_sequence(at)) return false;
    } else if (is_map(at) || is_set(at) || at.is(Tag::Record)) {
      map_each(at, [&](const Value& key, const Value& x) {
        look(key);
        if (!is_set(at)) look(x);
      });
    } else if (at.is(Tag::Dist)) {
      const auto* d = at.as<Dist>();
      for (std::uint32_t i = 0; i < d->value_count; ++i) look(d->values[i]);
    }
  }
  return true;
}

bool ShownValue::realise_sequence(const Value& sequence) {
  SeqWalk walk(nullptr, sequence);
  std::uint64_t elements = 0, draws = 0;
  for (;;) {
    if (walk.at().is(Tag::Range)) {  // nothing lazy is in there
      more_ = more_ || is_endless(walk.at());
      return true;
    }
    const SeqWalk::Step step = walk.next();
    if (step == SeqWalk::Step::Item) {
      look(walk.item());
      ++elements;
      continue;
    }
    const Value waiting = walk.at();
    if (step == SeqWalk::Step::End || !waiting.is(Tag::LazySeq)) return true;
    if (waiting.as<LazySeq>()->value.is(Tag::Foreign)) ++draws;
    if (elements >= kMostElements || draws > kMostDraws || elements_left_ == 0) {
      more_ = true;
      return true;
    }
    --elements_left_;
    Value out;
    if (!host_.call(seq_, &waiting, 1, &out)) return false;
  }
}

}  // namespace chancel
