// SPDX-License-Identifier: Apache-2.0
// See row_space.hpp.
#include "vm/row_space.hpp"

namespace chancel {

RowSpace::~RowSpace() {
  for (const Half& half : halves_)
    for (Block* b : half.blocks) heap_.drop_block(b);
}

void RowSpace::begin_generation() {
  now_ ^= 1;
  halves_[now_].used = 0;
  top_ = limit_ = nullptr;
}

Object* RowSpace::allocate_slow(std::size_t bytes) {
  Half& half = halves_[now_];
  if (half.used == half.blocks.size()) {
    half.blocks.push_back(heap_.take_block(kBlockSize));
    half.blocks.back()->holds_rows = true;
  }
  Block* const block = half.blocks[half.used++];
  top_ = block->start();
  limit_ = block->end();
  char* const at = top_;
  top_ += bytes;
  return Arena::header(at, Tag::Row, bytes);
}

void visit_in_place(Execution& x, Evacuator& e) {
  scan_object(x.top, e);
  e.visit(x.world);
  e.visit(x.predicts);
}

}  // namespace chancel
