// SPDX-License-Identifier: Apache-2.0
// See draw_store.hpp.
#include "delay/draw_store.hpp"

#include "value/world.hpp"

namespace chancel {

void DrawStore::load(NativeContext& cx) {
  cx_ = &cx;
  records_ = delayed_draws(cx);
  changed_ = false;
  if (records_.is_nil()) {
    const Value nothing_pending = Value::integer(0);
    records_ = make_vector(*cx.arena, &nothing_pending, 1);
  }
}

void DrawStore::commit() {
  if (changed_) set_delayed_draws(*cx_, records_);
  changed_ = false;
}

Value DrawStore::make_record(DrawKind kind, std::span<const Value> fields) {
  const std::size_t count = fields.size() + 1;
  auto* record = cx_->arena->make<ValueArray>(Tag::ValueArray, bytes_with<ValueArray>(count));
  record->count = count;
  Value* to = record->values;
  *to++ = Value::integer(static_cast<std::int64_t>(kind));
  for (const Value& v : fields) *to++ = v;
  return Value::object(record);
}

DrawId DrawStore::add(DrawKind kind, std::span<const Value> fields) {
  const auto id = static_cast<DrawId>(records_.as<Vector>()->count);
  records_ = vector_conj(*cx_->arena, records_, make_record(kind, fields));
  changed_ = true;
  return id;
}

void DrawStore::set(DrawId id, DrawKind kind, std::span<const Value> fields) {
  records_ = vector_assoc(*cx_->arena, records_, id, make_record(kind, fields));
  changed_ = true;
}

DrawId DrawStore::pending() const {
  return static_cast<DrawId>(vector_nth(records_.as<Vector>(), 0).i);
}

void DrawStore::set_pending(DrawId id) {
  records_ = vector_assoc(*cx_->arena, records_, 0, link_to(id));
  changed_ = true;
}

}  // namespace chancel
