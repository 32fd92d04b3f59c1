// SPDX-License-Identifier: Apache-2.0
// Densities of a retained future by native code: blocks of particles take its draws, from observe to observe together.
// What native code cannot do of a particle future_stretch() does, so that the meaning is there alone (replay.hpp); the
// bits are the same. Serves one thread.
#pragma once
#include <vector>

#include "infer/native_tier.hpp"
#include "infer/replay.hpp"
#include "particles/population.hpp"

namespace chancel {

// Slot of the random numbers that a replay has, in streams of the particle.
inline constexpr std::uint32_t kReplaySlot = 0xfffffffcu;

// The future of a path after its observe number `barrier`, and whose it may be.
struct RetainedFuture {
  const Population& sweep;
  const RetainedPath& path;
  std::uint32_t barrier;
  const std::vector<std::uint64_t>& parts;  // future_parts()
  StreamName name;
};

// After one particle, by the interpreter. False: worker.failure.
bool interpret_future(Worker& worker, const RetainedFuture& future, std::size_t particle,
                      FutureDensity* out);

class NativeFutures {
 public:
  NativeFutures(NativeTier& native, Worker& worker, const RetainedFuture& future)
      : native_(native), worker_(worker), future_(future) {}
  // After particles from .. to-1, at their places in `out`. False: worker.failure.
  bool run(std::size_t from, std::size_t to, FutureDensity* out);

 private:
  void run_block(std::size_t from, std::size_t to, FutureDensity* out);
  bool run_stretch(std::size_t segment, const std::uint64_t* parts, FutureDensity* out);
  bool interpret(std::size_t k, std::size_t segment, const std::uint64_t* parts,
                 FutureDensity* out);
  void drop_finished();
  void collect_if_due(const Arena::Mark& begin);

  NativeTier& native_;
  Worker& worker_;
  const RetainedFuture& future_;
  // of the block at work: those whose density is not known yet
  std::vector<Execution> at_;
  std::vector<double> log_density_;
  std::vector<std::size_t> particle_;
  std::vector<bool> finished_;
  bool any_finished_ = false;
  std::size_t blocks_kept_ = 0;  // of memory, after the last collection
};

}  // namespace chancel
