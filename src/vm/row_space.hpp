// SPDX-License-Identifier: Apache-2.0
// Rows of a population in which nobody remembers the past: those of the last generation die together when the next
// one stands. So they lie in two halves that take turns, instead of in an arena: their memory stays in the caches as
// long as there are few enough, and collections need not copy them. One for each thread.
//
// A collection leaves rows where they are; whoever has executions that stand in them shows what they hold
// (visit_in_place).
#pragma once
#include <vector>

#include "vm/execution.hpp"

namespace chancel {

class RowSpace {
 public:
  explicit RowSpace(Heap& heap) : heap_(heap) {}
  ~RowSpace();
  RowSpace(const RowSpace&) = delete;
  RowSpace& operator=(const RowSpace&) = delete;

  // Rows made from now on are of the next generation: those of the one before the last are gone.
  void begin_generation();
  // For code that allocates by itself, as in an arena.
  char** top_place() { return &top_; }
  char** limit_place() { return &limit_; }
  Object* allocate_slow(std::size_t bytes);

 private:
  struct Half {
    std::vector<Block*> blocks;
    std::size_t used = 0;  // blocks
  };
  Heap& heap_;
  Half halves_[2];
  unsigned now_ = 0;
  alignas(64) char* top_ = nullptr;
  char* limit_ = nullptr;
};

// Whether the execution stands in a row of such a space.
inline bool stands_in_row_space(const Execution& x) {
  return x.top && x.top->tag == Tag::Row && block_of(x.top)->holds_rows;
}
// The execution, for a collection that does not move its row.
void visit_in_place(Execution& x, Evacuator& e);
// Asks the cache for what the row of an execution that comes soon points at first (it may be a number, of no use).
[[gnu::always_inline]] inline void prefetch_held(const Execution& x) {
  constexpr std::size_t kHead = 2;  // words
  if (!x.top || x.top->tag != Tag::Row || x.top->words <= kHead) return;
  __builtin_prefetch(reinterpret_cast<void* const*>(x.top)[kHead]);
}

}  // namespace chancel
