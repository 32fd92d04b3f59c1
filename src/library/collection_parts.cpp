// SPDX-License-Identifier: Apache-2.0
#include "library/collection_parts.hpp"

#include <fmt/format.h>

#include "base/text.hpp"
#include "library/arguments.hpp"
#include "value/equality.hpp"
#include "value/record.hpp"

namespace chancel {
namespace {

Value refuse_function_order(NativeContext& cx, const char* function) {
  return cx.fail(
      Code::R009,
      fmt::format("{}: the order of this sorted collection is a function of the program", function),
      0, "add all entries at once with into");
}

}  // namespace

Value nth(NativeContext& cx, const Value& coll, const Value& at, const Value* not_found) {
  const Value both[2] = {coll, at};
  std::int64_t index = 0;
  if (!read_integer(cx, "nth", both, 1, &index)) return Value::nil();
  if (coll.is(Tag::Vector)) {
    const auto* v = coll.as<Vector>();
    if (index >= 0 && index < static_cast<std::int64_t>(v->count))
      return vector_nth(v, static_cast<std::uint32_t>(index));
    if (not_found) return *not_found;
    return cx.fail(Code::R004,
                   fmt::format("nth: index {} is out of range for a vector of {}", index, v->count),
                   1);
  }
  if (coll.is_nil()) return not_found ? *not_found : Value::nil();
  if (coll.is(Tag::String)) {
    std::uint32_t c = 0;
    if (character_at(string_view_of(coll), index, &c)) return Value::character(c);
    if (not_found) return *not_found;
    return cx.fail_as("java.lang.StringIndexOutOfBoundsException", Code::R004,
                      fmt::format("nth: index {} is out of range for a string of {} characters",
                                  index, character_count(string_view_of(coll))),
                      1);
  }
  if (is_map(coll) || is_set(coll) || !is_seqable(coll))
    return cx.wrong_type("nth", 0, "a vector or another sequence", coll);
  std::int64_t seen = 0;
  if (index >= 0) {
    SeqCursor it(cx, coll, "nth", 0, false);
    while (it.next()) {
      if (seen == index) return it.item();
      ++seen;
    }
    if (!cx.ok()) return Value::nil();
  }
  if (not_found) return *not_found;
  if (index < 0) return cx.fail(Code::R004, fmt::format("nth: index {} is negative", index), 1);
  return cx.fail(Code::R004,
                 fmt::format("nth: index {} is out of range for a sequence of {}", index, seen), 1);
}

Value assoc(NativeContext& cx, const char* function, const Value& coll, const Value& place,
            const Value& value) {
  Value key = place;
  switch (coll.tag) {
    case Tag::Nil:
      if (!ensure_realised(cx, key)) return Value::nil();
      return map_assoc(*cx.arena, empty_map(*cx.arena), key, value);
    case Tag::SortedMap:
      if (ordered_by_function(coll)) return refuse_function_order(cx, function);
      [[fallthrough]];
    case Tag::ArrayMap:
    case Tag::HashMap:
      if (!ensure_realised(cx, key)) return Value::nil();
      return map_assoc(*cx.arena, coll, key, value);
    case Tag::Vector: {
      std::int64_t index = 0;
      const auto* v = coll.as<Vector>();
      if (!vector_index(key, &index))
        return cx.wrong_type(function, 1, "an index of the vector", key);
      if (index < 0 || index > static_cast<std::int64_t>(v->count)) {
        return cx.fail(Code::R004,
                       fmt::format("{}: index {} is out of range for a vector of {}", function,
                                   index, v->count),
                       1);
      }
      return vector_assoc(*cx.arena, coll, static_cast<std::uint32_t>(index), value);
    }
    case Tag::Record: {
      const auto* r = coll.as<Record>();
      const int field = key.is(Tag::Keyword) ? r->type->field_index(key.name) : -1;
      if (field < 0) {
        return cx.fail(
            Code::R013,
            fmt::format("{}: {} has no field {}", function, r->type->name->full, show(key)), 1);
      }
      const std::size_t bytes = std::size_t{8} * r->words;
      auto* copy = cx.arena->make<Record>(Tag::Record, bytes);
      copy->type = r->type;
      for (std::size_t i = 0; i < r->type->fields.size(); ++i) copy->fields[i] = r->fields[i];
      copy->fields[field] = value;
      return Value::object(copy);
    }
    default:
      return cx.wrong_type(function, 0, "a map or a vector", coll);
  }
}

Value conj(NativeContext& cx, const Value& coll, const Value& item) {
  switch (coll.tag) {
    case Tag::Vector:
      return vector_conj(*cx.arena, coll, item);
    case Tag::Nil:
      return cons(*cx.arena, item, Value::nil());
    case Tag::EmptyList:
    case Tag::Cons:
    case Tag::VectorSeq:
    case Tag::Range:
    case Tag::LazySeq:
      return cons(*cx.arena, item, coll);
    case Tag::SortedSet:
      if (ordered_by_function(coll)) return refuse_function_order(cx, "conj");
      [[fallthrough]];
    case Tag::Set: {
      Value member = item;
      return ensure_realised(cx, member) ? set_conj(*cx.arena, coll, member) : Value::nil();
    }
    case Tag::ArrayMap:
    case Tag::HashMap:
    case Tag::SortedMap:
    case Tag::Record: {
      if (item.is_nil()) return coll;
      if (item.is(Tag::Vector) && item.as<Vector>()->count == 2) {
        const auto* v = item.as<Vector>();
        return assoc(cx, "conj", coll, vector_nth(v, 0), vector_nth(v, 1));
      }
      if (is_map(item)) {
        Value result = coll;
        map_each(item, [&](const Value& k, const Value& v) {
          if (cx.ok()) result = assoc(cx, "conj", result, k, v);
        });
        return result;
      }
      return cx.wrong_type("conj", 1, "a pair [key value] or a map", item);
    }
    default:
      return cx.wrong_type("conj", 0, "a collection", coll);
  }
}

}  // namespace chancel
