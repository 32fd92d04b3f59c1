// SPDX-License-Identifier: Apache-2.0
// How the elements of a leaf, or of a vector's tail, lie in memory (Object::aux). Values take 16 bytes each;
// numbers of one kind need no tags, and small integers (states, labels, counts: what particles remember of their
// past) a byte. What is read back is the value that was stored, bit for bit.
#pragma once
#include "value/object.hpp"

namespace chancel {

enum class Packing : std::uint16_t {
  Values,
  Bytes,  // integers from -128 to 127: a word for up to eight of them, the first in its lowest byte
  Ints,   // other integers
  Doubles,
};
inline Packing packing_of(const Object* o) { return static_cast<Packing>(o->aux); }

// Bytes that `count` elements take.
inline std::size_t packed_size(Packing p, std::uint32_t count) {
  if (p == Packing::Values) return count * sizeof(Value);
  return p == Packing::Bytes ? (count ? 8 : 0) : std::size_t{8} * count;
}

inline bool fits_byte(std::int64_t i) { return i == static_cast<std::int8_t>(i); }

// The tightest packing that holds the value.
inline Packing packing_for(const Value& v) {
  if (v.tag == Tag::Int) return fits_byte(v.i) ? Packing::Bytes : Packing::Ints;
  return v.tag == Tag::Double ? Packing::Doubles : Packing::Values;
}
// One that holds what either holds.
inline Packing packing_for_both(Packing a, Packing b) {
  if (a == b) return a;
  const auto integers = [](Packing p) { return p == Packing::Bytes || p == Packing::Ints; };
  return integers(a) && integers(b) ? Packing::Ints : Packing::Values;
}

inline Value unpacked(Packing p, const void* elements, std::uint32_t i) {
  switch (p) {
    case Packing::Bytes:
      return Value::integer(static_cast<const std::int8_t*>(elements)[i]);
    case Packing::Ints:
      return Value::integer(static_cast<const std::int64_t*>(elements)[i]);
    case Packing::Doubles:
      return Value::real(static_cast<const double*>(elements)[i]);
    default:
      return static_cast<const Value*>(elements)[i];
  }
}

// The packing must hold the value.
inline void pack(Packing p, void* elements, std::uint32_t i, const Value& v) {
  switch (p) {
    case Packing::Bytes:
      static_cast<std::int8_t*>(elements)[i] = static_cast<std::int8_t>(v.i);
      return;
    case Packing::Ints:
      static_cast<std::int64_t*>(elements)[i] = v.i;
      return;
    case Packing::Doubles:
      static_cast<double*>(elements)[i] = v.d;
      return;
    default:
      static_cast<Value*>(elements)[i] = v;
  }
}

}  // namespace chancel
