// SPDX-License-Identifier: Apache-2.0
// See row_space.hpp.
#include "vm/row_space.hpp"

#include <algorithm>
#include <cstring>

#include "vm/row.hpp"

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

char* RowSpace::next_block(std::size_t bytes) {
  Half& half = halves_[now_];
  if (half.used == half.blocks.size()) {
    half.blocks.push_back(heap_.take_block(kBlockSize));
    half.blocks.back()->holds_rows = true;
  }
  Block* const block = half.blocks[half.used++];
  top_ = block->start() + bytes;
  limit_ = block->end();
  return block->start();
}

Object* RowSpace::allocate_slow(std::size_t bytes) {
  return Arena::header(next_block(bytes), Tag::Row, bytes);
}

char* RowSpace::take(std::size_t bytes) {
  if (static_cast<std::size_t>(limit_ - top_) >= bytes) {
    char* const at = top_;
    top_ += bytes;
    return at;
  }
  return bytes > kBlockSize - sizeof(Block) ? nullptr : next_block(bytes);
}

bool at_same_point(const Common* a, const Common* b) { return a->point == b->point; }

Execution RowBlock::execution(std::size_t particle, Arena& arena) const {
  auto* const made = static_cast<Row*>(arena.allocate(Tag::Row, row_bytes(*point)));
  made->aux = static_cast<std::uint16_t>(point->values);
  made->common = common;
  std::memcpy(static_cast<void*>(made->values), row(particle), bytes);
  Execution x = sides;
  x.top = made;
  return x;
}

void RowBlock::visit(std::size_t from, std::size_t to, Evacuator& e) const {
  const std::size_t values = point->values, pointers = point->pointers;
  if (values + pointers == 0) return;
  for (std::size_t i = from; i < to; ++i) {
    auto* const value = reinterpret_cast<Value*>(row(i));
    auto** const object = reinterpret_cast<Object**>(value + values);
    constexpr std::size_t kAhead = 8;
    if (i + kAhead < to) __builtin_prefetch(*reinterpret_cast<void**>(row(i + kAhead)));
    for (std::size_t k = 0; k < values; ++k) e.visit(value[k]);
    for (std::size_t k = 0; k < pointers; ++k) e.visit(object[k]);
    e.drain();
  }
}

void RowBlock::visit_common(Evacuator& e) {
  e.visit(common);
  sides.visit(e);
}

const RowBlock* find_block(std::span<const RowBlock> blocks, std::size_t particle) {
  const auto behind =
      std::upper_bound(blocks.begin(), blocks.end(), particle,
                       [](std::size_t p, const RowBlock& block) { return p < block.begin; });
  if (behind == blocks.begin() || !(behind - 1)->has(particle)) return nullptr;
  return &*(behind - 1);
}

void visit_in_place(Execution& x, Evacuator& e) {
  scan_object(x.top, e);
  e.visit(x.world);
  e.visit(x.predicts);
}

}  // namespace chancel
