// SPDX-License-Identifier: Apache-2.0
// The world of an execution: see world.hpp.
#include "value/world.hpp"

#include <algorithm>
#include <atomic>
#include <vector>

#include "value/collections.hpp"
#include "value/equality.hpp"

namespace chancel {

namespace {

// A copy of the world to change, or a new one.
World* change(NativeContext& cx) {
  auto* w = cx.arena->make<World>(Tag::World);
  if (cx.world) {
    const World* const old = cx.world;
    w->memo = old->memo;
    w->store = old->store;
    w->cells = old->cells;
    w->draws = old->draws;
    w->next_id = old->next_id;
  } else {
    w->memo = w->store = w->cells = w->draws = Value::nil();
    w->next_id = 1;
  }
  cx.world = w;
  return w;
}

// Marks the key of a call with other than one argument, so that (f [1 2]) and (f 1 2) differ.
const Name* arguments_mark() {
  static const Name* const mark = intern(" arguments");
  return mark;
}

Value memo_key(NativeContext& cx, const Value* args, std::uint32_t count) {
  if (count == 1) return args[0];
  std::vector<Value> items(count + 1);
  items[0] = Value::keyword(arguments_mark());
  std::copy_n(args, count, items.begin() + 1);
  return make_vector(*cx.arena, items.data(), count + 1);
}

}  // namespace

std::uint64_t fresh_id(NativeContext& cx) { return change(cx)->next_id++; }

std::uint64_t top_level_id() {
  static std::atomic<std::uint64_t> next{std::uint64_t{1} << 62};
  return next.fetch_add(1, std::memory_order_relaxed);
}

bool memo_find(NativeContext& cx, const Value& memo, const Value* args, std::uint32_t count,
               Value* key, Value* out) {
  *key = memo_key(cx, args, count);
  const World* const w = cx.world;
  if (!w || w->memo.is_nil()) return false;
  const Value* table =
      map_find(w->memo, Value::integer(static_cast<std::int64_t>(memo.as<Memo>()->id)));
  if (!table) return false;
  const Value* found = map_find(*table, *key);
  if (!found) return false;
  *out = *found;
  return true;
}

void memo_store(NativeContext& cx, const Value& memo, const Value& key, const Value& value) {
  World* w = change(cx);
  Arena& arena = *cx.arena;
  const Value id = Value::integer(static_cast<std::int64_t>(memo.as<Memo>()->id));
  const Value tables = w->memo.is_nil() ? empty_map(arena) : w->memo;
  const Value* table = map_find(tables, id);
  w->memo =
      map_assoc(arena, tables, id, map_assoc(arena, table ? *table : empty_map(arena), key, value));
}

const Value* cell_find(const World* world, std::uint64_t id) {
  if (!world || world->cells.is_nil()) return nullptr;
  return map_find(world->cells, Value::integer(static_cast<std::int64_t>(id)));
}

void cell_store(NativeContext& cx, std::uint64_t id, const Value& value) {
  World* w = change(cx);
  Arena& arena = *cx.arena;
  w->cells = map_assoc(arena, w->cells.is_nil() ? empty_map(arena) : w->cells,
                       Value::integer(static_cast<std::int64_t>(id)), value);
}

std::array<Value, 3> remembered(const NativeContext& cx) {
  const World* const w = cx.world;
  if (!w) return {Value::nil(), Value::nil(), Value::nil()};
  return {w->memo, w->store, w->cells};
}

Value delayed_draws(const NativeContext& cx) { return cx.world ? cx.world->draws : Value::nil(); }

void set_delayed_draws(NativeContext& cx, const Value& draws) { change(cx)->draws = draws; }

void lazy_store(NativeContext& cx, const Value& cell, const Value& value) {
  auto* lazy = cell.as<LazySeq>();  // Delay has the same layout
  if (cx.in_query) {
    cell_store(cx, lazy->id, value);
    return;
  }
  lazy->value = value;
  lazy->state = LazySeq::kRealised;
  cx.arena->remember(lazy);
}

}  // namespace chancel
