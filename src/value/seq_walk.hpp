// SPDX-License-Identifier: Apache-2.0
// The one way along a sequence inside this room, without building anything: used by equality, hash,
// printing, count and SeqCursor. Walks nil, lists, vectors, ranges, strings and the realised part
// of lazy sequences; maps and sets are not sequences here (SeqCursor lays them out as vectors
// first).
#pragma once
#include <cstdint>

#include "value/collections.hpp"

namespace chancel {

class SeqWalk {
 public:
  enum class Step : std::uint8_t { Item, End, Blocked };
  // cx may be null: then cells that were realised in a world only count as not realised.
  SeqWalk(NativeContext* cx, const Value& from) : cx_(cx), at_(from) {}
  Step next() {
    if (cx_) cx_->tick();
    return advance(cx_, at_, index_, item_);
  }
  const Value& item() const { return item_; }
  // Where the walk stands; after Blocked this is the LazySeq that has to be realised.
  const Value& at() const { return at_; }
  // How many elements of at() have been passed.
  std::uint64_t index() const { return index_; }
  // How many elements are left if that is known without walking, else -1.
  std::int64_t left() const;

  // `index` counts from 0 within `at`; `item` must be kept between calls (ranges of doubles add
  // up).
  static Step advance(NativeContext* cx, Value& at, std::uint64_t& index, Value& item);

 private:
  NativeContext* cx_;
  Value at_;
  Value item_ = Value::nil();
  std::uint64_t index_ = 0;
};

// The number of elements of a seq, list or vector if it is known without walking and finite, else
// -1.
std::int64_t known_count(const Value& v);
// Follows realised lazy sequences: gives something that is not a LazySeq, or false and the one that
// is not realised.
bool resolve_lazy(NativeContext* cx, const Value& v, Value* out);
// The vector's elements from `index` on as a seq; () when there are none.
Value make_vector_seq(Arena& arena, const Value& vector, std::uint64_t index);
// All entries of a map or record as a vector of two-element vectors; all items of a set as a
// vector.
Value entries_vector(Arena& arena, const Value& coll);
// The first entry of a map or item of a set in iteration order (key and item again for sets); false
// when empty.
bool first_entry(const Value& coll, Value* key, Value* value);

}  // namespace chancel
