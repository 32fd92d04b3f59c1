// SPDX-License-Identifier: Apache-2.0
// What an execution remembers: memo tables, the store, cells (atoms, exchangeable procedures, lazy
// values), and the draws that are put off. A World is immutable and shared by forks; a change makes
// a new one and puts it into the context. Costs one small object and a map path.
#pragma once
#include <array>

#include "value/native.hpp"
#include "value/object.hpp"

namespace chancel {

struct World : Object {
  Value memo;   // {id {key value}} or nil
  Value store;  // nested map of (store ...) or nil
  Value cells;  // {id value}: atoms, exchangeable procedures, lazy cells; or nil
  Value draws;  // that were put off (src/delay); or nil
  std::uint64_t next_id;
};

// The next number of this execution. A query starts with the world that was there when it was run
// and counts on, so what was made outside and what is made inside have different numbers.
std::uint64_t fresh_id(NativeContext& cx);
// For lazy values at top level: different from those of any execution, without a change of the
// world (there may be millions).
std::uint64_t top_level_id();
// The remembered result of (memo args...): true with the value, or false with the key to store it
// under.
bool memo_find(NativeContext& cx, const Value& memo, const Value* args, std::uint32_t count,
               Value* key, Value* out);
void memo_store(NativeContext& cx, const Value& memo, const Value& key, const Value& value);
const Value* cell_find(const World* world, std::uint64_t id);
void cell_store(NativeContext& cx, std::uint64_t id, const Value& value);
// A LazySeq or Delay has been worked out: remembered in the object at top level, in the world
// inside queries.
void lazy_store(NativeContext& cx, const Value& cell, const Value& value);
// Memo tables, the store and cells.
std::array<Value, 3> remembered(const NativeContext& cx);
// Draws that were put off, as src/delay keeps them.
Value delayed_draws(const NativeContext& cx);
void set_delayed_draws(NativeContext& cx, const Value& draws);

}  // namespace chancel
