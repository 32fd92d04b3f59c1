// SPDX-License-Identifier: Apache-2.0
// See guarded_engine.hpp.
#include "infer/guarded_engine.hpp"

#include <algorithm>

#include "fmt/format.h"
#include "infer/engine_state.hpp"
#include "infer/impossible_observe.hpp"
#include "ranks/ranks.hpp"

namespace chancel {

bool GuardedEngine::step(Sink& sink) {
  if (failure_) return false;
  if (auto stop = stop_requested(setup_.run)) return fail(std::move(*stop));
  between_steps_ = false;
  bool ok = false;
  if (auto full = within_memory([&] { ok = advance(sink); })) return fail(std::move(*full));
  between_steps_ = between_steps_ || ok;
  return ok;
}

// Time limits and the user stop all ranks, and the first finds that out as this one does.
void GuardedEngine::step_along() {
  struct Nobody final : Sink {
    void draw(const EngineDraw&) override {}
  } nobody;
  while (step(nobody)) {
  }
  if (failure_ && !failed_together_ && failure_->code != Code::L002 && failure_->code != Code::L005)
    setup_.ranks->tell_failure(failure_->message);
}

bool GuardedEngine::save(ByteWriter& to, const ByteNames& names) const {
  if (!between_steps_ || setup_.ranks) return false;
  save_statistics(to, statistics_);
  to.byte(said_no_observe_);
  to.byte(said_unaligned_);
  to.number(barriers_);
  to.number(family_trees_);
  to.number(resampled_);
  return save_state(to, names);
}

bool GuardedEngine::restore(ByteReader& from, const ByteNames& names) {
  restore_statistics(from, statistics_);
  said_no_observe_ = from.byte() != 0;
  said_unaligned_ = from.byte() != 0;
  barriers_ = from.number();
  family_trees_ = static_cast<unsigned>(from.number());
  resampled_ = from.number();
  if (!from.ok()) return false;
  bool good = false;
  if (const auto full = within_memory([&] { good = restore_state(from, names); }))
    return from.fail("there is no memory for the stored state");
  return good && from.done();
}

bool GuardedEngine::fail_all_zero(std::string what, const char* remedy) {
  Diagnostic d{
      Code::I003,
      Severity::Error,
      {},
      std::move(what),
      fmt::format("look for an observe that nothing the program draws can satisfy; {}", remedy),
      {}};
  explain_impossible(setup_, &d);
  return fail_together(std::move(d));
}

ThreadTeam* GuardedEngine::team() {
  if (setup_.threads <= 1) return nullptr;
  if (!team_) team_ = std::make_unique<ThreadTeam>(setup_.threads);
  return team_.get();
}

void GuardedEngine::warn_once(bool* said, Diagnostic diagnostic, Sink& sink) {
  if (*said) return;
  *said = true;
  sink.warning(diagnostic);
}

void GuardedEngine::report_sweep(const Population& sweep, std::uint64_t number, Sink& sink) {
  for (BarrierStatistics statistics : sweep.barriers()) {
    statistics.sweep = number;
    sink.barrier(statistics);
    const double seen = static_cast<double>(barriers_);
    statistics_.mean_ess = (statistics_.mean_ess * seen + statistics.ess) / (seen + 1);
    if (barriers_ == 0 || statistics.ess < statistics_.min_ess) {
      statistics_.min_ess = statistics.ess;
      statistics_.min_ess_site = statistics.site;
    }
    ++barriers_;
    if (statistics.resampled) {
      const double times = static_cast<double>(resampled_++);
      statistics_.mean_distinct_ancestors =
          (statistics_.mean_distinct_ancestors * times + statistics.distinct_ancestors) /
          (times + 1);
      ++statistics_.resamplings;
    }
  }
  tell_family_tree(sweep, number, sink);
  statistics_.applications += sweep.applications();
  statistics_.particle_steps += sweep.particle_steps();
  statistics_.simulations += sweep.size();
  if (!sweep.observed() && sweep.alive()) warn_no_observe(sink);
  if (!sweep.aligned()) warn_unaligned(sweep.unaligned_site(), sink);
}

void GuardedEngine::warn_no_observe(Sink& sink) {
  warn_once(&said_no_observe_,
            {Code::I004,
             Severity::Warning,
             {},
             "the program never observes: the draws come from the prior",
             "add an observe where the program should learn from data",
             {}},
            sink);
}

void GuardedEngine::look_for_observes(std::uint64_t runs, bool observed, Sink& sink) {
  // A program may observe in some of its executions only.
  constexpr std::uint64_t kEnoughToTell = 16;
  const std::uint64_t few = setup_.wanted_draws ? setup_.wanted_draws : kEnoughToTell;
  if (!observed && runs >= std::min(few, kEnoughToTell)) warn_no_observe(sink);
}

void GuardedEngine::warn_unaligned(std::uint32_t site, Sink& sink) {
  warn_once(
      &said_unaligned_,
      {Code::I005,
       Severity::Warning,
       setup_.image->program->site(site).span,
       "executions reach different observes, or different numbers of them",
       "the answer is right, but executions are compared at unlike places: expect more variance",
       {}},
      sink);
}

void GuardedEngine::tell_family_tree(const Population& sweep, std::uint64_t number, Sink& sink) {
  if (!setup_.keep_descent || family_trees_ >= kKeptSweeps ||
      sweep.family_tree().generations() == 0)
    return;
  ++family_trees_;
  const auto links = sweep.family_tree().links();
  for (std::size_t g = 0; g < links.size(); ++g) {
    const BarrierStatistics& barrier = sweep.barriers()[g];
    for (const auto& [particle, ancestor] : links[g])
      sink.descent({number, barrier.barrier, barrier.site, particle, ancestor});
  }
}

std::uint64_t GuardedEngine::emit_particles(const Population& sweep, std::uint64_t number,
                                            double log_mean, Sink& sink) {
  std::uint64_t given = 0;
  const double offset = log_mean - sweep.weights().log_mean();
  EngineDraw draw;
  draw.sweep = number;
  draw.chain = setup_.chain;
  for (std::size_t i = 0; i < sweep.size(); ++i) {
    const double w = sweep.log_weight(i);
    if (w == kLogZero) {
      ++statistics_.zero_weight;
      if (!setup_.keep_impossible) continue;
    }
    draw.predicts = sweep.execution(i).predicts;
    draw.result = sweep.result(i);
    draw.log_weight = planted(setup_.sabotage, Sabotage::UnweightedOutput) ? log_mean
                      : w == kLogZero                                      ? kLogZero
                                                                           : w + offset;
    draw.applications = sweep.execution(i).applications;
    sink.draw(draw);
    ++given;
  }
  return given;
}

}  // namespace chancel
