// SPDX-License-Identifier: Apache-2.0
// Resample-move (Gilks & Berzuini 2001): single-site moves of the past draws of a particle that waits at
// an observe, which leave the posterior of the observes so far as it is. Particles that have ended stay as
// they are, and no move makes one end: whether there is another barrier depends on who has ended, and
// moves that depend on that would bias the evidence. A particle is replayed from its recorded draws into
// a trace that ends at the present observe, so it costs one run of its past, and a move another half.
#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "single_site/single_site.hpp"

namespace chancel {

// A particle that waits after an observe.
struct MovedParticle {
  Execution at;
  History* history = nullptr;  // its recorded draws
};

class ResampleMove {
 public:
  ResampleMove(WorkerPool& workers, std::uint64_t moves);
  // Moves a particle that has passed `observes` observes, on this worker. False: failure(worker).
  bool run(unsigned worker, StreamName name, std::uint32_t observes, MovedParticle* particle);
  // Before it is used on several threads.
  void prepare();
  std::uint64_t proposals() const;
  std::uint64_t accepted() const;
  const std::optional<Diagnostic>& failure(unsigned worker) const {
    return chains_[worker]->failure();
  }

 private:
  WorkerPool& workers_;
  std::uint64_t moves_;
  std::vector<std::unique_ptr<SingleSiteChain>> chains_;  // of each worker
};

}  // namespace chancel
