// SPDX-License-Identifier: Apache-2.0
// with-meta and meta: see value/metadata.hpp.
#include "value/metadata.hpp"
#include "library/arguments.hpp"
#include "library/registry.hpp"

namespace chancel {
namespace {

Value with_meta_native(NativeContext& cx, const Value* a, std::uint32_t) {
  if (!carries_meta(a[0])) return cx.wrong_type("with-meta", 0, "a collection or a function", a[0]);
  if (!a[1].is_nil() && !is_map(a[1])) return cx.wrong_type("with-meta", 1, "a map", a[1]);
  if (!a[0].is(Tag::LazySeq)) return with_meta(*cx.arena, a[0], a[1]);
  // Its own copy of a lazy sequence would be worked out a second time: the realised one is taken.
  const Value realised = seq(cx, a[0]);
  if (!cx.ok()) return Value::nil();
  return with_meta(*cx.arena, realised.is_nil() ? Value::empty_list() : realised, a[1]);
}
Value meta_native(NativeContext&, const Value* a, std::uint32_t) { return meta_of(a[0]); }

constexpr NativeDef kNatives[] = {
    {"with-meta", 2, 2, with_meta_native, kPure, "[x map]",
     "The same collection or function with the map as its metadata."},
    {"meta", 1, 1, meta_native, kPure, "[x]",
     "The metadata of a collection or function, or nil. It takes no part in equality."},
};

}  // namespace

std::span<const NativeDef> metadata_natives() { return kNatives; }

}  // namespace chancel
