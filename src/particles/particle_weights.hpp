// SPDX-License-Identifier: Apache-2.0
// The weights of a population: what each particle has gathered since the last resampling, as
// logarithms, and relative to the largest once all stand at a barrier. The weights of the barrier
// before are kept too: the variance of the evidence may be estimated there.
#pragma once
#include <functional>
#include <vector>

#include "infer/weights.hpp"
#include "infer/worker_pool.hpp"

namespace chancel {

class ParticleWeights {
 public:
  void resize(std::size_t count);
  void reset() {  // every weight is one
    old_ = false;
    reset(0, log_.size());
  }
  void reset(std::size_t from, std::size_t to);
  // After a resampling they need not be reset at once: log() is old then, and the code that advances
  // particles resets it or writes the new one.
  void leave_old(bool old) { old_ = old; }
  bool old() const { return old_; }

  double& log(std::size_t i) { return log_[i]; }
  double log(std::size_t i) const { return log_[i]; }

  // At a barrier. `largest`: of all logarithms; when it is infinite, only that is known. `alone`:
  // the threads of the workers may share the work.
  void weigh(WorkerPool& workers, bool alone, double largest);
  // The same for some particles: `gather` brings the rest, and the sums of chunks that are not whole.
  void weigh(WorkerPool& workers, std::size_t from, std::size_t to, double largest,
             const std::function<void(Weights&)>& gather);
  const Weights& now() const { return now_; }
  const Weights& before() const { return before_; }
  // To fill in what others have weighed.
  std::span<double> relative(bool before) { return (before ? before_ : now_).relative_to_fill(); }

 private:
  std::vector<double> log_;
  Weights now_, before_;
  bool old_ = false;
};

}  // namespace chancel
