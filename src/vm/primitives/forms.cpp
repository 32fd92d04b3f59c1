// SPDX-License-Identifier: Apache-2.0
// What literals, destructuring, case, assert and catch become: the natives that only front ends call.
#include <fmt/format.h>

#include <string_view>

#include "vm/primitives/arguments.hpp"
#include "vm/primitives/lookup.hpp"
#include "vm/primitives/registry.hpp"

namespace chancel {
namespace {

Value map_literal(NativeContext& cx, const Value* a, std::uint32_t n) {
  Value map = empty_map(*cx.arena);
  for (std::uint32_t i = 0; i + 1 < n && cx.ok(); i += 2) map = assoc(cx, "map literal", map, a[i], a[i + 1]);
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
// What {:keys [a b]} looks into: a map, or a list of keys and values (& {:keys [a b]}), perhaps with a map at its end.
Value destructure_map(NativeContext& cx, const Value* a, std::uint32_t) {
  if (!is_seq(a[0])) return a[0];
  std::vector<Value> items;
  if (!read_items(cx, "destructuring", a, 0, &items)) return Value::nil();
  Value map = empty_map(*cx.arena);
  if (items.size() % 2 != 0 && !is_map(items.back())) {
    return cx.fail(Code::R009, fmt::format("destructuring: the key {} has no value", show(items.back())), 0);
  }
  for (std::size_t i = 0; i + 1 < items.size() && cx.ok(); i += 2) map = assoc(cx, "destructuring", map, items[i], items[i + 1]);
  return items.size() % 2 != 0 && cx.ok() ? conj(cx, map, items.back()) : map;
}
Value no_matching_clause(NativeContext& cx, const Value* a, std::uint32_t) {
  return cx.fail(Code::R007, fmt::format("case: no clause for {}", show(a[0])), -1, "add a default as the last expression");
}
Value assert_failed(NativeContext& cx, const Value* a, std::uint32_t n) {
  std::string text;
  for (std::uint32_t i = 0; i < n; ++i) text += (i ? ": " : "") + show(a[i], false);
  return cx.fail(Code::R016, fmt::format("assert failed: {}", text));
}

// Which exceptions of ours a Java class name catches.
bool catches(std::string_view type, const Exception* e) {
  const auto dot = type.rfind('.');
  if (dot != std::string_view::npos) type.remove_prefix(dot + 1);
  const bool raised = e->code == ~std::uint64_t{0};
  if (type == "ExceptionInfo") return raised;
  const auto is_one_of = [&](std::initializer_list<Code> codes) {
    for (Code c : codes) {
      if (e->code == static_cast<std::uint64_t>(c)) return true;
    }
    return false;
  };
  if (type == "ArithmeticException") return is_one_of({Code::R005, Code::R006});
  if (type == "IndexOutOfBoundsException" || type == "StringIndexOutOfBoundsException") return is_one_of({Code::R004});
  if (type == "ClassCastException" || type == "NullPointerException") return is_one_of({Code::R001, Code::R003});
  if (type == "ArityException") return is_one_of({Code::R002});
  if (type == "AssertionError") return is_one_of({Code::R016});
  if (type == "NumberFormatException") return is_one_of({Code::R009});
  if (type == "IllegalArgumentException") return is_one_of({Code::R001, Code::R002, Code::R007, Code::R009, Code::D001, Code::D002});
  if (type == "IllegalStateException") return is_one_of({Code::R009, Code::R014});
  if (type == "FileNotFoundException" || type == "IOException") return is_one_of({Code::U002});
  return false;
}
Value exception_is(NativeContext& cx, const Value* a, std::uint32_t) {
  std::string_view type;
  if (!a[0].is(Tag::Exception)) return Value::boolean(false);
  if (!read_string(cx, "catch", a, 1, &type)) return Value::nil();
  return Value::boolean(catches(type, a[0].as<Exception>()));
}

constexpr NativeDef kNatives[] = {
    {"%map", 0, -1, map_literal, kPure, "[& keys-and-values]", "A map literal."},
    {"%set", 0, -1, set_literal, kPure, "[& items]", "A set literal."},
    {"%concat-vectors", 0, -1, concat_vectors, kPure, "[& vectors]", "One vector of the elements of all."},
    {"%destructure-map", 1, 1, destructure_map, kPure, "[x]", "The map that a map pattern takes apart."},
    {"%no-matching-clause", 1, 1, no_matching_clause, 0, "[x]", "Fails: a case has no clause for x."},
    {"%assert-failed", 0, -1, assert_failed, 0, "[& what]", "Fails: an assertion does not hold."},
    {"%exception-is?", 2, 2, exception_is, kPure, "[e type]", "True when a catch for the class name takes the exception."},
};

}  // namespace

std::span<const NativeDef> form_natives() { return kNatives; }

}  // namespace chancel
