// SPDX-License-Identifier: Apache-2.0
// Persistent collections and strings: builders and readers. Each family is implemented in its own
// file (string.cpp, list.cpp, vector.cpp, map.cpp, sorted_map.cpp, set.cpp, seq.cpp). Functions
// that build take the Arena to build in. What walks a sequence stops at a LazySeq that is not
// realised and asks for it through cx.need.
#pragma once
#include <initializer_list>
#include <string>
#include <string_view>

#include "value/heap.hpp"
#include "value/native.hpp"
#include "value/object.hpp"
#include "value/packing.hpp"

namespace chancel {

// --- strings ---
Value make_string(Arena& arena, std::string_view text);
inline std::string_view string_view_of(const Value& s) {
  auto* o = s.as<String>();
  return {o->text, o->length};
}

// --- lists ---
// rest: nil, EmptyList or any seq object (Cons, VectorSeq, Range, LazySeq).
Value cons(Arena& arena, const Value& first, const Value& rest);
Value make_list(Arena& arena, const Value* items, std::size_t count);
// The elements of a reversed cons list (as built by eager map) in order, as one vector-backed list.
Value reverse_to_list(Arena& arena, const Value& reversed);

// --- vectors ---
Value empty_vector(Arena& arena);
Value make_vector(Arena& arena, const Value* items, std::size_t count);
Value vector_conj(Arena& arena, const Value& vector, const Value& item);
Value vector_pop(Arena& arena, const Value& vector);  // not empty
Value vector_assoc(Arena& arena, const Value& vector, std::uint32_t index,
                   const Value& item);  // index <= count
Value subvec(Arena& arena, const Value& vector, std::uint32_t start, std::uint32_t end);
// The leaf or tail that element `index`, the first of it, is in.
struct VectorPart {
  Packing packing;
  const void* elements;
};
VectorPart vector_part(const Vector* v, std::uint32_t index);
Value vector_nth_deep(const Vector* v, std::uint32_t index);
inline Value vector_nth(const Vector* v, std::uint32_t index) {  // index < count
  const std::uint32_t offset = v->root ? v->tail_offset() : 0;
  return index >= offset ? unpacked(packing_of(v), v->tail, index - offset)
                         : vector_nth_deep(v, index);
}

// --- maps (ArrayMap, HashMap, SortedMap) and sets (Set, SortedSet) ---
bool is_map(const Value& v);
bool is_set(const Value& v);
Value empty_map(Arena& arena);       // {} : an ArrayMap, becomes a HashMap above 8 entries
Value empty_hash_map(Arena& arena);  // what (hash-map) gives
Value empty_set(Arena& arena);
std::uint64_t map_count(const Value& map);
// Pointer to the value under the key, or null. Keys are compared with Clojure's =, in a SortedMap
// with its comparator. A comparator of the program cannot be called here: then map_find looks at
// every key with =, and the prelude does better.
const Value* map_find(const Value& map, const Value& key);
Value map_assoc(Arena& arena, const Value& map, const Value& key, const Value& value);
Value map_dissoc(Arena& arena, const Value& map, const Value& key);
bool set_contains(const Value& set, const Value& item);
Value set_conj(Arena& arena, const Value& set, const Value& item);
Value set_disj(Arena& arena, const Value& set, const Value& item);
std::uint64_t set_count(const Value& set);
// Calls f(key, value) for each entry in iteration order; for sets value is the item again. Records:
// fields as keywords.
template <class F>
void map_each(const Value& map, F&& f);
void map_each_erased(const Value& map, void* context, void (*f)(void*, const Value&, const Value&));
template <class F>
void map_each(const Value& map, F&& f) {
  map_each_erased(map, &f,
                  [](void* c, const Value& k, const Value& v) { (*static_cast<F*>(c))(k, v); });
}
Value empty_sorted_map(Arena& arena, const Value& comparator);
Value empty_sorted_set(Arena& arena, const Value& comparator);
// The entry at a position (0 .. count-1) of a sorted map or set; for sets the value is the item.
// O(log n).
void sorted_at(const Value& sorted, std::uint64_t position, Value* key, Value* value);

// --- sequences ---
// Iterates over anything seqable: nil, lists, vectors, maps (entries as two-element vectors), sets,
// strings, ranges, lazy seqs. The context is not ok afterwards when a LazySeq has to be realised
// first, or when coll is not seqable:
//
//   for (SeqCursor it(cx, coll, "first", 0); it.next();) use(it.item());
//   if (!cx.ok()) return Value::nil();
//
class SeqCursor {
 public:
  // `function` and `argument` are for the message when coll is not seqable.
  SeqCursor(NativeContext& cx, const Value& coll, const char* function, int argument,
            bool whole = true);
  bool next() {
    if (at_.is(Tag::Vector)) {
      const auto* v = at_.as<Vector>();
      if (index_ >= v->count) return false;
      item_ = vector_nth(v, static_cast<std::uint32_t>(index_++));
      return true;
    }
    return next_elsewhere();
  }
  const Value& item() const { return item_; }

 private:
  bool next_elsewhere();
  NativeContext& cx_;
  Value at_;  // where the next item comes from
  Value item_;
  std::uint64_t index_ = 0;
  bool whole_;
};
bool is_endless(const Value& v);  // a range without an end
bool is_seqable(const Value& v);
bool is_sequential(const Value& v);  // list, vector, seq: equal to each other element by element
bool is_seq(const Value& v);         // Cons, VectorSeq, Range, LazySeq, EmptyList
// (seq coll), (first coll), (rest coll), (next coll), (count coll): may call cx.need / cx.fail.
Value seq(NativeContext& cx, const Value& coll);
Value first(NativeContext& cx, const Value& coll);
Value rest(NativeContext& cx, const Value& coll);
Value next(NativeContext& cx, const Value& coll);
std::int64_t count(NativeContext& cx, const Value& coll);  // check cx.ok()
Value make_range(NativeContext& cx, const Value& start, const Value& end,
                 const Value& step);  // numbers; end nil = endless; () when empty
// A realised LazySeq: what it holds (never a LazySeq); else false, and *out is the LazySeq that has
// to be realised (a realised one may hold another). Looks into the execution's world inside
// queries.
bool lazy_value(NativeContext& cx, const LazySeq* lazy, Value* out);

}  // namespace chancel
