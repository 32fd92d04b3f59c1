// SPDX-License-Identifier: Apache-2.0
// Clojure's =. Equality is a conjunction, so what lies deeper than kDepth levels is put on a list
// and compared later: the C++ stack stays small whatever the nesting. Only keys inside keys (a map
// in a set in a map ...) nest for real, because a lookup needs its answer at once; beyond kKeyDepth
// levels of those, two maps count as different. Pairs that were found equal are remembered once a
// walk is long (see shared_walk.hpp), also across the lookups of keys inside keys.
#include "value/equality.hpp"

#include <cstring>
#include <unordered_set>
#include <utility>
#include <vector>

#include "value/big_integer.hpp"
#include "value/collections.hpp"
#include "value/dist_object.hpp"
#include "value/key_equality.hpp"
#include "value/record.hpp"
#include "value/seq_walk.hpp"
#include "value/shared_walk.hpp"

namespace chancel {

namespace {

constexpr int kDepth = 100;
constexpr int kKeyDepth = 50;
// This many lazy cells are asked for one by one (an endless sequence may differ early), then the
// whole rest at once, because the native starts again each time.
constexpr std::uint32_t kOneByOne = 1024;

// The usual keys of maps and memo tables (strings, short vectors and lists of scalars) without any
// ado.
enum class Quick { Yes, No, Unknown };

Quick flat_equal(const Value& a, const Value& b) {
  const auto scalar = [](const Value& v) { return v.tag < Tag::EmptyList; };
  if (a.is(Tag::String)) {
    const auto *s = a.as<String>(), *t = b.as<String>();
    const bool same = s->hash == t->hash && s->length == t->length &&
                      std::memcmp(s->text, t->text, s->length) == 0;
    return same ? Quick::Yes : Quick::No;
  }
  if (a.is(Tag::Cons)) {
    const auto *s = a.as<Cons>(), *t = b.as<Cons>();
    if (s->words != t->words && s->words != kUncounted && t->words != kUncounted) return Quick::No;
    for (;;) {
      if (!scalar(s->first) && !scalar(t->first)) return Quick::Unknown;
      if (!equal(s->first, t->first)) return Quick::No;
      if (!s->rest && !t->rest) return Quick::Yes;
      if (!s->rest || !t->rest) return Quick::Unknown;  // a lazy end may be empty
      if (s->rest->tag != Tag::Cons || t->rest->tag != Tag::Cons) return Quick::Unknown;
      s = static_cast<const Cons*>(s->rest);
      t = static_cast<const Cons*>(t->rest);
    }
  }
  if (a.is(Tag::Vector)) {
    const auto *s = a.as<Vector>(), *t = b.as<Vector>();
    if (s->count != t->count) return Quick::No;
    if (s->root) return Quick::Unknown;
    for (std::uint32_t i = 0; i < s->count; ++i) {
      const Value x = vector_nth(s, i), y = vector_nth(t, i);
      if (!scalar(x) && !scalar(y)) return Quick::Unknown;
      if (!equal(x, y)) return Quick::No;
    }
    return Quick::Yes;
  }
  return Quick::Unknown;
}

class Equality final : public KeyEquality {
 public:
  // `outer`: the comparison that looks a key up, and meets keys that are compared by this one.
  explicit Equality(NativeContext* cx, Equality* outer = nullptr)
      : cx_(cx),
        outer_(outer),
        key_depth_(outer ? outer->key_depth_ + 1 : 0),
        steps_(outer ? outer->steps_ : 0) {}

  bool same_key(const Value& a, const Value& b) override;

  bool run(const Value& a, const Value& b) {
    const bool result = all_same(a, b);
    if (outer_) {
      outer_->steps_ = steps_;
      if (result) outer_->equal_.merge(equal_);  // who asked need not look at these again
    }
    return result;
  }

 private:
  bool all_same(const Value& a, const Value& b) {
    if (!same(a, b, 0)) return false;
    while (!later_.empty()) {
      const auto [x, y] = later_.back();
      later_.pop_back();
      if (!same_inside(x, y, 0)) return false;
    }
    return true;
  }

  using Pairs = std::unordered_set<TwoWords, TwoWordsHash>;

  // True when the pair was met before. All pairs of one comparison must be equal for it to be true,
  // so none needs a second look.
  bool met(const Value& a, const Value& b) {
    if (++steps_ <= kShortWalk) return false;
    const TwoWords pair{a.bits, b.bits};
    for (const Equality* e = outer_; e; e = e->outer_)
      if (e->equal_.contains(pair)) return true;
    return !equal_.insert(pair).second;
  }

  bool same(const Value& a, const Value& b, int depth) {
    if (a.tag < Tag::EmptyList || a.is(Tag::BigInt) || b.is(Tag::BigInt)) return equal(a, b);
    if (a.tag == b.tag && a.bits == b.bits) return true;
    if (a.is_object() && b.is_object() && met(a, b)) return true;
    return same_inside(a, b, depth);
  }

  bool same_inside(const Value& a, const Value& b, int depth) {
    if (is_sequential(a))
      return is_sequential(b) && (depth < kDepth ? sequences(a, b, depth) : put_off(a, b));
    if (is_map(a)) return is_map(b) && (depth < kDepth ? maps(a, b, depth) : put_off(a, b));
    if (is_set(a)) return is_set(b) && sets(a, b);
    if (a.tag != b.tag) return false;
    switch (a.tag) {
      case Tag::String:
        return flat_equal(a, b) == Quick::Yes;
      case Tag::Ratio: {
        const auto *s = a.as<Ratio>(), *t = b.as<Ratio>();
        return equal(s->numerator, t->numerator) && equal(s->denominator, t->denominator);
      }
      case Tag::Foreign: {
        const auto *s = a.as<Foreign>(), *t = b.as<Foreign>();
        return s->kind == t->kind && s->index == t->index;
      }
      case Tag::Dist:
      case Tag::Process:
      case Tag::Record:
        return depth < kDepth ? typed(a, b, depth) : put_off(a, b);
      default:
        return false;  // only identical ones are equal
    }
  }

  bool put_off(const Value& a, const Value& b) {
    later_.emplace_back(a, b);
    return true;
  }

  bool sequences(const Value& a, const Value& b, int depth) {
    SeqWalk x(cx_, a), y(cx_, b);
    for (;;) {
      // Checked at each step, because a lazy sequence may go over into a list that is counted.
      const std::int64_t left_x = x.left(), left_y = y.left();
      if (left_x >= 0 && left_y >= 0 && left_x != left_y) return false;
      if (x.at().is(Tag::Range) && y.at().is(Tag::Range)) {
        if ((left_x < 0) == (left_y < 0) && go_on_alike(x, y)) return true;
        if (left_x < 0 && left_y < 0) return false;
      }
      const SeqWalk::Step step_x = x.next();
      if (step_x == SeqWalk::Step::Blocked) return blocked(x.at(), y.at());
      const SeqWalk::Step step_y = y.next();
      if (step_y == SeqWalk::Step::Blocked) return blocked(y.at(), x.at());
      if (step_x != step_y) return false;
      if (step_x == SeqWalk::Step::End) return true;
      if (!same(x.item(), y.item(), depth + 1)) return false;
      if (x.at().is(Tag::Cons) && y.at().is(Tag::Cons) && x.at().o == y.at().o) return true;
      if (x.at().is(Tag::LazySeq) || y.at().is(Tag::LazySeq)) ++lazy_cells_;
    }
  }

  // Two ranges of the same length: without walking along them.
  bool go_on_alike(const SeqWalk& x, const SeqWalk& y) {
    const auto *r = x.at().as<Range>(), *s = y.at().as<Range>();
    if (!equal(r->step, s->step)) return false;
    if (x.index() == y.index()) return equal(r->start, s->start);
    return r->start.is(Tag::Int) && s->start.is(Tag::Int) && r->step.is(Tag::Int) &&
           r->start.bits + x.index() * r->step.bits == s->start.bits + y.index() * s->step.bits;
  }

  bool blocked(const Value& lazy, const Value& other) {
    if (other.is(Tag::LazySeq) && other.o == lazy.o) return true;
    if (cx_) cx_->need(lazy, lazy_cells_ >= kOneByOne);
    return false;
  }

  bool maps(const Value& a, const Value& b, int depth) {
    if (map_count(a) != map_count(b) || key_depth_ > kKeyDepth) return false;
    // Look keys up where that is fast: not in a map ordered by the program.
    const bool turn = b.is(Tag::SortedMap);
    const Value& walked = turn ? b : a;
    const Value& searched = turn ? a : b;
    bool result = true;
    map_each(walked, [&](const Value& key, const Value& value) {
      if (!result) return;
      const Value* const found = map_find(searched, key, *this);
      result = found && same(value, *found, depth + 1);
    });
    return result;
  }

  bool sets(const Value& a, const Value& b) {
    if (set_count(a) != set_count(b) || key_depth_ > kKeyDepth) return false;
    const bool turn = b.is(Tag::SortedSet);
    const Value searched = Value::object((turn ? a : b).as<Set>()->map);
    bool result = true;
    map_each(turn ? b : a, [&](const Value& item, const Value&) {
      result = result && map_find(searched, item, *this);
    });
    return result;
  }

  bool typed(const Value& a, const Value& b, int depth) {
    if (a.is(Tag::Record)) {
      const auto *r = a.as<Record>(), *s = b.as<Record>();
      return r->type == s->type && all_same(r->fields, s->fields, r->type->fields.size(), depth);
    }
    if (a.is(Tag::Dist)) {  // the parameters say all
      const auto *r = a.as<Dist>(), *s = b.as<Dist>();
      if (r->type != s->type || r->value_count != s->value_count) return false;
      return all_same(r->values, s->values, std::min(r->type->parameter_count, r->value_count),
                      depth);
    }
    const auto *r = a.as<Process>(), *s = b.as<Process>();
    if (r->type != s->type || r->value_count != s->value_count ||
        r->number_count != s->number_count)
      return false;
    for (std::uint32_t i = 0; i < r->number_count; ++i)
      if (r->numbers()[i] != s->numbers()[i]) return false;
    return all_same(r->values, s->values, r->value_count, depth);
  }

  bool all_same(const Value* a, const Value* b, std::size_t count, int depth) {
    for (std::size_t i = 0; i < count; ++i)
      if (!same(a[i], b[i], depth + 1)) return false;
    return true;
  }

  NativeContext* cx_;
  Equality* outer_;
  int key_depth_;
  std::uint32_t steps_;
  std::uint32_t lazy_cells_ = 0;
  std::vector<std::pair<Value, Value>> later_;
  Pairs equal_;
};

bool equal_within(Equality* outer, const Value& a, const Value& b) {
  if (a.is(Tag::BigInt) || b.is(Tag::BigInt))
    return is_integer(a) && is_integer(b) && compare_integers(a, b) == 0;
  if (a.tag != b.tag) return !a.is(Tag::String) && Equality(nullptr, outer).run(a, b);
  if (a.bits == b.bits) return true;
  switch (flat_equal(a, b)) {
    case Quick::Yes:
      return true;
    case Quick::No:
      return false;
    default:
      return Equality(nullptr, outer).run(a, b);
  }
}

bool Equality::same_key(const Value& a, const Value& b) { return equal_within(this, a, b); }

}  // namespace

bool equal_objects(const Value& a, const Value& b) { return equal_within(nullptr, a, b); }
bool equal(NativeContext& cx, const Value& a, const Value& b) { return Equality(&cx).run(a, b); }

}  // namespace chancel
