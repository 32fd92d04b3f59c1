// SPDX-License-Identifier: Apache-2.0
// What literals, destructuring, case, assert and catch become: the natives that only front ends
// call.
#include <fmt/format.h>

#include <string_view>

#include "library/arguments.hpp"
#include "library/collection_parts.hpp"
#include "library/registry.hpp"
#include "value/record.hpp"

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
  if (type == "IndexOutOfBoundsException" || type == "StringIndexOutOfBoundsException")
    return is_one_of({Code::R004});
  if (type == "ClassCastException" || type == "NullPointerException")
    return is_one_of({Code::R001, Code::R003});
  if (type == "ArityException") return is_one_of({Code::R002});
  if (type == "AssertionError") return is_one_of({Code::R016});
  if (type == "NumberFormatException") return is_one_of({Code::R009});
  if (type == "IllegalArgumentException")
    return is_one_of({Code::R001, Code::R002, Code::R007, Code::R009, Code::D001, Code::D002});
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

// Java's names for what x is; other values go by the names that extend-type uses.
bool is_instance(std::string_view type, const Value& x) {
  const auto dot = type.rfind('.');
  if (dot != std::string_view::npos) type.remove_prefix(dot + 1);
  if (type == "Object") return !x.is_nil();
  if (type == "Number") return x.is_number();
  if (type == "Long" || type == "Integer") return x.is(Tag::Int);
  if (type == "Double" || type == "Float") return x.is(Tag::Double);
  if (type == "Ratio") return x.is(Tag::Ratio);
  if (type == "String" || type == "CharSequence") return x.is(Tag::String);
  if (type == "Boolean") return x.is(Tag::Bool);
  if (type == "Character") return x.is(Tag::Char);
  if (type == "Keyword") return x.is(Tag::Keyword);
  if (type == "Symbol") return x.is(Tag::Symbol);
  if (type == "IPersistentVector" || type == "PersistentVector") return x.is(Tag::Vector);
  if (type == "IPersistentMap" || type == "PersistentArrayMap" || type == "PersistentHashMap")
    return is_map(x);
  if (type == "IPersistentSet" || type == "PersistentHashSet") return is_set(x);
  if (type == "ISeq" || type == "Seqable" || type == "Sequential") return is_seq(x);
  if (type == "IPersistentList" || type == "PersistentList")
    return x.is(Tag::Cons) || x.is(Tag::EmptyList);
  if (type == "LazySeq") return x.is(Tag::LazySeq);
  if (type == "Fn" || type == "IFn")
    return x.is(Tag::Closure) || x.is(Tag::Native) || x.is(Tag::Memo);
  if (type == "Exception" || type == "Throwable" || type == "RuntimeException")
    return x.is(Tag::Exception);
  if (type == "Atom") return x.is(Tag::Atom);
  return x.is(Tag::Record) && x.as<Record>()->type->name->base == type;
}
// The type is a record type of the program (a handle whose index is its address), or the name of a
// class.
Value instance_native(NativeContext& cx, const Value* a, std::uint32_t) {
  if (a[0].is(Tag::Foreign)) {
    return Value::boolean(a[1].is(Tag::Record) &&
                          a[0].as<Foreign>()->index ==
                              reinterpret_cast<std::uint64_t>(a[1].as<Record>()->type));
  }
  if (a[0].is(Tag::Symbol)) return Value::boolean(is_instance(a[0].name->full, a[1]));
  if (a[0].is(Tag::String)) return Value::boolean(is_instance(string_view_of(a[0]), a[1]));
  return cx.wrong_type("instance?", 0, "a type", a[0]);
}

constexpr NativeDef kNatives[] = {
    {"%instance?", 2, 2, instance_native, kPure, "[type x]", "True when x is of the type."},
    {"%map", 0, -1, map_literal, kPure, "[& keys-and-values]", "A map literal."},
    {"%set", 0, -1, set_literal, kPure, "[& items]", "A set literal."},
    {"%concat-vectors", 0, -1, concat_vectors, kPure, "[& vectors]",
     "One vector of the elements of all."},
    {"%destructure-map", 1, 1, destructure_map, kPure, "[x]",
     "The map that a map pattern takes apart."},
    {"%no-matching-clause", 1, 1, no_matching_clause, 0, "[x]",
     "Fails: a case has no clause for x."},
    {"%assert-failed", 0, -1, assert_failed, 0, "[& what]", "Fails: an assertion does not hold."},
    {"%exception-is?", 2, 2, exception_is, kPure, "[e type]",
     "True when a catch for the class name takes the exception."},
};

}  // namespace

std::span<const NativeDef> form_natives() { return kNatives; }

}  // namespace chancel
