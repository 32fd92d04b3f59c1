// SPDX-License-Identifier: Apache-2.0
// What literals, destructuring, case, assert and catch become: the natives that only front ends
// call.
#include <fmt/format.h>

#include "library/arguments.hpp"
#include "library/collection_parts.hpp"
#include "library/registry.hpp"
#include "value/classes.hpp"

namespace chancel {
namespace {

Value map_literal(NativeContext& cx, const Value* a, std::uint32_t n) {
  Value map = empty_map(*cx.arena);
  for (std::uint32_t i = 0; i + 1 < n && cx.ok(); i += 2)
    map = assoc(cx, "map literal", map, a[i], a[i + 1]);
  return map;
}
Value set_literal(NativeContext& cx, const Value* a, std::uint32_t n) {
  Value set = empty_set(*cx.arena);
  for (std::uint32_t i = 0; i < n && cx.ok(); ++i) set = conj(cx, set, a[i]);
  return set;
}
Value concat_vectors(NativeContext& cx, const Value* a, std::uint32_t n) {
  std::vector<Value> items;
  for (std::uint32_t i = 0; i < n; ++i) {
    if (!read_items(cx, "vector", a, static_cast<int>(i), &items)) return Value::nil();
  }
  return vector_of(cx, items);
}
// What {:keys [a b]} looks into: a map, or a list of keys and values (& {:keys [a b]}), perhaps
// with a map at its end.
Value destructure_map(NativeContext& cx, const Value* a, std::uint32_t) {
  if (!is_seq(a[0])) return a[0];
  std::vector<Value> items;
  if (!read_items(cx, "destructuring", a, 0, &items)) return Value::nil();
  Value map = empty_map(*cx.arena);
  if (items.size() % 2 != 0 && !is_map(items.back())) {
    return cx.fail(Code::R009,
                   fmt::format("destructuring: the key {} has no value", show(items.back())), 0);
  }
  for (std::size_t i = 0; i + 1 < items.size() && cx.ok(); i += 2)
    map = assoc(cx, "destructuring", map, items[i], items[i + 1]);
  return items.size() % 2 != 0 && cx.ok() ? conj(cx, map, items.back()) : map;
}
Value no_matching_clause(NativeContext& cx, const Value* a, std::uint32_t) {
  return cx.fail(Code::R007, fmt::format("case: no clause for {}", show(a[0])), -1,
                 "add a default as the last expression");
}
Value no_method(NativeContext& cx, const Value* a, std::uint32_t) {
  return cx.fail(Code::R007,
                 fmt::format("{}: no method for the dispatch value {}", show(a[0]), show(a[1])), -1,
                 fmt::format("write (defmethod {} {} [..] ..) or one for :default", show(a[0]),
                             show(a[1], true, 60)));
}
Value assert_failed(NativeContext& cx, const Value* a, std::uint32_t n) {
  std::string text;
  for (std::uint32_t i = 0; i < n; ++i) text += (i ? ": " : "") + show(a[i], false);
  return cx.fail_as("java.lang.AssertionError", Code::R016, fmt::format("Assert failed: {}", text));
}

// (%exception-is? e class). What is thrown need not be an exception.
Value exception_is(NativeContext&, const Value* a, std::uint32_t) {
  const Name* type = class_of(a[0]);
  return Value::boolean(type && is_subclass(type, a[1].name));
}

constexpr NativeDef kFormsNatives[] = {
    {"%map", 0, -1, map_literal, kPure, "[& keys-and-values]", "A map literal."},
    {"%set", 0, -1, set_literal, kPure, "[& items]", "A set literal."},
    {"%concat-vectors", 0, -1, concat_vectors, kPure, "[& vectors]",
     "One vector of the elements of all."},
    {"%destructure-map", 1, 1, destructure_map, kPure, "[x]",
     "The map that a map pattern takes apart."},
    {"%no-matching-clause", 1, 1, no_matching_clause, 0, "[x]",
     "Fails: a case has no clause for x."},
    {"%no-method", 2, 2, no_method, 0, "[name value]",
     "Fails: a multimethod has no method for the value."},
    {"%assert-failed", 0, -1, assert_failed, 0, "[& what]", "Fails: an assertion does not hold."},
    {"%exception-is?", 2, 2, exception_is, kPure, "[e class]",
     "True when a catch of the class takes the exception."},
};

}  // namespace

std::span<const NativeDef> form_natives() { return kFormsNatives; }

}  // namespace chancel
