// SPDX-License-Identifier: Apache-2.0
// with-meta and meta: see value/metadata.hpp.
#include "value/metadata.hpp"
#include "library/arguments.hpp"
#include "library/registry.hpp"
#include "value/function_def.hpp"
#include "vm/run_state.hpp"

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
// The form that a query was written as: (query name [parameters] body ...).
Value query_source(NativeContext& cx, const Value& query) {
  const std::string& text = query.as<Query>()->function->source;
  if (text.empty() || !cx.run || !cx.run->host->read_form) return Value::nil();
  const Value form = cx.run->host->read_form(cx, text);
  std::vector<Value> items;
  if (!cx.ok() || !read_items(cx, "meta", &form, 0, &items) || items.empty()) return Value::nil();
  if (items[0].is(Tag::Symbol) && items[0].name->base == "defquery") {
    if (items.size() > 3 && items[2].is(Tag::String)) items.erase(items.begin() + 2);
    items[0] = Value::symbol(intern("query"));
  }
  return list_of(cx, items);
}
Value meta_native(NativeContext& cx, const Value* a, std::uint32_t) {
  if (!a[0].is(Tag::Query)) return meta_of(a[0]);
  const Value source = query_source(cx, a[0]);
  if (source.is_nil()) return source;
  return map_assoc(*cx.arena, empty_map(*cx.arena), keyword_of("source"), source);
}

constexpr NativeDef kMetadataNatives[] = {
    {"with-meta", 2, 2, with_meta_native, kPure, "[x map]",
     "The same collection or function with the map as its metadata."},
    {"meta", 1, 1, meta_native, kPure, "[x]",
     "The metadata of a collection or function, or nil (it takes no part in equality); of a query, "
     "its "
     ":source."},
};

}  // namespace

std::span<const NativeDef> metadata_natives() { return kMetadataNatives; }

}  // namespace chancel
