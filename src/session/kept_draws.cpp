// SPDX-License-Identifier: Apache-2.0
#include "session/kept_draws.hpp"

#include "chancel/chancel.hpp"
#include "session/host_values.hpp"
#include "session/value_view.hpp"
#include "value/collections.hpp"

namespace chancel {

void KeptDraws::keep(const Draw& draw) {
  Arena& arena = session_.machine().arena();
  const Heap* constants = &session_.program()->constants().heap();
  const auto stays = [=](const Object* o) { return block_of(o)->heap == constants; };
  std::vector<Value> predicts;
  for (const Predict& p : draw.predicts) {
    // A label as it is printed: most often a keyword.
    const std::string_view text = p.label;
    const bool keyword = text.size() > 1 && text[0] == ':' && text.find(' ') == text.npos;
    const std::optional<Value> label =
        keyword ? Value::keyword(intern(text.substr(1))) : read_value(session_, p.label, "<label>");
    const Value pair[2] = {label ? *label : make_string(arena, text),
                           deep_copy(Access::value(p.value), arena, stays)};
    predicts.push_back(make_vector(arena, pair, 2));
  }
  Value state = empty_map(arena);
  const auto add = [&](const char* key, const Value& v) {
    state = map_assoc(arena, state, Value::keyword(intern(key)), v);
  };
  add("log-weight", Value::real(draw.log_weight));
  add("result", deep_copy(Access::value(draw.result), arena, stays));
  add("predicts", make_vector(arena, predicts.data(), predicts.size()));
  draws_.push_back(state);
}

Value KeptDraws::take() {
  const Value all = make_vector(session_.machine().arena(), draws_.data(), draws_.size());
  draws_.clear();
  return all;
}

}  // namespace chancel
