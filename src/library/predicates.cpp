// SPDX-License-Identifier: Apache-2.0
// Questions about one value: its type, and simple properties of numbers.
#include <fmt/format.h>

#include <cmath>

#include "library/arguments.hpp"
#include "library/registry.hpp"
#include "value/big_integer.hpp"
#include "value/print.hpp"
#include "value/record.hpp"

namespace chancel {
namespace {

using Question = bool (*)(const Value&);
template <Question question>
Value ask(NativeContext&, const Value* a, std::uint32_t) {
  return Value::boolean(question(a[0]));
}
template <Tag tag>
bool has_tag(const Value& v) {
  return v.is(tag);
}

bool is_some(const Value& v) { return !v.is_nil(); }
bool is_true(const Value& v) { return v.is(Tag::Bool) && v.bits; }
bool is_false(const Value& v) { return v.is(Tag::Bool) && !v.bits; }
// A distribution is neither true nor false; who asks has meant a draw from it.
template <Question question>
Value ask_truth(NativeContext& cx, const Value* a, std::uint32_t) {
  if (a[0].is(Tag::Dist))
    return cx.fail(
        Code::R001,
        fmt::format("expected a value, got {}, which is not a draw from it", describe(a[0])), 0,
        "(sample dist) draws from a distribution");
  return Value::boolean(question(a[0]));
}
bool is_anything(const Value&) { return true; }
bool is_number(const Value& v) { return v.is_number(); }
bool is_rational(const Value& v) { return is_integer(v) || v.is(Tag::Ratio); }
bool is_natural(const Value& v) { return v.is(Tag::Int) && v.i >= 0; }
bool is_positive_int(const Value& v) { return v.is(Tag::Int) && v.i > 0; }
bool is_negative_int(const Value& v) { return v.is(Tag::Int) && v.i < 0; }
bool is_ident(const Value& v) { return v.is(Tag::Keyword) || v.is(Tag::Symbol); }
bool is_qualified_keyword(const Value& v) { return v.is(Tag::Keyword) && !v.name->ns.empty(); }
bool is_list(const Value& v) { return v.is(Tag::Cons) || v.is(Tag::EmptyList); }
bool is_map_like(const Value& v) {
  return is_map(v) || (v.is(Tag::Record) && v.as<Record>()->type->kind == RecordKind::Plain);
}
bool is_collection(const Value& v) {
  return is_seq(v) || v.is(Tag::Vector) || is_map_like(v) || is_set(v);
}
bool is_associative(const Value& v) { return is_map_like(v) || v.is(Tag::Vector); }
bool is_counted(const Value& v) {
  return v.is(Tag::Vector) || is_map(v) || is_set(v) || v.is(Tag::EmptyList) ||
         v.is(Tag::VectorSeq) || (v.is(Tag::Cons) && v.as<Cons>()->words != kUncounted) ||
         (v.is(Tag::Range) && v.as<Range>()->count >= 0);
}
bool is_sorted(const Value& v) { return v.is(Tag::SortedMap) || v.is(Tag::SortedSet); }
bool is_reversible(const Value& v) { return v.is(Tag::Vector) || is_sorted(v); }
bool is_function(const Value& v) {
  return v.is(Tag::Closure) || v.is(Tag::Native) || v.is(Tag::Memo) || v.is(Tag::Query);
}
bool is_callable(const Value& v) {
  return is_function(v) || v.is(Tag::Keyword) || v.is(Tag::Symbol) || v.is(Tag::Vector) ||
         is_map(v) || is_set(v);
}
bool is_entry(const Value& v) { return v.is(Tag::Vector) && v.as<Vector>()->count == 2; }
bool is_nothing_or_empty_list(const Value& v) {
  return v.is_nil() || v.is(Tag::EmptyList) || (v.is(Tag::Vector) && v.as<Vector>()->count == 0);
}
Value truth(NativeContext&, const Value* a, std::uint32_t) { return Value::boolean(a[0].truthy()); }

// All elements are there already, so that walking them needs no program code. Finite.
bool is_realised(const Value& v) { return v.is_nil() || v.is(Tag::String) || is_counted(v); }

Value all_realised(NativeContext& cx, const Value* a, std::uint32_t) {
  for (SeqCursor it(cx, a[0], "%all-realised?", 0); it.next();) {
    if (!is_realised(it.item())) return Value::boolean(false);
  }
  return Value::boolean(true);
}

Value is_null(NativeContext& cx, const Value* a, std::uint32_t) {
  if (!a[0].is(Tag::LazySeq)) return Value::boolean(is_nothing_or_empty_list(a[0]));
  const Value s = seq(cx, a[0]);
  return Value::boolean(s.is_nil());
}

Value is_zero(NativeContext& cx, const Value* a, std::uint32_t) {
  if (a[0].is(Tag::Int)) return Value::boolean(a[0].i == 0);
  double d = 0;
  return read_number(cx, "zero?", a, 0, &d) ? Value::boolean(d == 0) : Value::nil();
}
Value is_positive(NativeContext& cx, const Value* a, std::uint32_t) {
  double d = 0;
  return read_number(cx, "pos?", a, 0, &d) ? Value::boolean(d > 0) : Value::nil();
}
Value is_negative(NativeContext& cx, const Value* a, std::uint32_t) {
  double d = 0;
  return read_number(cx, "neg?", a, 0, &d) ? Value::boolean(d < 0) : Value::nil();
}
Value is_even(NativeContext& cx, const Value* a, std::uint32_t) {
  return is_integer(a[0]) ? Value::boolean(!is_odd(a[0]))
                          : cx.wrong_type("even?", 0, "an integer", a[0]);
}
Value is_odd_number(NativeContext& cx, const Value* a, std::uint32_t) {
  return is_integer(a[0]) ? Value::boolean(is_odd(a[0]))
                          : cx.wrong_type("odd?", 0, "an integer", a[0]);
}
Value is_not_a_number(NativeContext& cx, const Value* a, std::uint32_t) {
  double d = 0;
  return read_number(cx, "NaN?", a, 0, &d) ? Value::boolean(std::isnan(d)) : Value::nil();
}
Value is_infinite(NativeContext& cx, const Value* a, std::uint32_t) {
  double d = 0;
  return read_number(cx, "infinite?", a, 0, &d) ? Value::boolean(std::isinf(d)) : Value::nil();
}
Value is_finite(NativeContext& cx, const Value* a, std::uint32_t) {
  double d = 0;
  return read_number(cx, "finite?", a, 0, &d) ? Value::boolean(std::isfinite(d)) : Value::nil();
}

constexpr NativeDef kPredicatesNatives[] = {
    {"nil?", 1, 1, ask<has_tag<Tag::Nil>>, kPure, "[x]", "True when x is nil."},
    {"some?", 1, 1, ask<is_some>, kPure, "[x]", "True when x is not nil."},
    {"true?", 1, 1, ask_truth<is_true>, kPure, "[x]", "True when x is true."},
    {"false?", 1, 1, ask_truth<is_false>, kPure, "[x]", "True when x is false."},
    {"boolean?", 1, 1, ask<has_tag<Tag::Bool>>, kPure, "[x]", "True when x is true or false."},
    {"boolean", 1, 1, truth, kPure, "[x]", "False when x is false or nil, else true."},
    {"any?", 1, 1, ask<is_anything>, kPure, "[x]", "True."},
    {"number?", 1, 1, ask<is_number>, kPure, "[x]", "True when x is a number."},
    {"integer?", 1, 1, ask<is_integer>, kPure, "[x]", "True when x is an integer."},
    {"int?", 1, 1, ask<has_tag<Tag::Int>>, kPure, "[x]", "True when x is a 64-bit integer."},
    {"float?", 1, 1, ask<has_tag<Tag::Double>>, kPure, "[x]", "True when x is a double."},
    {"double?", 1, 1, ask<has_tag<Tag::Double>>, kPure, "[x]", "True when x is a double."},
    {"ratio?", 1, 1, ask<has_tag<Tag::Ratio>>, kPure, "[x]", "True when x is a ratio."},
    {"rational?", 1, 1, ask<is_rational>, kPure, "[x]", "True when x is an integer or a ratio."},
    {"nat-int?", 1, 1, ask<is_natural>, kPure, "[x]",
     "True when x is an integer that is not negative."},
    {"pos-int?", 1, 1, ask<is_positive_int>, kPure, "[x]", "True when x is a positive integer."},
    {"neg-int?", 1, 1, ask<is_negative_int>, kPure, "[x]", "True when x is a negative integer."},
    {"zero?", 1, 1, is_zero, kPure, "[x]", "True when the number is zero."},
    {"pos?", 1, 1, is_positive, kPure, "[x]", "True when the number is greater than zero."},
    {"neg?", 1, 1, is_negative, kPure, "[x]", "True when the number is less than zero."},
    {"even?", 1, 1, is_even, kPure, "[n]", "True when the integer is even."},
    {"odd?", 1, 1, is_odd_number, kPure, "[n]", "True when the integer is odd."},
    {"NaN?", 1, 1, is_not_a_number, kPure, "[x]", "True when the number is not a number."},
    {"Double/isNaN", 1, 1, is_not_a_number, kPure, "[x]", "True when the number is not a number."},
    {"infinite?", 1, 1, is_infinite, kPure, "[x]",
     "True when the number is plus or minus infinity."},
    {"Double/isInfinite", 1, 1, is_infinite, kPure, "[x]",
     "True when the number is plus or minus infinity."},
    {"finite?", 1, 1, is_finite, kPure, "[x]", "True when the number is neither infinite nor NaN."},
    {"string?", 1, 1, ask<has_tag<Tag::String>>, kPure, "[x]", "True when x is a string."},
    {"char?", 1, 1, ask<has_tag<Tag::Char>>, kPure, "[x]", "True when x is a character."},
    {"keyword?", 1, 1, ask<has_tag<Tag::Keyword>>, kPure, "[x]", "True when x is a keyword."},
    {"symbol?", 1, 1, ask<has_tag<Tag::Symbol>>, kPure, "[x]", "True when x is a symbol."},
    {"ident?", 1, 1, ask<is_ident>, kPure, "[x]", "True when x is a keyword or a symbol."},
    {"qualified-keyword?", 1, 1, ask<is_qualified_keyword>, kPure, "[x]",
     "True when x is a keyword with a namespace."},
    {"list?", 1, 1, ask<is_list>, kPure, "[x]", "True when x is a list."},
    {"pair?", 1, 1, ask<has_tag<Tag::Cons>>, kPure, "[x]",
     "True when x is a list that is not empty."},
    {"null?", 1, 1, is_null, kPure, "[x]", "True when x is an empty sequence or nil."},
    {"vector?", 1, 1, ask<has_tag<Tag::Vector>>, kPure, "[x]", "True when x is a vector."},
    {"map?", 1, 1, ask<is_map_like>, kPure, "[x]", "True when x is a map."},
    {"set?", 1, 1, ask<is_set>, kPure, "[x]", "True when x is a set."},
    {"seq?", 1, 1, ask<is_seq>, kPure, "[x]",
     "True when x is a sequence: a list, a lazy sequence, a range."},
    {"coll?", 1, 1, ask<is_collection>, kPure, "[x]",
     "True when x is a list, vector, map, set or other sequence."},
    {"sequential?", 1, 1, ask<is_sequential>, kPure, "[x]",
     "True when x is a list, a vector or another sequence."},
    {"associative?", 1, 1, ask<is_associative>, kPure, "[x]", "True when x is a map or a vector."},
    {"counted?", 1, 1, ask<is_counted>, kPure, "[x]", "True when x knows its count."},
    {"indexed?", 1, 1, ask<has_tag<Tag::Vector>>, kPure, "[x]",
     "True when x finds elements by index at once: a vector."},
    {"seqable?", 1, 1, ask<is_seqable>, kPure, "[x]", "True when (seq x) works."},
    {"sorted?", 1, 1, ask<is_sorted>, kPure, "[x]", "True when x is a sorted map or set."},
    {"reversible?", 1, 1, ask<is_reversible>, kPure, "[x]", "True when (rseq x) works."},
    {"fn?", 1, 1, ask<is_function>, kPure, "[x]", "True when x is a function."},
    {"ifn?", 1, 1, ask<is_callable>, kPure, "[x]",
     "True when x can be called: functions, keywords, maps, sets, vectors."},
    {"map-entry?", 1, 1, ask<is_entry>, kPure, "[x]", "True when x is a pair of key and value."},
    {"delay?", 1, 1, ask<has_tag<Tag::Delay>>, kPure, "[x]", "True when x is a delay."},
    {"reduced?", 1, 1, ask<has_tag<Tag::Reduced>>, kPure, "[x]",
     "True when x was made by reduced."},
    {"%realised?", 1, 1, ask<is_realised>, kPure, "[coll]",
     "True when coll is finite and all its elements can be walked without running program code."},
    {"%all-realised?", 1, 1, all_realised, kPure, "[colls]",
     "True when all collections in the list are %realised?."},
};

}  // namespace

std::span<const NativeDef> predicate_natives() { return kPredicatesNatives; }

}  // namespace chancel
