// SPDX-License-Identifier: Apache-2.0
// What a population asks of native code: to take particles from their observes to the next ones, in
// place of the interpreter and with the same bits. Made for one query by RunSetup::native_tier.
#pragma once
#include <cstddef>
#include <memory>

#include "infer/prefix.hpp"
#include "random/stream.hpp"
#include "vm/executor.hpp"
#include "vm/row.hpp"

namespace chancel {

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
  StreamName name;
  std::uint32_t barrier;
};

class NativeTier {
 public:
  virtual ~NativeTier() = default;
  enum class State { Compiling, Ready, Failed };
  // Whether it can be used now. `wait`: until that is known.
  virtual State look(const Prefix& prefix, Executor& machine, bool wait) = 0;
  // Runs particles from turn.begin on. Gives the first one that it has not run: it needs the
  // interpreter, has ended or is dead. *stays: so do all up to there (at least one).
  virtual std::size_t run(Executor& machine, const NativeTurn& turn, std::size_t* stays) = 0;
  // An execution that the interpreter has run, where native code can go on from: it is put into its
  // form. Other executions are left as they are.
  virtual void adopt(Executor& machine, Execution& x) = 0;
  // The site of the observe where a row stands.
  const std::uint32_t* site_of(const Execution& x) const {
    return &static_cast<const Row*>(x.top)->common->point->site;
  }
  // The executions that begin at the prefix.
  virtual void visit(Evacuator& e) = 0;
};

}  // namespace chancel
