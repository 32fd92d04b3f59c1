// SPDX-License-Identifier: Apache-2.0
// Reading values from outside, without copies.
#include "session/value_view.hpp"

#include <fmt/format.h>

#include "session/messages.hpp"
#include "value/big_integer.hpp"
#include "value/collections.hpp"
#include "value/equality.hpp"
#include "value/number.hpp"
#include "value/print.hpp"
#include "value/seq_walk.hpp"

namespace chancel {

namespace {
[[noreturn]] void wrong_kind(const char* wanted, const Value& v) {
  throw_error(Code::R001, fmt::format("expected {}, got {}", wanted, describe(v)), "",
              ExitCode::Failed);
}

// Elements of a realised sequence, as long as `visit` returns true.
template <class Visit>
void each_element(const Value& v, const Visit& visit) {
  static thread_local Heap scratch_heap;
  Arena arena(scratch_heap);
  NativeContext cx(arena);
  for (SeqCursor it(cx, v, "at", 0); it.next();)
    if (!visit(it.item())) return;
  if (!cx.ok()) wrong_kind("a realised sequence", v);
}
}  // namespace

ValueView::Kind ValueView::kind() const {
  switch (Access::value(*this).tag) {
    case Tag::Nil:
      return Kind::Nil;
    case Tag::Bool:
      return Kind::Boolean;
    case Tag::Int:
      return Kind::Integer;
    case Tag::Double:
      return Kind::Real;
    case Tag::Ratio:
      return Kind::Ratio;
    case Tag::BigInt:
      return small_integer(Access::value(*this)) ? Kind::Integer : Kind::BigInteger;
    case Tag::Char:
      return Kind::Character;
    case Tag::String:
      return Kind::String;
    case Tag::Keyword:
      return Kind::Keyword;
    case Tag::Symbol:
      return Kind::Symbol;
    case Tag::EmptyList:
    case Tag::Cons:
    case Tag::VectorSeq:
    case Tag::Range:
    case Tag::LazySeq:
      return Kind::List;
    case Tag::Vector:
      return Kind::Vector;
    case Tag::ArrayMap:
    case Tag::HashMap:
    case Tag::SortedMap:
      return Kind::Map;
    case Tag::Set:
    case Tag::SortedSet:
      return Kind::Set;
    case Tag::Closure:
    case Tag::Native:
    case Tag::Memo:
    case Tag::Query:
      return Kind::Function;
    case Tag::Dist:
      return Kind::Distribution;
    default:
      return Kind::Other;
  }
}

bool ValueView::is_number() const { return Access::value(*this).is_number(); }
bool ValueView::boolean() const { return Access::value(*this).truthy(); }

std::int64_t ValueView::integer() const {
  const Value v = Access::value(*this);
  const auto small = is_integer(v) ? small_integer(v) : std::nullopt;
  if (!small) wrong_kind("an integer of 64 bits", v);
  return *small;
}

std::string ValueView::integer_bytes() const {
  const Value v = Access::value(*this);
  if (!is_integer(v)) wrong_kind("an integer", v);
  std::string bytes;
  const auto add = [&](std::uint64_t word) {
    for (int k = 0; k < 8; ++k, word >>= 8) bytes += static_cast<char>(word & 0xff);
  };
  if (const auto small = small_integer(v)) {
    add(static_cast<std::uint64_t>(*small));
    return bytes;
  }
  const auto* b = v.as<BigInt>();
  std::uint64_t carry = 1;  // of negation
  for (std::size_t k = 0; k < digit_count(b); ++k) {
    const std::uint64_t word = b->sign < 0 ? ~b->digits[k] + carry : b->digits[k];
    carry = carry == 1 && word == 0 ? 1 : 0;
    add(word);
  }
  bytes += b->sign < 0 ? '\xff' : '\0';
  return bytes;
}

double ValueView::number() const {
  const Value v = Access::value(*this);
  if (v.is(Tag::Bool)) return v.truthy() ? 1 : 0;
  if (!v.is_number()) wrong_kind("a number", v);
  return to_double(v);
}

std::string ValueView::text() const {
  const Value v = Access::value(*this);
  if (v.is(Tag::String)) return std::string(string_view_of(v));
  if (v.is(Tag::Keyword) || v.is(Tag::Symbol)) return v.name->full;
  if (v.is(Tag::BigInt)) return integer_text(nullptr, v);
  wrong_kind("a string, keyword or symbol", v);
}

std::size_t ValueView::size() const {
  const Value v = Access::value(*this);
  if (v.is(Tag::Vector)) return v.as<Vector>()->count;
  if (is_map(v)) return map_count(v);
  if (is_set(v)) return set_count(v);
  if (v.is_nil() || v.is(Tag::EmptyList)) return 0;
  if (is_seq(v)) {
    std::size_t count = 0;
    each_element(v, [&](const Value&) { return ++count > 0; });
    return count;
  }
  wrong_kind("a collection", v);
}

ValueView ValueView::at(std::size_t index) const {
  const Value v = Access::value(*this);
  if (v.is(Tag::Vector)) {
    if (index >= v.as<Vector>()->count) wrong_kind("a longer vector", v);
    return Access::view(vector_nth(v.as<Vector>(), static_cast<std::uint32_t>(index)));
  }
  std::size_t left = index;
  std::optional<ValueView> found;
  each_element(v, [&](const Value& item) {
    if (left-- > 0) return true;
    found = Access::view(item);
    return false;
  });
  if (!found) wrong_kind("a longer sequence", v);
  return *found;
}

std::vector<ValueView> ValueView::items() const {
  std::vector<ValueView> out;
  each_element(Access::value(*this), [&](const Value& item) {
    out.push_back(Access::view(item));
    return true;
  });
  return out;
}

std::pair<std::vector<ValueView>, bool> ValueView::front(std::size_t most) const {
  const Value v = Access::value(*this);
  if (is_map(v) || is_set(v)) {
    std::vector<ValueView> all = items();
    const bool more = all.size() > most;
    if (more) all.resize(most);
    return {std::move(all), more};
  }
  std::pair<std::vector<ValueView>, bool> out{{}, false};
  SeqWalk walk(nullptr, v);
  SeqWalk::Step step;
  while ((step = walk.next()) == SeqWalk::Step::Item) {
    if (out.first.size() == most) {
      out.second = true;
      return out;
    }
    out.first.push_back(Access::view(walk.item()));
  }
  out.second = step == SeqWalk::Step::Blocked;
  return out;
}

std::vector<std::pair<ValueView, ValueView>> ValueView::entries() const {
  const Value v = Access::value(*this);
  std::vector<std::pair<ValueView, ValueView>> out;
  if (!is_map(v)) wrong_kind("a map", v);
  map_each(v, [&](const Value& k, const Value& x) {
    out.emplace_back(Access::view(k), Access::view(x));
  });
  return out;
}

std::optional<ValueView> ValueView::get(std::string_view keyword) const {
  const Value v = Access::value(*this);
  if (!is_map(v)) return std::nullopt;
  const Value* found = map_find(v, Value::keyword(intern(keyword)));
  if (!found) return std::nullopt;
  return Access::view(*found);
}

std::string ValueView::print(bool readable, std::size_t most) const {
  return show(Access::value(*this), readable, most);
}

bool ValueView::operator==(const ValueView& other) const {
  return equal(Access::value(*this), Access::value(other));
}
std::size_t ValueView::hash() const { return chancel::hash(Access::value(*this)); }

}  // namespace chancel
