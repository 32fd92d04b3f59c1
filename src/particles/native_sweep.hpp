// SPDX-License-Identifier: Apache-2.0
// The particles of a sweep in native code: when it is there, which barriers it takes them to, and what it did
// with them. Particles that it cannot run it leaves to the interpreter, which the owner of the sweep calls.
// Where no past is kept particles rest in blocks of rows (docs/decisions/024-rows-without-heads.md).
#pragma once
#include <functional>

#include "infer/native_code.hpp"
#include "infer/worker_pool.hpp"
#include "particles/particles.hpp"
#include "particles/tier_judge.hpp"

namespace chancel {

class NativeSweep {
 public:
  // Runs particles from .. to-1 to the barrier by the interpreter.
  using Interpret = std::function<void(Worker& worker, StreamName name, std::uint32_t barrier,
                                       std::size_t from, std::size_t to)>;
  NativeSweep(WorkerPool& workers, const SweepSettings& settings, Particles& particles,
              Interpret interpret)
      : workers_(workers),
        settings_(settings),
        particles_(particles),
        interpret_(std::move(interpret)) {}

  // Before a barrier: whether particles go there in native code. Where draws are recorded it starts after those
  // that are looked at, once all particles have what they are given; `ready` says that.
  void begin_barrier(std::uint32_t barrier, const Prefix& prefix, Executor& machine,
                     const std::function<bool()>& ready);
  bool on() const { return on_; }
  // For those who lead particles on their own ways; null: there is none, or not yet.
  NativeTier* tier() const { return tier_; }

  // A worker, before it advances particles.
  void begin_turn(Worker& worker);
  // Particles from .. to-1 advance to the barrier. Where that fails: worker.failure.
  void advance(Worker& worker, StreamName name, std::uint32_t barrier, std::size_t from,
               std::size_t to);
  // Particles that the interpreter has run are put into the form that native code continues from.
  void adopt(Executor& machine, std::size_t from, std::size_t to);
  // After a barrier, by `count` workers from number `first` on, who have run `all` particles.
  void end_barrier(unsigned first, unsigned count, std::size_t all, bool any_running);
  // After the generation has changed.
  void take_blocks(unsigned first, unsigned count);

  void visit(Evacuator& e) { code_.visit(e); }

 private:
  template <bool kHistory, bool kRecord>
  void advance(Worker& worker, StreamName name, std::uint32_t barrier, std::size_t from,
               std::size_t to);
  // Particles that native code has left, or that are to be timed, go to the next barrier, and into its form.
  // Gives the processor time of the interpreter.
  double leave(Worker& worker, StreamName name, std::uint32_t barrier, std::size_t first,
               std::size_t from, std::size_t to);
  // What native code did with these particles.
  template <bool kHistory, bool kRecord>
  void add_turn(Worker& worker, std::size_t from, const NativeProgress& done,
                const double* log_weights, const double* scores);
  void keep_pasts(Worker& worker, std::size_t from, std::size_t to, std::size_t ended);
  void make_pasts(Worker& worker, std::size_t from, std::size_t to);
  void keep_draws(Worker& worker, std::size_t from, std::size_t to, const double* scores);
  // Particles need no executions of their own where native code alone reads them.
  bool uses_row_blocks() const { return !settings_.keep_history && !settings_.keep_lineages; }

  WorkerPool& workers_;
  const SweepSettings& settings_;
  Particles& particles_;
  Interpret interpret_;
  NativeCode code_;
  NativeTier* tier_ = nullptr;  // null: not now
  bool on_ = false;             // particles go to the next barrier so
  TierJudge judge_;
  bool allowed_ = true;  // in this sweep
};

}  // namespace chancel
