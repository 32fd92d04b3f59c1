// SPDX-License-Identifier: Apache-2.0
// Rows for populations that keep no history: all rows of a generation become garbage together, when
// the next one is complete. So they lie in two halves that take turns, instead of in an arena:
// their memory stays in the caches as long as there are few enough, and collections need not copy
// them. One for each thread.
//
// A collection does not move rows; the owner of executions in rows shows it what the rows hold
// (visit_in_place, RowBlock::visit).
#pragma once
#include <span>
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
  // Memory of this generation, for headerless rows; null: that is too much for one piece.
  char* take(std::size_t bytes);
  // The last that was taken ends here, and needs to end there only.
  void give_back(const char* end, char* needed) {
    if (top_ == end) top_ = needed;
  }

 private:
  char* next_block(std::size_t bytes);

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

struct Common;       // vm/row.hpp
struct ResumePoint;  // the same
bool at_same_point(const Common* a, const Common* b);

// Neighbours at one resume point with the same values in common, and the same world, predicts and
// applications: what differs between them lies in headerless rows, and they need no Execution of
// their own.
struct RowBlock {
  std::size_t begin, end;  // particles
  std::size_t room;        // for those before this one
  std::size_t bytes;       // of a row
  char* rows;
  const ResumePoint* point;
  Common* common;
  Execution sides;  // of each, without its top

  bool has(std::size_t particle) const { return particle >= begin && particle < end; }
  char* row(std::size_t particle) const { return rows + (particle - begin) * bytes; }
  void give_room_back(RowSpace& space) {
    space.give_back(row(room), row(end));
    room = end;
  }
  // The execution of one of them, in a row of the arena.
  Execution execution(std::size_t particle, Arena& arena) const;
  // For a collection: what the rows of some of them hold, and what they have in common.
  void visit(std::size_t from, std::size_t to, Evacuator& e) const;
  void visit_common(Evacuator& e);
};
// The one that has the particle, of blocks in ascending order; null: none has.
const RowBlock* find_block(std::span<const RowBlock> blocks, std::size_t particle);

// What particles have in common after a turn, by what their parents had in common before it: the next ones that come from
// there get the same, so that they are run together.
struct KeptCommon {
  const Common* origin;
  const void* world;  // the one that was looked at, if any
  Common* made;
  bool
      only_common;  // particles themselves hold nothing of it: another one like it may take its place
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
