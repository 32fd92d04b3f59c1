// SPDX-License-Identifier: Apache-2.0
// See history.hpp.
#include "infer/history.hpp"

#include <algorithm>

#include "value/dist_object.hpp"
#include "value/record.hpp"

namespace chancel {

void register_history_scanner() {
  static const bool once = [] {
    register_scanner(Tag::History, [](Object* o, Evacuator& e) {
      auto* h = static_cast<History*>(o);
      e.visit(h->previous);
      h->at.visit(e);
      e.visit(h->draws);
    });
    return true;
  }();
  (void)once;
}

ValueArray* make_draws(Arena& arena, const std::vector<Value>& values) {
  if (values.empty()) return nullptr;
  auto* a = arena.make<ValueArray>(Tag::ValueArray, bytes_with<ValueArray>(values.size()));
  a->count = values.size();
  std::copy(values.begin(), values.end(), a->values);
  return a;
}

void RetainedPath::assign(History* newest, const Execution& finished, const Value& value,
                          ValueArray* draws) {
  steps.clear();
  for (History* h = newest; h; h = h->previous) steps.push_back(h);
  std::reverse(steps.begin(), steps.end());
  last = finished;
  result = value;
  last_draws = draws;
  set = true;
}

void RetainedPath::assign(History* newest, const Execution& finished, const Value& value,
                          ValueArray* draws, const RetainedPath& followed, StreamName sweep,
                          std::uint32_t end) {
  // States of the path that the sweep followed keep their names. They lie at the beginning: first
  // itself, then perhaps a copy of the next one.
  const std::vector<History*> known = followed.steps;
  const std::vector<SegmentName> known_names = followed.names;
  assign(newest, finished, value, draws);
  names.clear();
  bool same = true;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    same = same && i < known.size() && steps[i] == known[i];
    const bool retained = (same || steps[i]->slot == kRetainedSlot) && i < known_names.size();
    names.push_back(retained ? known_names[i] : SegmentName{sweep, steps[i]->slot});
  }
  names.push_back(end == kRetainedSlot && !known_names.empty() ? known_names.back()
                                                               : SegmentName{sweep, end});
}

void RetainedPath::visit(Evacuator& e) {
  for (History*& h : steps) e.visit(h);
  last.visit(e);
  e.visit(result);
  e.visit(last_draws);
}

bool can_score(const Value& dist) {
  if (dist.is(Tag::Dist)) {
    const DistType* type = dist.as<Dist>()->type;
    return type->log_prob && !type->estimated;
  }
  static const Name* const kObserve = intern("observe*");
  const auto& methods = dist.as<Record>()->type->methods;
  return methods.find(kObserve) != methods.end();
}

bool same_dist_type(const Value& a, const Value& b) {
  if (a.tag != b.tag) return false;
  return a.is(Tag::Dist) ? a.as<Dist>()->type == b.as<Dist>()->type
                         : a.is(Tag::Record) && a.as<Record>()->type == b.as<Record>()->type;
}

}  // namespace chancel
