// SPDX-License-Identifier: Apache-2.0
// An execution at rest, and the checkpoint at which it stopped. It is four words; copying it forks
// it, forgetting it drops it. What it stands on belongs to the executor that made it
// (vm/executor.hpp): engines copy and compare it, and show the ones they keep to the collector
// (visit).
#pragma once
#include <cstdint>

#include "value/heap.hpp"
#include "value/object.hpp"
#include "value/world.hpp"

namespace chancel {

struct Predicts : Object {  // newest first
  Predicts* previous;
  Value label;
  Value value;
};

struct Execution {
  Object* top = nullptr;   // where it resumes (vm/frame.hpp); null: it has ended
  World* world = nullptr;  // what it remembers
  Predicts* predicts = nullptr;
  std::uint64_t applications = 0;  // calls so far: the paper's unit of cost

  bool ended() const { return top == nullptr; }
  void visit(Evacuator& e) {
    e.visit(top);
    e.visit(world);
    e.visit(predicts);
  }
};

// Ask the cache for what a resume is going to read. What an execution made in its last run lies
// together in memory, its top frame at the end: the lines around that are the likely ones, without
// looking inside. Always inlined: a function that only prefetches looks pure to g++, and calls of
// it vanish. Addresses are numbers here: the lines need not lie in the same object, and an execution
// that has ended has no frame.
[[gnu::always_inline]] inline void prefetch_execution(const Execution& x) {
  const auto frame = reinterpret_cast<std::uintptr_t>(x.top);
  for (std::uintptr_t line = 0; line < 7; ++line)
    __builtin_prefetch(reinterpret_cast<const void*>(frame - 5 * 64 + 64 * line));
}

enum class Stop : std::uint8_t {
  Sample,      // waits for a value for checkpoint.dist
  Observe,     // scored: checkpoint.log_prob; resume with nil
  Impossible,  // an observe had probability zero (only when observes are not asked for)
  Result,      // ended with checkpoint.value
  Failed,      // Executor::failure() says why
};

// What the kind of stop has no use for is nil; dist and value of an observe: when impossible only.
// Values in a checkpoint are good until the next resume, collection or allocation barrier: use them
// at once.
struct Checkpoint {
  Stop kind = Stop::Failed;
  bool estimated = false;  // an observe: another run would give another log-probability
  std::uint32_t site = 0;
  double log_prob = 0;
  Value dist = Value::nil();
  Value value = Value::nil();  // the result
  Value id = Value::nil();     // the user's checkpoint id, or nil
};

// Which checkpoints an engine wants to see; the others are answered by the executor (samples from
// the prior, observes by adding to Executor::log_weight).
struct Wants {
  bool samples = false;
  bool observes = false;
};

}  // namespace chancel
