// SPDX-License-Identifier: Apache-2.0
// Where the particles of a population stand: an execution for each, now and at the next barrier, and the
// results of those that have ended. Native code may leave neighbours in blocks of rows instead
// (vm/row_space.hpp); `now` has nothing of these.
#pragma once
#include <vector>

#include "infer/worker_pool.hpp"
#include "infer/zeroed_array.hpp"

namespace chancel {

struct ParticleStates {
  ZeroedArray<Execution> now, next;          // next[i] continues now[parent of i]
  std::vector<RowBlock> blocks;              // of `now`, in the order of their particles
  ZeroedArray<Value> results, next_results;  // of finished particles

  static constexpr std::size_t kBytes = 2 * (sizeof(Execution) + sizeof(Value));  // a particle
  void make(std::size_t count);
  // The state of a particle; of one in a block, in a row of the arena.
  Execution at(std::size_t i, Arena& arena) const {
    const RowBlock* const block = blocks.empty() ? nullptr : find_block(blocks, i);
    return block ? block->execution(i, arena) : now[i];
  }
  // In a large population the frames of all particles are cold: asks the cache for those of a particle that
  // comes soon, while particle i runs.
  [[gnu::always_inline]] void prefetch(std::size_t i, std::size_t to,
                                       const std::uint32_t* parents) const {
    constexpr std::size_t kAhead = 4;
    if (i + kAhead < to) prefetch_execution(now[parents ? parents[i + kAhead] : i + kAhead]);
  }
  // What is next is now; what was now stays in the place of the next until particles advance.
  void next_generation() {
    now.swap(next);
    results.swap(next_results);
  }
  // These particles are dead: a collection must not see them.
  void forget(std::size_t begin, std::size_t end);
  void visit(std::size_t begin, std::size_t end, Evacuator& e);
};

}  // namespace chancel
