// SPDX-License-Identifier: Apache-2.0
// The past of a particle as a chain of states, one for each observe that it passed, newest first.
// Chains live in the heap and share their older parts, so the past of a whole population is a tree
// that coalesces (T + C N log N nodes) and dead branches go with the next collection. An
// execution can resume from a state alone: conditional SMC re-runs nothing of the retained
// execution.
#pragma once
#include "random/stream.hpp"
#include "vm/execution.hpp"

namespace chancel {

struct History : Object {  // Tag::History
  History* previous;
  Execution at;         // at rest after its observe
  ValueArray* draws;    // what was sampled since `previous` (kept only when asked for), or null
  double log_prob;      // of the observe
  std::uint32_t given;  // parameters (parameters.hpp) that it has taken up to here
  std::uint32_t slot;   // of the particle that came here first
};

// A random draw in ValueArray: four values in a row.
inline constexpr std::size_t kDrawValues = 4;
inline const Value& drawn_site(const ValueArray* draws, std::size_t i) {
  return draws->values[kDrawValues * i];
}
inline const Value& drawn_dist(const ValueArray* draws, std::size_t i) {
  return draws->values[kDrawValues * i + 1];
}
inline const Value& drawn_value(const ValueArray* draws, std::size_t i) {
  return draws->values[kDrawValues * i + 2];
}
inline const Value& drawn_id(const ValueArray* draws, std::size_t i) {
  return draws->values[kDrawValues * i + 3];
}
inline std::size_t draw_count(const ValueArray* draws) {
  return draws ? draws->count / kDrawValues : 0;
}

void register_history_scanner();  // cheap to repeat

inline History* make_history(Arena& arena, History* previous, const Execution& at, double log_prob,
                             ValueArray* draws) {
  auto* h = arena.make<History>(Tag::History);
  h->previous = previous;
  h->at = at;
  h->draws = draws;
  h->log_prob = log_prob;
  h->given = 0;
  h->slot = 0;
  return h;
}
// Null for none.
ValueArray* make_draws(Arena& arena, const std::vector<Value>& values);

// Where the random numbers of a stretch between two observes came from: the streams of a sweep, and
// the slot of the particle there. An execution is made again from the names of its stretches.
struct SegmentName {
  StreamName sweep;
  std::uint32_t slot = 0;
};
// In place of a slot: the stretch is that of the retained path.
inline constexpr std::uint32_t kRetainedSlot = 0xffffffffu;

// A whole execution with its past, oldest state first: what conditional SMC keeps from sweep to
// sweep.
struct RetainedPath {
  std::vector<History*> steps;
  Execution last;  // finished
  Value result = Value::nil();
  ValueArray* last_draws = nullptr;  // sampled after the last observe
  bool empty() const { return !set; }
  bool set = false;
  // Of each step, then of the rest. Valid only for paths made entirely by sweeps.
  std::vector<SegmentName> names;

  // What it drew on the way to its observe number `segment`, or after the last one.
  const ValueArray* draws_before(std::size_t segment) const {
    return segment < steps.size() ? steps[segment]->draws : last_draws;
  }

  void assign(History* newest, const Execution& finished, const Value& value, ValueArray* draws);
  // The same with names, for a particle of the sweep of this name, which ended in the slot `end`. The
  // sweep followed another path (this one, perhaps), or an empty one.
  void assign(History* newest, const Execution& finished, const Value& value, ValueArray* draws,
              const RetainedPath& followed, StreamName sweep, std::uint32_t end);
  void visit(Evacuator& e);
};

// True when both are distributions of the same type: a value of one may be scored by the other.
bool same_dist_type(const Value& a, const Value& b);
// False for distributions without a log-probability that can be relied on (nested inference): their
// values are not kept but drawn again.
bool can_score(const Value& dist);

}  // namespace chancel
