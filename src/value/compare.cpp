// SPDX-License-Identifier: Apache-2.0
// Clojure's compare, with Java's numbers: texts give the difference of the first characters that
// differ, or of the lengths. Vectors inside vectors are kept on a stack of our own, so that any
// nesting works.
#include <string_view>
#include <vector>

#include "base/utf8.hpp"
#include "value/collections.hpp"
#include "value/equality.hpp"
#include "value/number.hpp"
#include "value/shared_walk.hpp"

namespace chancel {

namespace {

int compare_text(std::string_view a, std::string_view b) {
  std::size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    const DecodedChar c = decode_utf8(a, i), d = decode_utf8(b, j);
    if (c.code_point != d.code_point)
      return static_cast<int>(c.code_point) - static_cast<int>(d.code_point);
    i += c.length;
    j += d.length;
  }
  return static_cast<int>(utf8_length(a.substr(i))) - static_cast<int>(utf8_length(b.substr(j)));
}

int compare_names(const Name* a, const Name* b) {
  if (a == b) return 0;
  if (a->ns.empty() != b->ns.empty()) return a->ns.empty() ? -1 : 1;
  if (const int c = compare_text(a->ns, b->ns)) return c;
  return compare_text(a->base, b->base);
}

// Everything except two vectors.
std::optional<int> compare_flat(const Value& a, const Value& b) {
  if (a.is_nil() || b.is_nil()) return a.is_nil() ? (b.is_nil() ? 0 : -1) : 1;
  if (a.is_number() && b.is_number()) {
    const int c = compare_numbers(a, b);
    return c == 2 ? 0 : c;
  }
  if (a.tag != b.tag) return std::nullopt;
  switch (a.tag) {
    case Tag::Bool:
      return static_cast<int>(a.bits) - static_cast<int>(b.bits);
    case Tag::Char:
      return static_cast<int>(a.bits) - static_cast<int>(b.bits);
    case Tag::Keyword:
    case Tag::Symbol:
      return compare_names(a.name, b.name);
    case Tag::String:
      return compare_text(string_view_of(a), string_view_of(b));
    default:
      return std::nullopt;
  }
}

}  // namespace

std::optional<int> compare(const Value& a, const Value& b) {
  if (!(a.is(Tag::Vector) && b.is(Tag::Vector))) return compare_flat(a, b);
  struct Pair {
    const Vector* a;
    const Vector* b;
    std::uint32_t index;
  };
  std::vector<Pair> open;
  VisitedPlaces visited;  // all so far were equal, so a pair that was met needs no second look
  const auto enter = [&](const Vector* x, const Vector* y) {
    if (x->count != y->count) return x->count < y->count ? -1 : 1;
    if (x != y && !visited.again(x, y)) open.push_back({x, y, 0});
    return 0;
  };
  if (const int c = enter(a.as<Vector>(), b.as<Vector>())) return c;
  while (!open.empty()) {
    Pair& pair = open.back();
    if (pair.index == pair.a->count) {
      open.pop_back();
      continue;
    }
    const Value& x = vector_nth(pair.a, pair.index);
    const Value& y = vector_nth(pair.b, pair.index);
    ++pair.index;
    if (x.is(Tag::Vector) && y.is(Tag::Vector)) {
      if (const int c = enter(x.as<Vector>(), y.as<Vector>())) return c;
    } else {
      const std::optional<int> c = compare_flat(x, y);
      if (!c || *c != 0) return c;
    }
  }
  return 0;
}

}  // namespace chancel
