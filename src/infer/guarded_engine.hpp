// SPDX-License-Identifier: Apache-2.0
// What all engines share: the setup, the team of threads, turning exceptions (out of memory) into
// the failure of the run, and warnings that are reported once.
#pragma once
#include <memory>

#include "infer/evidence.hpp"
#include "infer/worker_pool.hpp"

namespace chancel {

class GuardedEngine : public Engine {
 public:
  explicit GuardedEngine(const RunSetup& setup) : setup_(setup) {}
  bool step(Sink& sink) final;
  bool save(ByteWriter& to, const ByteNames& names) const final;
  bool restore(ByteReader& from, const ByteNames& names) final;

 protected:
  // The engine's own part of its state. Between two steps: what a step begins and ends with.
  virtual bool save_state(ByteWriter&, const ByteNames&) const { return false; }
  virtual bool restore_state(ByteReader& from, const ByteNames&) {
    return from.fail("the engine keeps no state");
  }
  // The step that failed has changed nothing yet: the state is that before it.
  bool fail_unchanged(Diagnostic diagnostic) {
    between_steps_ = true;
    return fail(std::move(diagnostic));
  }

  // The engine's step. False: failure_ is set, or the engine has nothing more to give.
  virtual bool advance(Sink& sink) = 0;

  bool fail(Diagnostic diagnostic) {
    failure_ = std::move(diagnostic);
    return false;
  }
  // The same on all ranks of this chain, of which the first says it.
  bool fail_together(Diagnostic diagnostic) {
    failed_together_ = true;
    return fail(std::move(diagnostic));
  }
  // Help (Engine) of an engine whose ranks all make the same steps.
  void step_along();
  // Every execution contradicts the observations; `remedy` helps when that is merely likely.
  bool fail_all_zero(std::string what,
                     const char* remedy = "more particles help when it is merely rare");
  void warn_no_observe(Sink& sink);
  // The same for engines whose machines answer observes themselves: `runs` executions have been
  // run, and `observed` says whether any observed.
  void look_for_observes(std::uint64_t runs, bool observed, Sink& sink);
  void warn_unaligned(std::uint32_t site, Sink& sink);
  // Threads of this engine; null when there is one only.
  ThreadTeam* team();

  void warn_once(bool* said, Diagnostic diagnostic, Sink& sink);
  // What save() writes before the engine's own state; a class in between may add to it.
  virtual void save_counts(ByteWriter& to) const;
  virtual void restore_counts(ByteReader& from);

  RunSetup setup_;
  bool failed_together_ = false;  // all ranks know why

 private:
  std::unique_ptr<ThreadTeam> team_;
  bool between_steps_ = true;
  bool said_no_observe_ = false;
  bool said_unaligned_ = false;
};

}  // namespace chancel
