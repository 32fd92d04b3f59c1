// SPDX-License-Identifier: Apache-2.0
// Keywords, symbols, characters, the names of types, and tags of distributions.
#include <fmt/format.h>

#include <mutex>

#include "base/text.hpp"
#include "library/arguments.hpp"
#include "library/registry.hpp"
#include "value/classes.hpp"
#include "value/copy_object.hpp"
#include "value/dist_object.hpp"
#include "value/metadata.hpp"

namespace chancel {
namespace {

// A name that the program makes as it runs. Names stay, so it pays for them.
const Name* made_name(NativeContext& cx, std::string_view full) {
  std::size_t grown = 0;
  const Name* name = intern(full, grown);
  if (grown > 0) cx.arena->heap().charge(grown);
  return name;
}

// The Name that a string, keyword or symbol (or namespace and base) spells; null after a failure.
const Name* spelled(NativeContext& cx, const char* function, const Value* a, std::uint32_t n) {
  if (n == 2) {
    std::string_view ns;
    std::string_view base;
    if (a[0].is_nil()) return spelled(cx, function, a + 1, 1);
    if (!read_string(cx, function, a, 0, &ns) || !read_string(cx, function, a, 1, &base))
      return nullptr;
    return made_name(cx, fmt::format("{}{}{}", ns, ns.empty() ? "" : "/", base));
  }
  if (a[0].is(Tag::Keyword) || a[0].is(Tag::Symbol)) return a[0].name;
  if (a[0].is(Tag::String)) return made_name(cx, string_view_of(a[0]));
  cx.wrong_type(function, 0, "a string, keyword or symbol", a[0]);
  return nullptr;
}
Value keyword_native(NativeContext& cx, const Value* a, std::uint32_t n) {
  if (n == 1 && !a[0].is(Tag::Keyword) && !a[0].is(Tag::Symbol) && !a[0].is(Tag::String))
    return Value::nil();
  const Name* name = spelled(cx, "keyword", a, n);
  return name ? Value::keyword(name) : Value::nil();
}
Value symbol_native(NativeContext& cx, const Value* a, std::uint32_t n) {
  const Name* name = spelled(cx, "symbol", a, n);
  return name ? Value::symbol(name) : Value::nil();
}
Value name_native(NativeContext& cx, const Value* a, std::uint32_t) {
  if (a[0].is(Tag::String)) return a[0];
  if (a[0].is(Tag::Keyword) || a[0].is(Tag::Symbol)) return make_string(*cx.arena, a[0].name->base);
  return cx.wrong_type("name", 0, "a string, keyword or symbol", a[0]);
}
Value namespace_native(NativeContext& cx, const Value* a, std::uint32_t) {
  if (!a[0].is(Tag::Keyword) && !a[0].is(Tag::Symbol))
    return cx.wrong_type("namespace", 0, "a keyword or symbol", a[0]);
  return a[0].name->ns.empty() ? Value::nil() : make_string(*cx.arena, a[0].name->ns);
}
Value char_native(NativeContext& cx, const Value* a, std::uint32_t) {
  if (a[0].is(Tag::Char)) return a[0];
  std::int64_t code = 0;
  if (!read_integer(cx, "char", a, 0, &code)) return Value::nil();
  if (code < 0 || code > 0x10ffff)
    return cx.fail(Code::R009, fmt::format("char: {} is not the code of a character", code), 0);
  return Value::character(static_cast<std::uint32_t>(code));
}

Value class_native(NativeContext&, const Value* a, std::uint32_t) {
  const Name* type = class_of(a[0]);
  return type ? Value::class_value(type) : Value::nil();
}
Value type_native(NativeContext& cx, const Value* a, std::uint32_t n) {
  const Value meta = meta_of(a[0]);
  const Value* given = is_map(meta) ? map_find(meta, keyword_of("type")) : nullptr;
  return given ? *given : class_native(cx, a, n);
}
Value is_class(NativeContext&, const Value* a, std::uint32_t) {
  return Value::boolean(a[0].is(Tag::Class));
}
const Name* read_class(NativeContext& cx, const char* function, const Value* a, int index) {
  if (a[index].is(Tag::Class)) return a[index].name;
  cx.wrong_type(function, index, "a class", a[index]);
  return nullptr;
}
// (%instance? class x): x may be nil, which is of no class.
Value instance_native(NativeContext& cx, const Value* a, std::uint32_t) {
  const Name* type = read_class(cx, "instance?", a, 0);
  const Name* own = class_of(a[1]);
  return type ? Value::boolean(own && is_subclass(own, type)) : Value::nil();
}
Value subclass_native(NativeContext&, const Value* a, std::uint32_t) {
  return Value::boolean(a[0].is(Tag::Class) && a[1].is(Tag::Class) &&
                        is_subclass(a[0].name, a[1].name));
}
Value set_of_classes(NativeContext& cx, const std::vector<const Name*>& types) {
  if (types.empty()) return Value::nil();
  Value set = empty_set(*cx.arena);
  for (const Name* type : types) set = set_conj(*cx.arena, set, Value::class_value(type));
  return set;
}
Value parents_native(NativeContext& cx, const Value* a, std::uint32_t) {
  const Name* type = read_class(cx, "parents", a, 0);
  return type ? set_of_classes(cx, parents_of(type)) : Value::nil();
}
Value supers_native(NativeContext& cx, const Value* a, std::uint32_t) {
  const Name* type = read_class(cx, "supers", a, 0);
  return type ? set_of_classes(cx, ancestors_of(type)) : Value::nil();
}
Value class_name(NativeContext& cx, const Value* a, std::uint32_t) {
  const Name* type = read_class(cx, ".getName", a, 0);
  return type ? make_string(*cx.arena, type->full) : Value::nil();
}
Value simple_class_name(NativeContext& cx, const Value* a, std::uint32_t) {
  const Name* type = read_class(cx, ".getSimpleName", a, 0);
  if (!type) return Value::nil();
  return make_string(*cx.arena,
                     std::string_view(type->full).substr(type->full.find_last_of(".$") + 1));
}

// --- tags of distributions: the place in a table of names, kept in the object's header ---
std::mutex tags_mutex;
std::vector<Value>& tags() {
  static std::vector<Value> table{Value::nil()};
  return table;
}
Value tag_native(NativeContext& cx, const Value* a, std::uint32_t) {
  if (!a[0].is(Tag::Keyword) && !a[0].is(Tag::Symbol))
    return cx.wrong_type("tag", 0, "a keyword or symbol", a[0]);
  if (!a[1].is(Tag::Dist)) return a[1];
  std::size_t index = 0;
  {
    const std::lock_guard lock(tags_mutex);
    std::vector<Value>& table = tags();
    while (index < table.size() &&
           !(table[index].tag == a[0].tag && table[index].name == a[0].name))
      ++index;
    if (index > 0xffff) return cx.fail(Code::R009, "tag: there are too many different tags", 0);
    if (index == table.size()) table.push_back(a[0]);
  }
  Object* const copy = copy_object(*cx.arena, a[1].o);
  copy->aux = static_cast<std::uint16_t>(index);
  return Value::object(copy);
}
Value tag_of(NativeContext&, const Value* a, std::uint32_t) {
  if (!a[0].is(Tag::Dist)) return Value::nil();
  const std::lock_guard lock(tags_mutex);
  return tags()[a[0].as<Dist>()->aux];
}

constexpr NativeDef kNamesNatives[] = {
    {"tag", 2, 2, tag_native, 0, "[id dist]", "The distribution with a tag that get-tag reads."},
    {"get-tag", 1, 1, tag_of, 0, "[dist]", "The tag of a distribution, or nil."},
    {"keyword", 1, 2, keyword_native, kPure, "[name] [ns name]", "The keyword with this name."},
    {"symbol", 1, 2, symbol_native, kPure, "[name] [ns name]", "The symbol with this name."},
    {"name", 1, 1, name_native, kPure, "[x]",
     "The name of a keyword or symbol, without its namespace, as a string."},
    {"namespace", 1, 1, namespace_native, kPure, "[x]",
     "The namespace of a keyword or symbol as a string, or nil."},
    {"char", 1, 1, char_native, kPure, "[code]", "The character with this code."},
    {"type", 1, 1, type_native, kPure, "[x]", "The :type of x's metadata, or its class."},
    {"class", 1, 1, class_native, kPure, "[x]",
     "The class of x by its name in Java, Clojure or Anglican; nil for nil."},
    {"class?", 1, 1, is_class, kPure, "[x]", "True when x is a class."},
    {"%instance?", 2, 2, instance_native, kPure, "[class x]", "True when x is of the class."},
    {"%subclass?", 2, 2, subclass_native, kPure, "[class of]", "True when one class is another."},
    {"%class-parents", 1, 1, parents_native, kPure, "[class]", "The direct parents of a class."},
    {"supers", 1, 1, supers_native, kPure, "[class]",
     "All classes and interfaces above a class, or nil."},
    {"%class-name", 1, 1, class_name, kPure, "[class]", "The name of a class."},
    {"%simple-class-name", 1, 1, simple_class_name, kPure, "[class]",
     "The last part of the name of a class."},
};

}  // namespace

std::span<const NativeDef> name_natives() { return kNamesNatives; }

}  // namespace chancel
