// SPDX-License-Identifier: Apache-2.0
// Clojure's hasheq for every kind of value, so that hash maps and sets are walked in the same order
// as in Clojure. What is equal only to itself (functions, atoms ...) hashes by what does not change
// when objects move or programs run again. Parts deeper than kDepth levels add a constant of their
// kind: the C++ stack stays small.
#include <algorithm>
#include <cstring>

#include "base/hash.hpp"
#include "value/collections.hpp"
#include "value/dist_object.hpp"
#include "value/equality.hpp"
#include "value/record.hpp"
#include "value/seq_walk.hpp"

namespace chancel {

std::uint32_t (*function_hash_hook)(const Value& function) = nullptr;

namespace {

constexpr int kDepth = 500;

std::uint32_t hash_at(const Value& v, int depth);

std::uint32_t hash_sequence(const Value& v, int depth) {
  std::uint32_t h = 1, count = 0;
  SeqWalk walk(nullptr, v);
  for (;;) {
    if (walk.at().is(Tag::Range) && walk.at().as<Range>()->count < 0) break;  // endless: no further
    if (walk.next() != SeqWalk::Step::Item) break;
    h = 31 * h + hash_at(walk.item(), depth + 1);
    ++count;
  }
  return hash_mix_collection(h, count);
}

std::uint32_t hash_entry(const Value& key, const Value& value, int depth) {
  return hash_mix_collection(31 * (31 + hash_at(key, depth + 2)) + hash_at(value, depth + 2), 2);
}

std::uint32_t hash_unordered(const Value& v, int depth, bool entries) {
  std::uint32_t h = 0, count = 0;
  map_each(v, [&](const Value& key, const Value& value) {
    h += entries ? hash_entry(key, value, depth) : hash_at(key, depth + 1);
    ++count;
  });
  return hash_mix_collection(h, count);
}

std::uint32_t hash_values(std::uint32_t h, const Value* values, std::size_t count, int depth) {
  for (std::size_t i = 0; i < count; ++i) h = hash_combine(h, hash_at(values[i], depth + 1));
  return h;
}

// Java's BigInteger.hashCode, which the hash of a ratio is made of.
std::uint32_t big_integer_hash(std::int64_t n) {
  const std::uint64_t magnitude =
      n < 0 ? 0 - static_cast<std::uint64_t>(n) : static_cast<std::uint64_t>(n);
  const std::uint32_t h =
      31 * static_cast<std::uint32_t>(magnitude >> 32) + static_cast<std::uint32_t>(magnitude);
  return n < 0 ? 0 - h : h;
}

std::uint32_t hash_at(const Value& v, int depth) {
  switch (v.tag) {
    case Tag::Nil:
      return 0;
    case Tag::Bool:
      return v.bits ? 1231 : 1237;
    case Tag::Int:
      return hash_long(v.i);
    case Tag::Double:
      return v.d == 0 ? 0 : hash_double(v.d);  // -0.0 equals 0.0
    case Tag::Char:
      return static_cast<std::uint32_t>(v.bits);
    case Tag::Keyword:
      return v.name->keyword_hash;
    case Tag::Symbol:
      return v.name->symbol_hash;
    case Tag::Native:
      return hash_string(v.native->name);
    case Tag::String:
      return v.as<String>()->hash;
    case Tag::Ratio:
      return big_integer_hash(v.as<Ratio>()->numerator) ^
             big_integer_hash(v.as<Ratio>()->denominator);
    case Tag::EmptyList:
    case Tag::Cons:
    case Tag::Vector:
    case Tag::VectorSeq:
    case Tag::Range:
    case Tag::LazySeq:
      return depth < kDepth ? hash_sequence(v, depth) : 1;
    case Tag::ArrayMap:
    case Tag::HashMap:
    case Tag::SortedMap:
      return depth < kDepth ? hash_unordered(v, depth, true) : 2;
    case Tag::Set:
    case Tag::SortedSet:
      return depth < kDepth ? hash_unordered(v, depth, false) : 3;
    case Tag::Dist: {
      if (depth >= kDepth) return 4;
      const auto* d = v.as<Dist>();
      const std::uint32_t count = std::min(d->type->parameter_count, d->value_count);
      return hash_values(hash_string(d->type->name), d->values, count, depth);
    }
    case Tag::Process: {
      if (depth >= kDepth) return 5;
      const auto* p = v.as<Process>();
      return hash_values(hash_string(p->type->name), p->values, p->value_count, depth);
    }
    case Tag::Record: {
      if (depth >= kDepth) return 6;
      const auto* r = v.as<Record>();
      return hash_values(r->type->name->symbol_hash, r->fields, r->type->fields.size(), depth);
    }
    case Tag::Closure:
    case Tag::Query:
      return function_hash_hook ? function_hash_hook(v) : 7;
    case Tag::Memo:
      return hash_long(static_cast<std::int64_t>(v.as<Memo>()->id));
    case Tag::Atom:
      return hash_long(static_cast<std::int64_t>(v.as<Atom>()->id));
    case Tag::Foreign:
      return hash_long(static_cast<std::int64_t>(v.as<Foreign>()->index));
    default:
      return 8 + static_cast<std::uint32_t>(v.tag);
  }
}

}  // namespace

std::uint32_t hash_object(const Value& v) { return hash_at(v, 0); }

}  // namespace chancel
