// SPDX-License-Identifier: Apache-2.0
// See lazy_values.hpp.
#include "api/lazy_values.hpp"

#include "value/collections.hpp"

namespace chancel {

namespace {

constexpr std::uint64_t kMostElements = 65536;   // of one sequence
constexpr std::uint64_t kMostWork = 50'000'000;  // applications, for one run

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
  return lazy->state == LazySeq::kWaiting && !lazy->value.is(Tag::Foreign);
}

// The cell behind the elements that have been worked out; nil at the end.
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

}  // namespace

void LazyValues::work_out(const std::vector<Value>& roots) {
  host_.allow_work(kMostWork);
  const std::uint64_t before = host_.stream.drawn();
  std::vector<Value> waiting;
  // Elements may be lazy values in their turn: as often as there is something new.
  do {
    waiting.clear();
    Reach(constants_).each(roots, [&](Object* o) {
      if (is_waiting(o) && !given_up_.contains(o)) waiting.push_back(Value::object(o));
    });
    for (const Value& cell : waiting) {
      if (left_ == 0) break;
      if (!is_waiting(cell.o)) continue;  // another one needed it
      if (cell.is(Tag::LazySeq))
        force_sequence(cell);
      else
        force_one(cell);
    }
  } while (!waiting.empty() && left_ > 0);
  // What was not even begun draws perhaps, if anything did.
  if (host_.stream.drawn() != before)
    for (const Value& cell : waiting)
      if (is_waiting(cell.o) && !given_up_.contains(cell.o))
        cell.as<LazySeq>()->state = LazySeq::kDraws;
  host_.allow_work(Machine::kAnyWork);
}

bool LazyValues::force_one(const Value& cell) {
  Value out;
  const std::uint64_t before = host_.stream.drawn();
  --left_;
  if (host_.call(cell.is(Tag::Delay) ? force_ : seq_, &cell, 1, &out)) return true;
  given_up_.insert(cell.o);
  // An execution that needs it finds the same failure, with its place; but none may draw it anew.
  if (host_.stream.drawn() != before) cell.as<LazySeq>()->state = LazySeq::kDraws;
  return false;
}

void LazyValues::force_sequence(const Value& first) {
  const std::uint64_t before = host_.stream.drawn();
  Value cell = first;
  for (std::uint64_t i = 0; i < kMostElements && left_ > 0; ++i) {
    if (!is_waiting(cell.o) || given_up_.contains(cell.o) || !force_one(cell)) return;
    cell = next_cell(cell);
    if (cell.is_nil()) return;
  }
  given_up_.insert(cell.o);
  if (is_waiting(cell.o) && host_.stream.drawn() != before)
    cell.as<LazySeq>()->state = LazySeq::kDraws;
}

}  // namespace chancel
