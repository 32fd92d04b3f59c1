// SPDX-License-Identifier: Apache-2.0
// Metadata: a map beside a collection or function that says something about it and takes no part in
// equality, hashing or printing. It is an additional last value in the object, marked by a flag, so
// that objects without metadata need no room for it. A list with metadata is a realised lazy
// sequence around the list: list cells have no room for it. Symbols, keywords and natives are not
// objects, and have none.
#pragma once
#include "value/heap.hpp"
#include "value/object.hpp"

namespace chancel {

inline constexpr std::uint8_t kHasMeta = 4;  // of Object::flags

inline bool has_meta(const Value& v) { return v.is_object() && (v.o->flags & kHasMeta) != 0; }

// Where the metadata of an object with the flag is.
inline Value* meta_slot(Object* o) {
  return reinterpret_cast<Value*>(reinterpret_cast<char*>(o) + size_of(o)) - 1;
}

// nil when there is none.
inline Value meta_of(const Value& v) { return has_meta(v) ? *meta_slot(v.o) : Value::nil(); }

// Can a value of this kind have metadata?
bool carries_meta(const Value& v);

// The same value with this metadata (nil: without any). A lazy sequence must have been realised;
// what carries none is given back as it is.
Value with_meta(Arena& arena, const Value& v, const Value& meta);

}  // namespace chancel
