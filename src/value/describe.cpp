// SPDX-License-Identifier: Apache-2.0
// Phrases for messages: what a value is, in words, short enough to stand in a sentence.
#include <fmt/format.h>

#include "value/collections.hpp"
#include "value/dist_object.hpp"
#include "value/print.hpp"
#include "value/record.hpp"
#include "value/seq_walk.hpp"

namespace chancel {

namespace {

constexpr std::size_t kShown = 60;

std::string sized(const char* thing, std::uint64_t count) {
  return count == 0 ? fmt::format("an empty {}", thing) : fmt::format("a {} of {}", thing, count);
}

std::string function(const char* kind, const Value& v) {
  return fmt::format("the {} {}", kind, function_name(v));
}

}  // namespace

std::string describe(const Value& v) {
  switch (v.tag) {
    case Tag::Nil:
    case Tag::Bool:
      return show(v);
    case Tag::Int:
      return "the integer " + show(v);
    case Tag::BigInt:
      return "the integer " + show(v, true, kShown);
    case Tag::Double:
      return "the number " + show(v);
    case Tag::Ratio:
      return "the ratio " + show(v, true, kShown);
    case Tag::Char:
      return "the character " + show(v);
    case Tag::String:
      return "the string " + show(v, true, kShown);
    case Tag::Keyword:
      return "the keyword " + show(v);
    case Tag::Symbol:
      return "the symbol " + show(v);
    case Tag::Class:
      return "the class " + show(v);
    case Tag::Native:
      return fmt::format("the function {}", v.native->name);
    case Tag::EmptyList:
      return "an empty list";
    case Tag::Cons:
    case Tag::VectorSeq:
    case Tag::Range: {
      const std::int64_t count = known_count(v);
      return count < 0 ? "a sequence" : sized("list", static_cast<std::uint64_t>(count));
    }
    case Tag::LazySeq:
      return "a lazy sequence";
    case Tag::Vector:
      return sized("vector", v.as<Vector>()->count);
    case Tag::ArrayMap:
    case Tag::HashMap:
      return sized("map", map_count(v));
    case Tag::SortedMap:
      return map_count(v) ? sized("sorted map", map_count(v)) : "an empty sorted map";
    case Tag::Set:
    case Tag::SortedSet:
      return sized("set", set_count(v));
    case Tag::Closure:
    case Tag::Memo:
      return function("function", v);
    case Tag::Query:
      return function("query", v);
    case Tag::Dist:
      return "the distribution " + show(v, true, kShown);
    case Tag::Process:
      return "the process " + show(v, true, kShown);
    case Tag::Record:
      return fmt::format("a {}", v.as<Record>()->type->name->full);
    case Tag::Atom:
      return "an atom";
    case Tag::Delay:
      return "a delay";
    case Tag::Exception:
      return "an exception";
    default:
      return "a handle";
  }
}

}  // namespace chancel
