// SPDX-License-Identifier: Apache-2.0
// See lazy_values.hpp.
#include "session/lazy_values.hpp"

#include <algorithm>
#include <unordered_set>

#include "value/collections.hpp"

namespace chancel {

namespace {

constexpr std::uint64_t kMostElements = 65536;     // of one sequence,
constexpr std::uint64_t kAllElements = 4 * 65536;  // and of all, for one run
constexpr std::uint64_t kMostWork = 2'000'000;     // applications, for one value,
constexpr std::uint64_t kAllWork = 200'000'000;    // and for all

// Everything that can be reached, each object once; nothing moves.
class Reach final : public Evacuator {
 public:
  explicit Reach(const Heap& constants) : Evacuator(Scope::Everything), constants_(constants) {}
  template <class Each>
  void each(const std::vector<Value>& roots, Each&& found) {
    for (Value v : roots) visit(v);
    for (std::size_t i = 0; i < order_.size(); ++i) {
      found(order_[i]);
      scan_object(order_[i], *this);
    }
  }

 private:
  Object* copy(Object* o) override {
    if (block_of(o)->heap != &constants_ && seen_.insert(o).second) order_.push_back(o);
    return o;
  }
  const Heap& constants_;
  std::unordered_set<const Object*> seen_;
  std::vector<Object*> order_;
};

bool is_waiting(const Object* o) {
  if (o->tag != Tag::LazySeq && o->tag != Tag::Delay) return false;
  const auto* lazy = static_cast<const LazySeq*>(o);
  return lazy->state == LazySeq::kWaiting && !lazy->value.is(Tag::Foreign) &&
         !lazy->value.is(Tag::Vector);  // streams of draws
}

// The cell after the elements that have been evaluated; nil at the end.
Value next_cell(Value at) {
  for (;;) {
    if (at.is(Tag::LazySeq)) {
      const auto* lazy = at.as<LazySeq>();
      if (lazy->state != LazySeq::kRealised) return at;
      at = lazy->value;
    } else if (at.is(Tag::Cons) && at.as<Cons>()->rest) {
      at = Value::object(at.as<Cons>()->rest);
    } else {
      return Value::nil();
    }
  }
}

void give_up(const Value& cell, bool drew) {
  if (is_waiting(cell.o)) cell.as<LazySeq>()->state = drew ? LazySeq::kDraws : LazySeq::kTried;
}

}  // namespace

LazyValues::LazyValues(Machine& host, const Heap& constants, const Value& seq, const Value& force)
    : host_(host),
      constants_(constants),
      seq_(seq),
      force_(force),
      elements_left_(kAllElements),
      work_left_(kAllWork) {}

void LazyValues::work_out(const std::vector<Value>& roots) {
  const std::uint64_t before = host_.stream.drawn();
  std::vector<Value> waiting;
  // Elements may be lazy values in their turn: as often as there is something new.
  do {
    waiting.clear();
    Reach(constants_).each(roots, [&](Object* o) {
      if (is_waiting(o)) waiting.push_back(Value::object(o));
    });
    for (const Value& cell : waiting) {
      if (elements_left_ == 0 || work_left_ == 0) break;
      if (!is_waiting(cell.o)) continue;  // another one needed it
      if (cell.is(Tag::LazySeq))
        force_sequence(cell);
      else
        force_one(cell);
    }
  } while (!waiting.empty() && elements_left_ > 0 && work_left_ > 0);
  // What was not even begun draws perhaps, if anything did.
  for (const Value& cell : waiting) give_up(cell, host_.stream.drawn() != before);
}

bool LazyValues::force_one(const Value& cell) {
  Value out;
  const std::uint64_t before = host_.stream.drawn();
  --elements_left_;
  const std::uint64_t allowed = std::min(kMostWork, work_left_);
  host_.allow_work(allowed);
  const bool done = host_.call(cell.is(Tag::Delay) ? force_ : seq_, &cell, 1, &out);
  work_left_ -= allowed - host_.work_left();
  host_.allow_work(Machine::kAnyWork);
  // An execution that needs it finds the same failure, with its place; but none may draw it again.
  if (!done) give_up(cell, host_.stream.drawn() != before);
  return done;
}

void LazyValues::force_sequence(const Value& first) {
  const std::uint64_t before = host_.stream.drawn();
  Value cell = first;
  for (std::uint64_t i = 0; i < kMostElements && elements_left_ > 0 && work_left_ > 0; ++i) {
    if (!is_waiting(cell.o) || !force_one(cell)) return;
    cell = next_cell(cell);
    if (cell.is_nil()) return;
  }
  give_up(cell, host_.stream.drawn() != before);
}

}  // namespace chancel
