// SPDX-License-Identifier: Apache-2.0
#include "value/lookup.hpp"

#include "base/text.hpp"
#include "value/big_integer.hpp"
#include "value/collections.hpp"
#include "value/dist_object.hpp"
#include "value/equality.hpp"
#include "value/record.hpp"

namespace chancel {
namespace {

template <class D>
bool lookup_parameter(const D* d, const Value& key, Value* out) {
  if (!key.is(Tag::Keyword)) return false;
  for (std::uint32_t i = 0; i < d->type->parameter_count && i < d->value_count; ++i) {
    if (key.name->full == d->type->parameter_names[i]) {
      *out = d->values[i];
      return true;
    }
  }
  return false;
}

bool scan_for(const Value& map, const Value& key, Value* out) {
  bool found = false;
  map_each(map, [&](const Value& k, const Value& v) {
    if (!found && equal(k, key)) {
      *out = v;
      found = true;
    }
  });
  return found;
}

}  // namespace

bool vector_index(const Value& key, std::int64_t* out) {
  if (key.is(Tag::Int)) {
    *out = key.i;
    return true;
  }
  if (key.is(Tag::BigInt)) {
    const auto small = small_integer(key);
    if (small) *out = *small;
    return small.has_value();
  }
  if (key.is(Tag::Double) && key.d >= 0 && key.d < 0x1.0p32 &&
      key.d == static_cast<double>(static_cast<std::int64_t>(key.d))) {
    *out = static_cast<std::int64_t>(key.d);
    return true;
  }
  return false;
}

bool ordered_by_function(const Value& coll) {
  const Value* comparator = nullptr;
  if (coll.is(Tag::SortedMap)) comparator = &coll.as<SortedMap>()->comparator;
  if (coll.is(Tag::SortedSet))
    comparator = &static_cast<SortedMap*>(coll.as<Set>()->map)->comparator;
  return comparator && !comparator->is_nil() && !comparator->is(Tag::Native);
}

bool lookup(NativeContext& cx, const Value& coll, const Value& place, Value* out) {
  Value key = place;
  switch (coll.tag) {
    case Tag::ArrayMap:
    case Tag::HashMap:
    case Tag::SortedMap: {
      if (!ensure_realised(cx, key)) return false;
      if (CHANCEL_UNLIKELY(ordered_by_function(coll))) return scan_for(coll, key, out);
      const Value* found = map_find(coll, key);
      if (found) *out = *found;
      return found != nullptr;
    }
    case Tag::Set:
    case Tag::SortedSet:
      if (!ensure_realised(cx, key)) return false;
      *out = key;
      if (CHANCEL_UNLIKELY(ordered_by_function(coll))) {
        const Value map = Value::object(coll.as<Set>()->map);
        return scan_for(map, key, out);
      }
      return set_contains(coll, key);
    case Tag::Vector: {
      std::int64_t index = 0;
      const auto* v = coll.as<Vector>();
      // As in Clojure an element has no key but an integer: 1.0 is none.
      if (key.is(Tag::Double) || !vector_index(key, &index) || index < 0 ||
          index >= static_cast<std::int64_t>(v->count))
        return false;
      *out = vector_nth(v, static_cast<std::uint32_t>(index));
      return true;
    }
    case Tag::String: {
      std::int64_t index = 0;
      std::uint32_t c = 0;
      if (!vector_index(key, &index) || !character_at(string_view_of(coll), index, &c))
        return false;
      *out = Value::character(c);
      return true;
    }
    case Tag::Record: {
      const auto* r = coll.as<Record>();
      const int field = key.is(Tag::Keyword) ? r->type->field_index(key.name) : -1;
      if (field < 0) return false;
      *out = r->fields[field];
      return true;
    }
    case Tag::Dist:
      return lookup_parameter(coll.as<Dist>(), key, out);
    case Tag::Process:
      return lookup_parameter(coll.as<Process>(), key, out);
    default:
      return false;
  }
}

}  // namespace chancel
