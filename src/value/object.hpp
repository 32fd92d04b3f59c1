// SPDX-License-Identifier: Apache-2.0
// The layouts of heap objects. All are immutable once built (LazySeq and Delay outside queries are
// the exception: they remember their value, see heap.hpp on remembered objects). Objects are 8-byte
// aligned, start with one header word, and are at least 16 bytes, so that a forwarding pointer fits
// after the header while the heap is evacuated. Use the builders in string.hpp, list.hpp,
// vector.hpp, map.hpp ...; this header is for them and for the VM.
#pragma once
#include <cstddef>
#include <cstdint>

#include "value/value.hpp"

namespace chancel {

struct Object {
  Tag tag : 8;
  std::uint8_t flags;  // kForwarded ...
  std::uint16_t aux;   // free for the type
  // Size in 8-byte words, header included. Cons: the count of the list instead.
  std::uint32_t words;
};
static_assert(sizeof(Object) == 8);
inline constexpr std::uint8_t kForwarded = 1;  // during a collection: it has been copied
inline constexpr std::uint8_t kRemembered = 2;
inline constexpr std::uint8_t kBeingCopied = 16;  // by one of several threads

struct Forward : Object {
  Object* to;
};

inline Value Value::object(Object* o) {
  Value v;
  v.o = o;
  v.tag = o->tag;
  return v;
}

struct String : Object {
  std::uint32_t length;  // bytes of UTF-8
  std::uint32_t hash;    // Clojure's hasheq
  char text[8];          // `length` bytes
};

struct Ratio : Object {  // lowest terms; an integer of 64 bits, or a BigInt where it does not fit
  Value numerator;
  Value denominator;  // > 1
};

// An integer of any size (big_integer.hpp): Clojure's BigInt, or Java's BigInteger, which differ in
// how they print (aux). It may be small: 5N is not 5, but equal to it.
struct BigInt : Object {
  static constexpr std::uint16_t kJava = 1;  // aux
  std::int64_t sign;                         // -1, 0 or 1
  std::uint64_t digits[1];  // base 2^64, the lowest first, the highest not 0; 0 has one digit
};

// A list cell. `words` holds the number of elements if it is known (rest is nil or a counted list),
// else kUncounted.
struct Cons : Object {
  Value first;
  Object* rest;  // a seq object (Cons, VectorSeq, Range, LazySeq), or null for the end
};
inline constexpr std::uint32_t kUncounted = 0xffffffffu;
inline constexpr std::uint32_t kConsWords = sizeof(Cons) / 8;

// A trie with the tail inside the object: one allocation for a conj. Elements [0, tail_offset) are
// under root. The width decides what a conj copies: programs conj once for every step of every
// particle, so it is small. How elements lie in tail and leaves is in aux (value/packing.hpp).
inline constexpr std::uint32_t kVectorBits = 3;
inline constexpr std::uint32_t kVectorWidth = 1u << kVectorBits;
struct Vector : Object {
  std::uint32_t count;
  std::uint32_t shift;  // kVectorBits for one level of leaves under root
  Object* root;         // VectorNode or null while count <= kVectorWidth
  Value tail[1];  // count - tail_offset() elements (at least one unless empty), and no more room
  std::uint32_t tail_offset() const {
    return count < kVectorWidth ? 0 : (count - 1) & ~(kVectorWidth - 1);
  }
};
struct VectorNode
    : Object {  // children[n], n from words; grandchildren are VectorNode or VectorLeaf
  Object* children[1];
};
struct VectorLeaf : Object {  // always full
  Value elements[kVectorWidth];
};

struct VectorSeq : Object {  // the elements of a vector from `index` on (never empty)
  Vector* vector;
  std::uint64_t index;
};

struct Range : Object {  // never empty; integers or doubles
  Value start;
  Value step;
  std::int64_t count;  // elements left; -1 = infinite
};

// A sequence that is evaluated when needed. While it waits, `value` is a function of no arguments
// (or a Foreign generator), afterwards the realised seq (nil, list, ...). Inside queries the object
// is never changed: the realised value is kept in the execution's world under `id`.
struct LazySeq : Object {
  static constexpr std::uint64_t kWaiting = 0;
  static constexpr std::uint64_t kRealised = 1;
  // Waits, was made outside queries, and draws random numbers: no execution may work it out for
  // itself.
  static constexpr std::uint64_t kDraws = 2;
  // Waits; a run has tried it, and found that it has no end, takes too long or fails.
  static constexpr std::uint64_t kTried = 3;
  std::uint64_t state;
  std::uint64_t id;  // inside queries its value is in the execution's world under this
  Value value;       // thunk or realised seq
};
struct Delay : Object {  // same layout and rules
  std::uint64_t state;
  std::uint64_t id;
  Value value;
};

inline constexpr std::uint64_t kArrayMapLimit = 8;  // entries; more are a HashMap
struct ArrayMap : Object {                          // in insertion order
  std::uint64_t count;
  Value entries[2];  // key value key value ...
};
struct HashMap : Object {
  std::uint64_t count;
  Object* root;  // MapNode / CollisionNode or null when empty
};
// Bitmap-indexed node. Slot order is the order of the set bits, as in Clojure, so that iteration
// order agrees with it. An entry slot holds key and value; a child slot holds Value{child node} as
// key with a VectorNode-free tag MapNode or CollisionNode, and nil as value.
struct MapNode : Object {
  std::uint64_t bitmap;
  Value slots[2];
};
struct CollisionNode : Object {
  std::uint64_t hash;
  Value slots[2];  // key value ...; count from words
};
struct SortedMap : Object {
  std::uint64_t count;
  Object* root;      // SortedNode or null
  Value comparator;  // nil = compare; a Native or function otherwise
};
struct SortedNode : Object {  // weight-balanced tree node
  std::uint64_t size;
  Object* left;
  Object* right;
  Value key;
  Value value;
};
struct Set
    : Object {  // Set: map is a HashMap; SortedSet: map is a SortedMap (keys map to themselves)
  Object* map;
};

struct FunctionDef;  // value/function_def.hpp
struct Closure : Object {
  const FunctionDef* function;  // its code (bytecode/code.hpp)
  Value captured[1];            // as many values as the code says
};
struct Query : Object {  // a query value: body is a closure that takes the query's parameters
  const FunctionDef* function;
  Value body;
};
struct Memo : Object {  // (mem f): results live in the execution's world under `id`
  std::uint64_t id;
  Value function;
};

struct DistType;  // value/dist_object.hpp
// A distribution: parameters as given (for printing and fields), further values, then cached
// numbers.
struct Dist : Object {
  const DistType* type;
  std::uint32_t value_count;
  std::uint32_t number_count;
  Value values[1];  // value_count values, then number_count doubles
  const double* numbers() const { return reinterpret_cast<const double*>(values + value_count); }
  double* numbers() { return reinterpret_cast<double*>(values + value_count); }
};
struct ProcessType;
struct Process : Object {  // exchangeable and other random processes; same layout as Dist
  const ProcessType* type;
  std::uint32_t value_count;
  std::uint32_t number_count;
  Value values[1];
  const double* numbers() const { return reinterpret_cast<const double*>(values + value_count); }
  double* numbers() { return reinterpret_cast<double*>(values + value_count); }
};

struct RecordType;        // value/record.hpp
struct Record : Object {  // instances of defdist, defproc, defrecord
  const RecordType* type;
  Value fields[1];
};

struct Atom : Object {  // its state lives in the execution's world under `id`
  std::uint64_t id;
  Value initial;
};
struct Exception : Object {  // what `throw` throws and `catch` binds
  static constexpr std::uint64_t kThrown = ~std::uint64_t{0};
  std::uint64_t code;         // diag Code of a failure, or kThrown
  const Name* type;           // its class (value/classes.hpp)
  std::uint32_t file, begin;  // of a failure: where (a Span)
  std::uint32_t end, unused;
  Value message;
  Value data;
  Value cause;  // an exception or nil
};
struct Foreign
    : Object {  // a handle to something owned by the host side, by index (doquery streams)
  std::uint64_t kind;
  std::uint64_t index;
};
struct Reduced : Object {
  Value value;
};
struct ValueArray : Object {  // scratch storage: n values
  std::uint64_t count;
  Value values[1];
};

// Bytes of an object type that ends in an array of `count` values (declared with one).
template <class T>
constexpr std::size_t bytes_with(std::size_t count) {
  return sizeof(T) - sizeof(Value) + count * sizeof(Value);
}

// Size in bytes of an object, header included.
inline std::size_t size_of(const Object* o) {
  return std::size_t{8} * (o->tag == Tag::Cons ? kConsWords : o->words);
}

}  // namespace chancel
