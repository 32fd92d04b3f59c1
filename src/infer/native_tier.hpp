// SPDX-License-Identifier: Apache-2.0
// What a population asks of native code: to take particles from their observes to the next ones, in
// place of the interpreter and with the same bits. Made for one query by RunSetup::native_tier.
#pragma once
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "infer/prefix.hpp"
#include "random/stream.hpp"
#include "vm/executor.hpp"
#include "vm/row_space.hpp"

namespace chancel {

// Draws of another execution between two observes, four values each: site, distribution, value,
// name (infer/history.hpp).
struct GivenDraws {
  static constexpr std::size_t kValues = 4;
  const Value* values;
  const std::uint64_t* parts;  // part of the distribution of each (Fit, value/dist_object.hpp)
  std::size_t count;
  bool last;  // it ended after them; else it came to an observe
};

// A turn of some particles of a population.
struct NativeTurn {
  const Execution* from;         // their parents; the prefix of all when `fresh`
  const std::uint32_t* parents;  // null: each comes from its own place
  Execution* to;
  Value* results;  // of those that end
  double* scores;  // of the observe where each stands
  const double* log_weights;
  std::size_t begin, end;
  bool fresh;
  bool far;  // the population is large: its memory does not stay in caches
  StreamName name;
  std::uint32_t barrier;
  // How many random numbers each has taken: its stream continues across observes, as step 0. Null:
  // each barrier starts a new stream.
  std::uint64_t* drawn = nullptr;
  double* keys = nullptr;    // the last number that each draws (0: none), where it is asked for
  RowSpace* rows = nullptr;  // where rows lie; null: in the arena
  // Parents stored as headerless rows, by slot; they are not in `from`.
  std::span<const RowBlock> blocks = {};
  // Where native code supports it, particles stop as headerless rows: they are added to these
  // blocks and not to `to`. Null: not allowed.
  std::vector<RowBlock>* blocks_to = nullptr;
  std::vector<KeptCommon>* commons = nullptr;  // made since the last barrier; null: not needed
  // Particles take these in place of their own draws, all of them and no others, each at the same
  // site from a distribution of the same type, in the same part. Scores are then log_weights plus
  // the log densities of the draws and of the observe; a particle that cannot have drawn them may
  // end with the score -inf.
  const GivenDraws* given = nullptr;
};

struct NativeProgress {
  // Particles [next, stays) were not run: they need the interpreter, have finished or have zero
  // weight.
  std::size_t next, stays;
  std::uint64_t applications;  // of those that were run, since they stood where they did
  std::size_t ended;
  // Where those that were run stand, if they have not ended.
  std::uint32_t site, other_site;  // of the first particle, and the first other one
  bool has_site, mixed_sites;
};

class NativeTier {
 public:
  virtual ~NativeTier() = default;
  enum class State { Compiling, Ready, Failed };
  // Whether it can be used now. `wait`: until that is known.
  virtual State look(const Prefix& prefix, Executor& machine, bool wait) = 0;
  // Runs particles from turn.begin on.
  virtual NativeProgress run(Executor& machine, const NativeTurn& turn) = 0;
  // Converts an execution that the interpreter has run to the form of native code, if native code
  // can continue from there; leaves it unchanged otherwise. Neighbours that have the same values in
  // common are run together: `like` is a neighbour, or null.
  virtual void adopt(Executor& machine, Execution& x, const Execution* like) = 0;
  // An execution at the prefix, in its form.
  virtual const Execution& first() const = 0;
  // The observe where an execution in its form stands.
  virtual std::uint32_t site_of(const Execution& x) const = 0;
  // The executions that begin at the prefix.
  virtual void visit(Evacuator& e) = 0;
};

}  // namespace chancel
