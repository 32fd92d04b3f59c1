// SPDX-License-Identifier: Apache-2.0
// What a sweep is given in place of drawing it: a retained path, which slot 0 follows whatever happens to the
// others (conditional SMC), values of static parameters, which all particles take (infer/parameters.hpp), and
// names of random numbers. With a retained path an engine may also choose its ancestor at each barrier.
#pragma once
#include <algorithm>
#include <functional>
#include <vector>

#include "infer/parameters.hpp"
#include "infer/worker_pool.hpp"
#include "particles/particles.hpp"

namespace chancel {

class GivenPath {
 public:
  explicit GivenPath(const RunSetup& setup) : setup_(setup) {}

  // --- Set by an engine between sweeps ---
  // Particles take these instead of drawing, at the draws that `choice` includes; null: nothing is given. Draws are
  // recorded.
  const GivenParameters* parameters = nullptr;
  const ParameterChoice* choice = nullptr;
  // Names of the random numbers, in place of the sweep's: each of `block_length` barriers. Empty: its own.
  std::vector<StreamName> block_names;
  std::uint32_t block_length = 1;
  // Called at every barrier with weights at hand: says which particle the retained path comes from (and may
  // change the path from there on). Used by pgas.
  std::function<std::uint32_t(std::uint32_t barrier, RetainedPath& path)> choose_ancestor;

  // --- Of the sweep at work ---
  RetainedPath* path = nullptr;  // null: none
  StreamName name_at(StreamName sweep, std::uint32_t barrier) const {
    return block_names.empty()
               ? sweep
               : block_names[std::min<std::size_t>(barrier / block_length, block_names.size() - 1)];
  }
  // Slot 0 takes the next state of the path. Where that fails: worker.failure.
  void follow(std::uint32_t barrier, Worker& worker, Particles& particles) const;
  // The value of the draw `stop`, at which `x` waits: the one that is given, or a new one. `early`: no observe comes
  // before it. The worker counts what the execution has taken and its log density. False: failure in the machine.
  bool answer(Worker& worker, Execution& x, const Checkpoint& stop, bool early,
              Value* value) const {
    if (parameters) return answer_given(worker, x, stop, early, value);
    return draw_for(*worker.machine, x, stop.dist, value);
  }
  // Whether an execution that has ended has taken all that is given. False: failure in the machine.
  bool all_taken(Worker& worker) const;
  // The same of all particles that continue from the first observe: none of it is drawn later.
  bool all_have_taken(const Particles& particles) const;

 private:
  bool answer_given(Worker& worker, Execution& x, const Checkpoint& stop, bool early,
                    Value* value) const;
  bool fail(Worker& worker, std::uint32_t site, const char* what) const;
  // Of the parameters among these draws of the path, by an execution that has made them.
  double log_density_of(const ValueArray* draws, Worker& worker, const Execution& at,
                        bool early) const;

  const RunSetup& setup_;
};

}  // namespace chancel
