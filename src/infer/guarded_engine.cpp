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
  save_counts(to);
  return save_state(to, names);
}

void GuardedEngine::save_counts(ByteWriter& to) const {
  save_statistics(to, statistics_);
  to.byte(said_no_observe_);
  to.byte(said_unaligned_);
}

void GuardedEngine::restore_counts(ByteReader& from) {
  restore_statistics(from, statistics_);
  said_no_observe_ = from.byte() != 0;
  said_unaligned_ = from.byte() != 0;
}

bool GuardedEngine::restore(ByteReader& from, const ByteNames& names) {
  restore_counts(from);
  if (!from.ok()) return false;
  bool good = false;
  if (const auto full = within_memory([&] { good = restore_state(from, names); }))
    return from.fail(full->message);
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

}  // namespace chancel
