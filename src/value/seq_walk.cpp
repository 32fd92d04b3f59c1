// SPDX-License-Identifier: Apache-2.0
// See seq_walk.hpp. The step is a loop because a realised lazy sequence only leads to the next
// place to look at.
#include "value/seq_walk.hpp"

#include "base/utf8.hpp"
#include "value/number.hpp"
#include "value/world.hpp"

namespace chancel {

bool resolve_lazy(NativeContext* cx, const Value& v, Value* out) {
  const World* const world = cx ? cx->world : nullptr;
  Value at = v;
  while (at.is(Tag::LazySeq)) {
    const auto* lazy = at.as<LazySeq>();
    if (lazy->state == LazySeq::kRealised) {
      at = lazy->value;
    } else if (const Value* found = cell_find(world, lazy->id)) {
      at = *found;
    } else {
      *out = at;
      return false;
    }
  }
  *out = at;
  return true;
}

bool lazy_value(NativeContext& cx, const LazySeq* lazy, Value* out) {
  return resolve_lazy(&cx, Value::object(const_cast<LazySeq*>(lazy)), out);
}

SeqWalk::Step SeqWalk::advance(NativeContext* cx, Value& at, std::uint64_t& index, Value& item) {
  for (;;) {
    switch (at.tag) {
      case Tag::Cons: {
        const auto* cell = at.as<Cons>();
        item = cell->first;
        at = cell->rest ? Value::object(cell->rest) : Value::nil();
        index = 0;
        return Step::Item;
      }
      case Tag::Vector: {
        const auto* v = at.as<Vector>();
        if (index >= v->count) return Step::End;
        item = vector_nth(v, static_cast<std::uint32_t>(index++));
        return Step::Item;
      }
      case Tag::VectorSeq: {
        const auto* s = at.as<VectorSeq>();
        index = s->index;
        at = Value::object(s->vector);
        break;
      }
      case Tag::Range: {
        const auto* r = at.as<Range>();
        if (r->count >= 0 && index >= static_cast<std::uint64_t>(r->count)) return Step::End;
        if (index == 0)
          item = r->start;
        else if (r->start.is(Tag::Int) &&
                 r->step.is(Tag::Int))  // wraps at the end of an endless range
          item = Value::integer(static_cast<std::int64_t>(r->start.bits + index * r->step.bits));
        else
          item = Value::real(to_double(item) + to_double(r->step));
        ++index;
        return Step::Item;
      }
      case Tag::String: {
        const std::string_view text = string_view_of(at);
        if (index >= text.size()) return Step::End;
        const DecodedChar c = decode_utf8(text, index);
        index += c.length;
        item = Value::character(c.code_point);
        return Step::Item;
      }
      case Tag::LazySeq:
        index = 0;
        if (!resolve_lazy(cx, at, &at)) return Step::Blocked;
        break;
      case Tag::Nil:
      case Tag::EmptyList:
        return Step::End;
      default:  // a lazy sequence may turn out to be a map or a set
        if (!cx || !is_seqable(at)) return Step::End;
        at = entries_vector(*cx->arena, at);
        index = 0;
    }
  }
}

std::int64_t known_count(const Value& v) {
  switch (v.tag) {
    case Tag::Nil:
    case Tag::EmptyList:
      return 0;
    case Tag::Cons: {
      const std::uint32_t count = v.as<Cons>()->words;
      return count == kUncounted ? -1 : std::int64_t{count};
    }
    case Tag::Vector:
      return v.as<Vector>()->count;
    case Tag::VectorSeq: {
      const auto* s = v.as<VectorSeq>();
      return static_cast<std::int64_t>(s->vector->count - s->index);
    }
    case Tag::Range:
      return v.as<Range>()->count;
    default:
      return -1;
  }
}

std::int64_t SeqWalk::left() const {
  const std::int64_t whole = known_count(at_);
  return whole < 0 ? -1 : whole - static_cast<std::int64_t>(index_);
}

Value make_vector_seq(Arena& arena, const Value& vector, std::uint64_t index) {
  if (index >= vector.as<Vector>()->count) return Value::empty_list();
  auto* s = arena.make<VectorSeq>(Tag::VectorSeq);
  s->vector = vector.as<Vector>();
  s->index = index;
  return Value::object(s);
}

}  // namespace chancel
