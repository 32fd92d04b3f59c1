// SPDX-License-Identifier: Apache-2.0
// Reading a realised sequence without a NativeContext, for densities (which take any value) and for
// the direct paths (which do not want to build anything). What cannot be read this way, an
// unrealised LazySeq or something that is not a sequence, makes each_item return false.
#pragma once
#include <cstdint>

#include "value/collections.hpp"
#include "value/seq_walk.hpp"

namespace chancel {

// Calls f(item) for each item in order until it returns false. True when all items were visited.
template <class F>
bool each_item(const Value& sequence, F&& f) {
  Value at = sequence;
  for (;;) {
    switch (at.tag) {
      case Tag::Nil:
      case Tag::EmptyList:
        return true;
      case Tag::Vector: {
        const auto* v = at.as<Vector>();
        for (std::uint32_t i = 0; i < v->count; ++i) {
          if (!f(vector_nth(v, i))) return false;
        }
        return true;
      }
      case Tag::VectorSeq: {
        const auto* s = at.as<VectorSeq>();
        for (auto i = static_cast<std::uint32_t>(s->index); i < s->vector->count; ++i) {
          if (!f(vector_nth(s->vector, i))) return false;
        }
        return true;
      }
      case Tag::Cons: {
        const auto* c = at.as<Cons>();
        if (!f(c->first)) return false;
        if (!c->rest) return true;
        at = Value::object(c->rest);
        break;
      }
      case Tag::Range: {
        const auto* r = at.as<Range>();
        if (r->count < 0) return false;
        for (std::int64_t i = 0; i < r->count; ++i) {
          Value item;
          if (r->start.is(Tag::Int) && r->step.is(Tag::Int)) {
            item = Value::integer(r->start.i + i * r->step.i);
          } else if (r->start.is(Tag::Double) && r->step.is(Tag::Double)) {
            item = Value::real(r->start.d + static_cast<double>(i) * r->step.d);
          } else {
            return false;
          }
          if (!f(item)) return false;
        }
        return true;
      }
      case Tag::LazySeq: {
        if (!resolve_lazy(nullptr, at, &at)) return false;
        break;
      }
      default:
        return false;
    }
  }
}

}  // namespace chancel
