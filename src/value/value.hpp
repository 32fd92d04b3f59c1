// SPDX-License-Identifier: Apache-2.0
// The value type of programs: 16 bytes, a payload word and a tag. Chosen over NaN-boxing because
// integers keep all 64 bits, numbers are never boxed, and type tests need no memory access
// (measured: 0-17 % slower in the VM, faster in native code). Everything that does not fit in the
// payload is an immutable heap object (see object.hpp). Values are trivially copyable; who holds
// one across an allocation-with-collection must be a root (see heap.hpp).
#pragma once
#include <bit>
#include <cstdint>
#include <type_traits>

#include "base/assert.hpp"
#include "base/symbol.hpp"

namespace chancel {

struct Object;
struct NativeDef;

// Eight bytes wide so that a copied value is two whole words: narrower stores would stall the wide
// loads that follow them.
enum class Tag : std::uint64_t {
  // immediate
  Nil,
  Bool,
  Int,
  Double,
  Char,
  Keyword,
  Symbol,
  Class,  // a type as a value, by its name
  EmptyList,
  Native,
  Node,  // a number that depends on draws, while a program is recorded: its place in the graph
  // heap objects that programs can hold
  String,
  Ratio,
  BigInt,
  Cons,
  Vector,
  VectorSeq,
  Range,
  LazySeq,
  ArrayMap,
  HashMap,
  SortedMap,
  Set,
  SortedSet,
  Closure,
  Query,
  Memo,
  Dist,
  Process,
  Record,
  Atom,
  Delay,
  Exception,
  Foreign,
  Reduced,
  // heap objects that are parts of others or of executions
  VectorNode,
  VectorLeaf,
  MapNode,
  CollisionNode,
  SortedNode,
  Frame,
  World,
  Predicts,
  History,
  ValueArray,
  Row,
  Common,
  Count_
};
inline constexpr Tag kFirstObject = Tag::String;

struct Value {
  union {
    std::int64_t i;
    double d;
    Object* o;
    const Name* name;
    const NativeDef* native;
    std::uint64_t bits;
  };
  Tag tag;

  // Trivial on purpose: arrays of values in frames are not cleared. Use Value::nil().
  Value() = default;

  static Value nil() { return make(Tag::Nil, 0); }
  static Value boolean(bool b) { return make(Tag::Bool, b ? 1 : 0); }
  static Value integer(std::int64_t i) { return make(Tag::Int, static_cast<std::uint64_t>(i)); }
  static Value real(double d) {
    Value v;
    v.d = d;
    v.tag = Tag::Double;
    return v;
  }
  static Value character(std::uint32_t c) { return make(Tag::Char, c); }
  static Value keyword(const Name* n) {
    return make(Tag::Keyword, reinterpret_cast<std::uintptr_t>(n));
  }
  static Value symbol(const Name* n) {
    return make(Tag::Symbol, reinterpret_cast<std::uintptr_t>(n));
  }
  static Value class_value(const Name* n) {
    return make(Tag::Class, reinterpret_cast<std::uintptr_t>(n));
  }
  static Value empty_list() { return make(Tag::EmptyList, 0); }
  static Value native_fn(const NativeDef* n) {
    return make(Tag::Native, reinterpret_cast<std::uintptr_t>(n));
  }
  static Value node(std::uint32_t index) { return make(Tag::Node, index); }
  static Value object(Object* o);  // tag from the object's header (object.hpp)
  static Value make(Tag tag, std::uint64_t bits) {
    Value v;
    v.bits = bits;
    v.tag = tag;
    return v;
  }

  bool is(Tag t) const { return tag == t; }
  bool is_nil() const { return tag == Tag::Nil; }
  bool is_object() const { return tag >= kFirstObject; }
  bool is_number() const {
    return tag == Tag::Int || tag == Tag::Double || tag == Tag::Ratio || tag == Tag::BigInt;
  }
  bool truthy() const { return tag > Tag::Bool || (tag == Tag::Bool && bits != 0); }
  template <class T>
  T* as() const {
    return reinterpret_cast<T*>(o);
  }
};
static_assert(sizeof(Value) == 16 && std::is_trivially_copyable_v<Value>);

}  // namespace chancel
