// SPDX-License-Identifier: Apache-2.0
// What the tests of the value room build values with: one heap per test and short names for the
// builders.
#pragma once
#include <gtest/gtest.h>

#include <initializer_list>
#include <string_view>
#include <vector>

#include "diag/diagnostic.hpp"
#include "value/collections.hpp"
#include "value/equality.hpp"
#include "value/number.hpp"
#include "value/print.hpp"

namespace chancel {

class ValueTest : public ::testing::Test {
 protected:
  using Values = std::initializer_list<Value>;

  Heap heap;
  Arena arena{heap};
  NativeContext cx{arena};

  static Value i(std::int64_t n) { return Value::integer(n); }
  static Value d(double x) { return Value::real(x); }
  static Value nil() { return Value::nil(); }
  static Value kw(std::string_view name) { return Value::keyword(intern(name)); }
  static Value sym(std::string_view name) { return Value::symbol(intern(name)); }
  static Value ch(std::uint32_t c) { return Value::character(c); }
  Value str(std::string_view text) { return make_string(arena, text); }
  Value vec(Values items) { return make_vector(arena, items.begin(), items.size()); }
  Value list(Values items) { return make_list(arena, items.begin(), items.size()); }
  Value ratio(std::int64_t n, std::int64_t m) { return make_ratio(cx, n, m); }
  Value fill(Value map, Values entries) {
    for (const Value* at = entries.begin(); at != entries.end(); at += 2)
      map = map_assoc(arena, map, at[0], at[1]);
    return map;
  }
  Value map(Values entries) { return fill(empty_map(arena), entries); }
  Value hash_map(Values entries) { return fill(empty_hash_map(arena), entries); }
  Value sorted(Values entries) { return fill(empty_sorted_map(arena, nil()), entries); }
  Value set(Values items) {
    Value s = empty_set(arena);
    for (const Value& item : items) s = set_conj(arena, s, item);
    return s;
  }
  Value sorted_set(Values items) {
    Value s = empty_sorted_set(arena, nil());
    for (const Value& item : items) s = set_conj(arena, s, item);
    return s;
  }
  // A lazy sequence: realised when a value is given, else not.
  Value lazy(const Value* realised = nullptr) {
    auto* l = arena.make<LazySeq>(Tag::LazySeq);
    l->state = realised ? 1 : 0;
    l->id = 0;
    l->value = realised ? *realised : Value::nil();
    return Value::object(l);
  }
  Value realised(const Value& v) { return lazy(&v); }
  std::string pr(const Value& v) { return print(cx, v, true); }
  std::vector<Value> items(const Value& coll) {
    std::vector<Value> out;
    for (SeqCursor it(cx, coll, "test", 0); it.next();) out.push_back(it.item());
    return out;
  }
};

}  // namespace chancel
