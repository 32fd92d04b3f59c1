// SPDX-License-Identifier: Apache-2.0
// Draws as values of programs: see query_stream.hpp.
#include "api/query_stream.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "api/session.hpp"
#include "value/collections.hpp"
#include "value/equality.hpp"

namespace chancel {

Value RunHost::compile(NativeContext& cx, const Value& form) {
  return session_.compile_for(cx, form, image_.get());
}

std::vector<std::pair<Value, Value>> ordered_predicts(const Predicts* newest) {
  std::vector<std::pair<Value, Value>> all;
  for (const Predicts* p = newest; p; p = p->previous) all.emplace_back(p->label, p->value);
  std::reverse(all.begin(), all.end());
  std::vector<std::pair<Value, Value>> out;
  // Most programs have a few labels; a loop may make thousands.
  constexpr std::size_t kFew = 16;
  std::unordered_multimap<std::uint32_t, std::size_t> places;
  for (auto& entry : all) {
    std::size_t place = out.size();
    if (out.size() <= kFew) {
      for (std::size_t i = 0; i < out.size() && place == out.size(); ++i)
        if (equal(out[i].first, entry.first)) place = i;
    } else {
      const auto [from, to] = places.equal_range(hash(entry.first));
      for (auto it = from; it != to; ++it)
        if (equal(out[it->second].first, entry.first)) place = it->second;
    }
    if (place < out.size()) {
      out[place].second = entry.second;
      continue;
    }
    out.push_back(entry);
    if (out.size() > kFew) {
      const std::size_t first = out.size() == kFew + 1 ? 0 : out.size() - 1;
      for (std::size_t i = first; i < out.size(); ++i) places.emplace(hash(out[i].first), i);
    }
  }
  return out;
}

void QueryStream::draw(const EngineDraw& draw) {
  if (drop_invalid_ && draw.log_weight == -INFINITY) return;
  const Heap* constants = &host_->image()->program->constants().heap();
  std::vector<Value> predicts;
  for (const Predicts* p = draw.predicts; p;
       p = p->previous) {  // all of them; get-predicts keeps the last of a label
    const Value pair[2] = {p->label, p->value};
    predicts.push_back(make_vector(arena_, pair, 2));
  }
  std::reverse(predicts.begin(), predicts.end());
  Value state = empty_map(arena_);
  state =
      map_assoc(arena_, state, Value::keyword(intern("log-weight")), Value::real(draw.log_weight));
  state = map_assoc(arena_, state, Value::keyword(intern("result")), draw.result);
  state = map_assoc(arena_, state, Value::keyword(intern("predicts")),
                    make_vector(arena_, predicts.data(), predicts.size()));
  // The parts still point into the engine's heap: copy the whole, and drop this scaffold with the
  // next collection.
  const auto stays = [=](const Object* o) { return block_of(o)->heap == constants; };
  waiting_.push_back(deep_copy(state, arena_, stays));
}

bool QueryStream::next(Machine& machine, Value* out) {
  while (waiting_.empty()) {
    if (!engine_->step(*this)) {
      if (waiting_.empty()) {
        if (engine_->failure()) machine.set_failure(*engine_->failure());
        return false;
      }
      break;
    }
  }
  *out = waiting_.front();
  waiting_.pop_front();
  return true;
}

}  // namespace chancel
