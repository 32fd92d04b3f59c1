// SPDX-License-Identifier: Apache-2.0
// See carried.hpp.
#include "record/carried.hpp"

#include <algorithm>

#include "record/recordable.hpp"
#include "record/substitute.hpp"
#include "value/collections.hpp"
#include "value/dist_object.hpp"
#include "value/lookup.hpp"

namespace chancel {

namespace {

// Which of the arguments are only carried, so that a node may stand there. The others are looked at.
bool carried(std::string_view function, Moves rule, std::uint32_t i, std::uint32_t count) {
  switch (rule) {
    case Moves::Everything:
      if (function == "cons") return i == 0;
      if (function == "list*") return i + 1 < count;
      if (function == "reset!" || function == "%cell-set") return i == 1;
      if (function == "%record") return i > 0;
      return true;
    case Moves::IntoCollection:
      return function == "conj" && i > 0;
    case Moves::KeysAndValues:
      return i >= 2 && i % 2 == 0;
    case Moves::Entries:
      return i % 2 == 1;
    case Moves::AllButLast:
      return i + 1 == count;
    default:
      return false;
  }
}

// Which of the arguments are keys: what they hold is looked at as well.
bool is_key(Moves rule, std::uint32_t i, std::uint32_t count) {
  switch (rule) {
    case Moves::KeysAndValues:
      return i % 2 == 1;
    case Moves::Entries:
      return i % 2 == 0;
    case Moves::First:
      return i == 0;
    case Moves::AllButFirst:
      return i > 0;
    case Moves::AllButLast:
      return i + 1 < count;
    default:
      return false;
  }
}

// Whether a node stands on the way of get-in or assoc-in, which look into it.
bool meets_node(NativeContext& cx, const Value& coll, const Value& path,
                const HasNodes& has_nodes) {
  if (!path.is(Tag::Vector)) return has_nodes(coll);
  Value at = coll;
  for (std::uint32_t i = 0; i + 1 < path.as<Vector>()->count; ++i) {
    Value found;
    if (!lookup(cx, at, vector_nth(path.as<Vector>(), i), &found)) break;
    if (stands_in(found)) return true;
    at = found;
  }
  return !cx.ok() && (cx.status = NativeContext::Status::Ok, true);
}

}  // namespace

bool carries(NativeContext& cx, const NativeDef& native, const Value* args, std::uint32_t count,
             const HasNodes& has_nodes) {
  const Recordable how = recordable(native);
  if (how.kind == Recordable::Kind::Type)
    return std::none_of(args, args + count, [](const Value& v) { return v.is(Tag::Node); });
  if (how.kind != Recordable::Kind::Moves || how.numbers_only) return false;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (stands_in(args[i]) && !carried(native.name, how.moves, i, count)) return false;
    if (is_key(how.moves, i, count) && has_nodes(args[i])) return false;
  }
  const std::string_view name = native.name;
  if (name == "get-in" || name == "assoc-in") return !meets_node(cx, args[0], args[1], has_nodes);
  if (how.moves == Moves::Maps || name == "%destructure-map")
    return std::all_of(args, args + count,
                       [&](const Value& v) { return is_map(v) || v.is_nil() || !has_nodes(v); });
  // Entries and items of maps and sets are looked at.
  if (how.moves == Moves::IntoCollection && count > 0 && !args[0].is(Tag::Vector) &&
      !is_sequential(args[0]))
    return std::none_of(args + 1, args + count, [&](const Value& v) { return has_nodes(v); });
  return true;
}

// Same arguments, same value, no effect.
bool is_pure(const NativeDef* native, const Value* now) {
  if (native->user) return false;
  const std::string_view name = native->name;
  if (native->flags & kPure) return true;
  if (name == "produce" || name == "absorb") return now[0].is(Tag::Process);
  return name == "observe*" && now[0].is(Tag::Dist) && !now[0].as<Dist>()->type->estimated;
}

}  // namespace chancel
