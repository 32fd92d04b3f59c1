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

// Draws of another execution between two observes, four values each: site, law, value, name (infer/history.hpp).
struct GivenDraws {
  static constexpr std::size_t kValues = 4;
  const Value* values;
  const std::uint64_t* parts;  // of the law that each is of (Fit, value/dist_object.hpp)
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
  // How many random numbers each has taken: its stream goes on over observes, as step 0. Null: streams
  // begin anew at every barrier.
  std::uint64_t* drawn = nullptr;
  double* keys = nullptr;    // the last number that each draws (0: none), where it is asked for
  RowSpace* rows = nullptr;  // where rows lie; null: in the arena
  // Parents in rows without heads, in the order of their places; `from` has nothing of them.
  std::span<const RowBlock> blocks = {};
  // Particles may rest so, where native code can do it: these blocks grow, and `to` gets nothing of them. Null: no.
  std::vector<RowBlock>* blocks_to = nullptr;
  std::vector<KeptCommon>* commons = nullptr;  // made since the last barrier; null: nobody asks
  // Particles take these in place of their own draws, all of them and no others, each at the same site from a law of
  // the same type, in the same part. Scores are then log_weights with the log densities of the draws added, and that of the observe;
  // one that cannot have drawn them may end with the score -inf.
  const GivenDraws* given = nullptr;
};

struct NativeProgress {
  // The first particle that was not run: it needs the interpreter, has ended or is dead; and so do all
  // up to `stays`.
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
  // An execution that the interpreter has run, where native code can go on from: it is put into its
  // form. Other executions are left as they are. Neighbours are run together where they have the same
  // values in common: `like` is one, if there is any.
  virtual void adopt(Executor& machine, Execution& x, const Execution* like) = 0;
  // An execution at the prefix, in its form.
  virtual const Execution& first() const = 0;
  // The observe where an execution in its form stands.
  virtual std::uint32_t site_of(const Execution& x) const = 0;
  // The executions that begin at the prefix.
  virtual void visit(Evacuator& e) = 0;
};

}  // namespace chancel
