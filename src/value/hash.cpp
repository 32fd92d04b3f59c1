// SPDX-License-Identifier: Apache-2.0
// Clojure's hasheq for every kind of value, so that hash maps and sets are walked in the same order
// as in Clojure. What is equal only to itself (functions, atoms ...) hashes by what does not change
// when objects move or programs run again. Parts deeper than kDepth levels add a constant of their
// kind: the C++ stack stays small. Only the first kMostItems elements of a sequence count (a range
// may be too long to hash in full), and what is shared is hashed once at each depth.
#include <algorithm>
#include <cstring>

#include "base/hash.hpp"
#include "value/big_integer.hpp"
#include "value/collections.hpp"
#include "value/dist_object.hpp"
#include "value/equality.hpp"
#include "value/function_def.hpp"
#include "value/record.hpp"
#include "value/seq_walk.hpp"
#include "value/shared_walk.hpp"

namespace chancel {

namespace {

constexpr int kDepth = 500;

constexpr std::uint32_t kMostItems = 1u << 16;

// Where the function stands in the program, and which of its closures it is: not where it lies in memory, so that runs
// can be repeated exactly.
std::uint32_t function_hash(const Value& v) {
  const FunctionDef* const f =
      v.is(Tag::Closure) ? v.as<Closure>()->function : v.as<Query>()->function;
  const std::uint64_t place = (std::uint64_t{f->span.file} << 32) + f->span.begin;
  return hash_long(static_cast<std::int64_t>((place << 16) + v.o->aux));
}

class Hasher {
 public:
  std::uint32_t at(const Value& v, int depth) {
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
      case Tag::Class:
        return v.name->symbol_hash;
      case Tag::Native:
        return hash_string(v.native->name);
      case Tag::String:
        return v.as<String>()->hash;
      case Tag::Ratio:
        return big_integer_hash(v.as<Ratio>()->numerator) ^
               big_integer_hash(v.as<Ratio>()->denominator);
      case Tag::BigInt: {
        const auto small = small_integer(v);
        return small ? hash_long(*small) : big_integer_hash(v);
      }
      case Tag::Closure:
      case Tag::Query:
        return function_hash(v);
      case Tag::Memo:
        return hash_long(static_cast<std::int64_t>(v.as<Memo>()->id));
      case Tag::Atom:
        return hash_long(static_cast<std::int64_t>(v.as<Atom>()->id));
      case Tag::Foreign:
        return hash_long(static_cast<std::int64_t>(v.as<Foreign>()->index));
      default:
        return depth < kDepth && ++steps_ <= kShortWalk ? parts(v, depth)
                                                        : parts_of_long_walk(v, depth);
    }
  }

 private:
  using Known = std::unordered_map<TwoWords, std::uint32_t, TwoWordsHash>;

  std::uint32_t parts_of_long_walk(const Value& v, int depth) {
    if (depth >= kDepth) return is_sequential(v) ? 1 : is_map(v) ? 2 : is_set(v) ? 3 : 4;
    if (!known_) known_ = std::make_unique<Known>();
    const TwoWords place{v.bits, static_cast<std::uint64_t>(depth)};
    if (const auto found = known_->find(place); found != known_->end()) return found->second;
    const std::uint32_t h = parts(v, depth);
    known_->emplace(place, h);
    return h;
  }

  std::uint32_t parts(const Value& v, int depth) {
    switch (v.tag) {
      case Tag::EmptyList:
      case Tag::Cons:
      case Tag::Vector:
      case Tag::VectorSeq:
      case Tag::Range:
      case Tag::LazySeq:
        return sequence(v, depth);
      case Tag::ArrayMap:
      case Tag::HashMap:
      case Tag::SortedMap:
        return unordered(v, depth, true);
      case Tag::Set:
      case Tag::SortedSet:
        return unordered(v, depth, false);
      case Tag::Dist: {
        const auto* d = v.as<Dist>();
        const std::uint32_t count = std::min(d->type->parameter_count, d->value_count);
        return values(hash_string(d->type->name), d->values, count, depth);
      }
      case Tag::Process: {
        const auto* p = v.as<Process>();
        return values(hash_string(p->type->name), p->values, p->value_count, depth);
      }
      case Tag::Record: {
        const auto* r = v.as<Record>();
        return values(r->type->name->symbol_hash, r->fields, r->type->fields.size(), depth);
      }
      default:
        return 8 + static_cast<std::uint32_t>(v.tag);
    }
  }

  std::uint32_t sequence(const Value& v, int depth) {
    std::uint32_t h = 1, count = 0;
    SeqWalk walk(nullptr, v);
    while (count < kMostItems) {
      // Endless: no further.
      if (walk.at().is(Tag::Range) && walk.at().as<Range>()->count < 0) break;
      if (walk.next() != SeqWalk::Step::Item) break;
      h = 31 * h + at(walk.item(), depth + 1);
      ++count;
    }
    return hash_mix_collection(h, count);
  }

  std::uint32_t entry(const Value& key, const Value& value, int depth) {
    return hash_mix_collection(31 * (31 + at(key, depth + 2)) + at(value, depth + 2), 2);
  }

  std::uint32_t unordered(const Value& v, int depth, bool entries) {
    std::uint32_t h = 0, count = 0;
    map_each(v, [&](const Value& key, const Value& value) {
      h += entries ? entry(key, value, depth) : at(key, depth + 1);
      ++count;
    });
    return hash_mix_collection(h, count);
  }

  std::uint32_t values(std::uint32_t h, const Value* items, std::size_t count, int depth) {
    for (std::size_t i = 0; i < count; ++i) h = hash_combine(h, at(items[i], depth + 1));
    return h;
  }

  std::uint32_t steps_ = 0;
  std::unique_ptr<Known> known_;
};

}  // namespace

std::uint32_t hash_object(const Value& v) { return Hasher().at(v, 0); }

}  // namespace chancel
