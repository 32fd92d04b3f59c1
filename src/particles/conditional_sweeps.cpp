// SPDX-License-Identifier: Apache-2.0
// See conditional_sweeps.hpp.
#include "particles/conditional_sweeps.hpp"

#include <cmath>

#include "infer/engine_state.hpp"
#include "math/log_space.hpp"

namespace chancel {

namespace {
constexpr std::uint64_t kFirstSweeps =
    100;  // first sweeps that may die out before the run gives up
constexpr std::uint64_t kRetryStream = 0x105;

SweepSettings with_history(SweepSettings settings) {
  settings.keep_history = true;
  return settings;
}
}  // namespace

ConditionalSweeps::ConditionalSweeps(WorkerPool& workers, const SweepSettings& settings)
    : workers_(workers), sweep_(workers, with_history(settings)) {
  workers_.add_roots([this](Evacuator& e) { retained_.visit(e); });
}

bool ConditionalSweeps::step(StreamName name, const SweepPlace& place) {
  was_conditional_ = !retained_.empty();
  if (was_conditional_) return sweep_.run(name, &retained_, place);
  for (std::uint64_t tries = 0; tries < kFirstSweeps; ++tries) {
    if (!sweep_.run(tries == 0 ? name : name.child(kRetryStream, tries), nullptr, place))
      return false;
    if (sweep_.alive()) return true;
    ++died_;
  }
  return false;
}

void ConditionalSweeps::tell_evidence(EngineStatistics& statistics) const {
  if (was_conditional_) return;
  statistics.has_log_evidence = true;
  statistics.log_evidence = died_ ? kLogZero : sweep_.log_evidence();
  statistics.evidence_parts.add(statistics.log_evidence);
  statistics.log_evidence_se = died_ ? NAN : sweep_.evidence_error().log_evidence_se();
  statistics.zero_weight += died_ * sweep_.size();
}

void ConditionalSweeps::save(ByteWriter& to) const {
  to.number(died_);
  to.byte(retained_.set);
  if (retained_.set) save_names(to, retained_.names);
}

bool ConditionalSweeps::restore(ByteReader& from) {
  died_ = from.number();
  if (from.byte() == 0) return from.ok();
  const std::vector<SegmentName> names = restore_names(from);
  if (!from.ok()) return false;
  return sweep_.rebuild(names, retained_) ||
         from.fail("the program does something else with the stored draws");
}

bool ConditionalSweeps::save_draws(ByteWriter& to, const ByteNames& names) const {
  if (sweep_.estimated() || workers_.setup().delayed) return false;
  to.number(died_);
  to.byte(retained_.set);
  if (!retained_.set) return true;
  std::vector<Value> values;
  const auto add = [&](const ValueArray* draws) {
    for (std::size_t k = 0; k < draw_count(draws); ++k) values.push_back(drawn_value(draws, k));
  };
  for (const History* h : retained_.steps) add(h->draws);
  add(retained_.last_draws);
  return save_values(to, values, names);
}

bool ConditionalSweeps::restore_draws(ByteReader& from, const ByteNames& names) {
  died_ = from.number();
  if (from.byte() == 0) return from.ok();
  std::vector<Value> values;
  if (!restore_values(from, workers_.machine().arena(), names, values)) return false;
  return sweep_.rebuild(values, retained_) ||
         from.fail("the program does something else with the stored draws");
}

bool ConditionalSweeps::choose_retained(StreamName name) {
  Stream stream = workers_.stream(name, kSelectionSlot, 0);
  const auto chosen = draw_index(sweep_.weights().relative(), sweep_.weights().sum(), stream);
  sweep_.retain(chosen, retained_);
  return sweep_.record_path(chosen, retained_);
}

}  // namespace chancel
