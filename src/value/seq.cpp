// SPDX-License-Identifier: Apache-2.0
// seq, first, rest, next and count over everything that has elements, and the cursor that natives
// walk with. Maps and sets are laid out as a vector of entries when they are walked (one pass, and
// rest is then cheap); first alone builds one entry.
#include <vector>

#include "base/utf8.hpp"
#include "diag/diagnostic.hpp"
#include "value/collections.hpp"
#include "value/number.hpp"
#include "value/record.hpp"
#include "value/seq_walk.hpp"

namespace chancel {

namespace {

Value entry(Arena& arena, const Value& key, const Value& value) {
  const Value pair[2] = {key, value};
  return make_vector(arena, pair, 2);
}

bool has_entries(const Value& v) { return is_map(v) || is_set(v) || v.is(Tag::Record); }

Value string_chars(Arena& arena, const Value& string) {
  std::vector<Value> chars;
  const std::size_t most = string_view_of(string).size();
  arena.heap().room_for(most * sizeof(Value));
  chars.reserve(most);
  SeqWalk walk(nullptr, string);
  while (walk.next() == SeqWalk::Step::Item) chars.push_back(walk.item());
  return make_vector(arena, chars.data(), chars.size());
}

Value range_behind(Arena& arena, const Range* r) {
  if (r->count == 1) return Value::empty_list();
  auto* behind = arena.make<Range>(Tag::Range);
  behind->step = r->step;
  behind->count = r->count < 0 ? -1 : r->count - 1;
  if (r->start.is(Tag::Int) && r->step.is(Tag::Int))
    behind->start = Value::integer(static_cast<std::int64_t>(r->start.bits + r->step.bits));
  else
    behind->start = Value::real(to_double(r->start) + to_double(r->step));
  return Value::object(behind);
}

// The elements after the first as a sequence: (), a seq object, or a LazySeq. `function` is for the
// message.
Value behind_first(NativeContext& cx, const char* function, const Value& coll) {
  Arena& arena = *cx.arena;
  switch (coll.tag) {
    case Tag::Nil:
    case Tag::EmptyList:
      return Value::empty_list();
    case Tag::Cons: {
      Object* rest = coll.as<Cons>()->rest;
      return rest ? Value::object(rest) : Value::empty_list();
    }
    case Tag::Vector:
      return make_vector_seq(arena, coll, 1);
    case Tag::VectorSeq: {
      const auto* s = coll.as<VectorSeq>();
      return make_vector_seq(arena, Value::object(s->vector), s->index + 1);
    }
    case Tag::Range:
      return range_behind(arena, coll.as<Range>());
    case Tag::String:
      return make_vector_seq(arena, string_chars(arena, coll), 1);
    case Tag::LazySeq: {
      Value inside;
      if (!resolve_lazy(&cx, coll, &inside)) return cx.need(inside, false);
      return behind_first(cx, function, inside);
    }
    default:
      if (has_entries(coll)) return make_vector_seq(arena, entries_vector(arena, coll), 1);
      return cx.wrong_type(function, 0, "a sequence", coll);
  }
}

}  // namespace

Value entries_vector(Arena& arena, const Value& coll) {
  std::vector<Value> items;
  const bool pairs = !is_set(coll);
  const std::size_t most = coll.is(Tag::Record) ? 0 : pairs ? map_count(coll) : set_count(coll);
  arena.heap().room_for(most * sizeof(Value));
  items.reserve(most);
  map_each(coll, [&](const Value& k, const Value& v) {
    items.push_back(pairs ? entry(arena, k, v) : k);
  });
  return make_vector(arena, items.data(), items.size());
}

SeqCursor::SeqCursor(NativeContext& cx, const Value& coll, const char* function, int argument,
                     bool whole)
    : cx_(cx), at_(coll), item_(Value::nil()), whole_(whole) {
  cx.tick();
  if (!cx.ok()) {
    at_ = Value::nil();
  } else if (has_entries(coll)) {
    at_ = entries_vector(*cx.arena, coll);
  } else if (!is_seqable(coll)) {
    cx.wrong_type(function, argument, "a sequence", coll);
    at_ = Value::nil();
  }
}

bool SeqCursor::next_elsewhere() {
  cx_.tick();
  const SeqWalk::Step step = SeqWalk::advance(&cx_, at_, index_, item_);
  if (CHANCEL_LIKELY(step == SeqWalk::Step::Item)) return true;
  if (step == SeqWalk::Step::End) return false;
  cx_.need(at_, whole_);
  return false;
}

bool is_sequential(const Value& v) {
  switch (v.tag) {
    case Tag::EmptyList:
    case Tag::Cons:
    case Tag::Vector:
    case Tag::VectorSeq:
    case Tag::Range:
    case Tag::LazySeq:
      return true;
    default:
      return false;
  }
}

bool is_endless(const Value& v) { return v.is(Tag::Range) && v.as<Range>()->count < 0; }

bool is_seq(const Value& v) { return is_sequential(v) && !v.is(Tag::Vector); }

bool is_seqable(const Value& v) {
  return is_sequential(v) || v.is_nil() || v.is(Tag::String) || has_entries(v);
}

Value seq(NativeContext& cx, const Value& coll) {
  Arena& arena = *cx.arena;
  const auto not_empty = [](const Value& s) { return s.is(Tag::EmptyList) ? Value::nil() : s; };
  switch (coll.tag) {
    case Tag::Nil:
    case Tag::EmptyList:
      return Value::nil();
    case Tag::Cons:
    case Tag::VectorSeq:
    case Tag::Range:
      return coll;
    case Tag::Vector:
      return not_empty(make_vector_seq(arena, coll, 0));
    case Tag::String:
      return not_empty(make_vector_seq(arena, string_chars(arena, coll), 0));
    case Tag::LazySeq: {
      Value inside;
      if (!resolve_lazy(&cx, coll, &inside)) return cx.need(inside, false);
      return seq(cx, inside);
    }
    default:
      if (has_entries(coll))
        return not_empty(make_vector_seq(arena, entries_vector(arena, coll), 0));
      return cx.wrong_type("seq", 0, "a sequence", coll);
  }
}

Value first(NativeContext& cx, const Value& coll) {
  switch (coll.tag) {
    case Tag::Nil:
    case Tag::EmptyList:
      return Value::nil();
    case Tag::Cons:
      return coll.as<Cons>()->first;
    case Tag::Vector: {
      const auto* v = coll.as<Vector>();
      return v->count ? vector_nth(v, 0) : Value::nil();
    }
    case Tag::VectorSeq: {
      const auto* s = coll.as<VectorSeq>();
      return vector_nth(s->vector, static_cast<std::uint32_t>(s->index));
    }
    case Tag::Range:
      return coll.as<Range>()->start;
    case Tag::String: {
      SeqWalk walk(nullptr, coll);
      return walk.next() == SeqWalk::Step::Item ? walk.item() : Value::nil();
    }
    case Tag::LazySeq: {
      Value inside;
      if (!resolve_lazy(&cx, coll, &inside)) return cx.need(inside, false);
      return first(cx, inside);
    }
    default: {
      if (!has_entries(coll)) return cx.wrong_type("first", 0, "a sequence", coll);
      Value key, value;
      if (!first_entry(coll, &key, &value)) return Value::nil();
      return is_set(coll) ? key : entry(*cx.arena, key, value);
    }
  }
}

Value rest(NativeContext& cx, const Value& coll) { return behind_first(cx, "rest", coll); }

Value next(NativeContext& cx, const Value& coll) {
  const Value behind = behind_first(cx, "next", coll);
  if (!cx.ok() || behind.is(Tag::EmptyList)) return Value::nil();
  return behind.is(Tag::LazySeq) ? seq(cx, behind) : behind;
}

std::int64_t count(NativeContext& cx, const Value& coll) {
  if (is_map(coll)) return static_cast<std::int64_t>(map_count(coll));
  if (is_set(coll)) return static_cast<std::int64_t>(set_count(coll));
  if (coll.is(Tag::String)) return static_cast<std::int64_t>(utf8_length(string_view_of(coll)));
  if (coll.is(Tag::Record))
    return static_cast<std::int64_t>(coll.as<Record>()->type->fields.size());
  if (!is_seqable(coll)) {
    cx.wrong_type("count", 0, "a collection", coll);
    return 0;
  }
  SeqWalk walk(&cx, coll);
  std::int64_t walked = 0;
  for (;;) {
    const std::int64_t left = walk.left();
    if (left >= 0) return walked + left;
    if (walk.at().is(Tag::Range)) {
      cx.fail(Code::R009, "count: the sequence is endless", 0);
      return 0;
    }
    const SeqWalk::Step step = walk.next();
    if (step == SeqWalk::Step::End) return walked;
    if (step == SeqWalk::Step::Blocked) {
      cx.need(walk.at(), true);
      return 0;
    }
    ++walked;
  }
}

}  // namespace chancel
