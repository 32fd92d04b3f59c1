// SPDX-License-Identifier: Apache-2.0
#include "library/arguments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "value/big_integer.hpp"

namespace chancel {

bool read_number(NativeContext& cx, const char* function, const Value* args, int index,
                 double* out) {
  const Value& v = args[index];
  if (!v.is_number()) {
    cx.wrong_type(function, index, "a number", v);
    return false;
  }
  *out = v.is(Tag::Double) ? v.d : to_double(v);
  return true;
}

bool read_integer(NativeContext& cx, const char* function, const Value* args, int index,
                  std::int64_t* out) {
  const Value& v = args[index];
  if (v.is(Tag::Int)) {
    *out = v.i;
    return true;
  }
  if (!v.is_number()) {
    cx.wrong_type(function, index, "an integer", v);
    return false;
  }
  if (v.is(Tag::BigInt)) {
    if (const auto small = small_integer(v)) {
      *out = *small;
      return true;
    }
  }
  const double d = to_double(v);
  if (!(std::fabs(d) < 0x1.0p63)) {
    cx.fail(Code::R009,
            fmt::format("{}: {} does not fit into 64 bits", function, show(v, true, 60)), index);
    return false;
  }
  *out = static_cast<std::int64_t>(d);
  return true;
}

bool read_size(NativeContext& cx, const char* function, const Value* args, int index,
               std::int64_t* out) {
  if (!read_integer(cx, function, args, index, out)) return false;
  if (*out < 0) {
    cx.fail(Code::R009,
            fmt::format("{}: expected a number that is not negative, got {}", function, *out),
            index);
    return false;
  }
  return true;
}

bool read_string(NativeContext& cx, const char* function, const Value* args, int index,
                 std::string_view* out) {
  if (!args[index].is(Tag::String)) {
    cx.wrong_type(function, index, "a string", args[index]);
    return false;
  }
  *out = string_view_of(args[index]);
  return true;
}

bool read_items(NativeContext& cx, const char* function, const Value* args, int index,
                std::vector<Value>* out) {
  const Value& coll = args[index];
  if (coll.is(Tag::Range) && coll.as<Range>()->count < 0) {
    cx.fail(Code::R009, fmt::format("{}: the sequence is infinite", function), index,
            "take a part of it first, as in (take 10 xs)");
    return false;
  }
  if (coll.is(Tag::Vector)) {
    const auto* v = coll.as<Vector>();
    if (out->empty()) {
      cx.room_for(v->count * sizeof(Value));
      out->reserve(v->count);
    }
    cx.tick(1 + v->count / 8);
    for (std::uint32_t i = 0; i < v->count; ++i) push_within_limits(cx, *out, vector_nth(v, i));
    return true;
  }
  if (coll.is(Tag::Range))
    cx.room_for(std::min(static_cast<std::size_t>(coll.as<Range>()->count),
                         ~std::size_t{0} / sizeof(Value)) *
                sizeof(Value));
  SeqCursor it(cx, coll, function, index, true);
  while (it.next()) push_within_limits(cx, *out, it.item());
  return cx.ok();
}

void append_text(NativeContext& cx, std::string_view text, std::string* out) {
  cx.tick(1 + text.size() / 256);
  if (out->capacity() - out->size() < text.size()) {
    cx.room_for(text.size());
    cx.room_for(2 * (out->size() + text.size()) + out->size());  // the next text and the old one
  }
  out->append(text);
}

bool read_numbers(NativeContext& cx, const char* function, const Value* args, int index,
                  std::vector<double>* out) {
  std::vector<Value> items;
  if (!read_items(cx, function, args, index, &items)) return false;
  cx.room_for(items.size() * sizeof(double));
  out->reserve(items.size());
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (!items[i].is_number()) {
      cx.fail(Code::R001,
              fmt::format("{}: expected numbers, got {} at position {}", function,
                          describe(items[i]), i),
              index);
      return false;
    }
    out->push_back(to_double(items[i]));
  }
  return true;
}

bool check_numbers(NativeContext& cx, const char* function, const Value* args,
                   std::uint32_t count) {
  for (std::uint32_t i = 0; i < count; ++i) {
    if (CHANCEL_UNLIKELY(!args[i].is_number())) {
      cx.wrong_type(function, static_cast<int>(i), "a number", args[i]);
      return false;
    }
  }
  return true;
}

Value list_of(NativeContext& cx, const std::vector<Value>& items) {
  return items.empty() ? Value::empty_list() : make_list(*cx.arena, items.data(), items.size());
}
Value vector_of(NativeContext& cx, const std::vector<Value>& items) {
  return make_vector(*cx.arena, items.data(), items.size());
}
Value pair_of(NativeContext& cx, const Value& a, const Value& b) {
  const Value both[2] = {a, b};
  return make_vector(*cx.arena, both, 2);
}
Value keyword_of(std::string_view name) { return Value::keyword(intern(name)); }

}  // namespace chancel
