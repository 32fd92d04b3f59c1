// SPDX-License-Identifier: Apache-2.0
// Draws as values of programs: see query_stream.hpp.
#include "api/query_stream.hpp"

#include <algorithm>
#include <cmath>

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
  for (auto& entry : all) {
    const auto same = std::find_if(out.begin(), out.end(),
                                   [&](const auto& o) { return equal(o.first, entry.first); });
    if (same == out.end())
      out.push_back(entry);
    else
      same->second = entry.second;
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
