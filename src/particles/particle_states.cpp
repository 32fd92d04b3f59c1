// SPDX-License-Identifier: Apache-2.0
// See particle_states.hpp.
#include "particles/particle_states.hpp"

#include <algorithm>

namespace chancel {

void ParticleStates::make(std::size_t count) {
  now.make(count);
  next.make(count);
  results.make(count);
  next_results.make(count);
}

void ParticleStates::forget(std::size_t begin, std::size_t end) {
  if (now.empty()) return;
  blocks.clear();
  std::fill(now.data() + begin, now.data() + end, Execution{});
  std::fill(results.data() + begin, results.data() + end, Value::nil());
}

void ParticleStates::visit(std::size_t begin, std::size_t end, Evacuator& e) {
  auto block = blocks.begin();
  for (std::size_t i = begin; i < end; ++i) {
    while (block != blocks.end() && block->end <= i) ++block;
    if (block != blocks.end() && block->begin <= i) {
      if (i == block->begin) block->visit_common(e);
      const std::size_t stop = std::min(block->end, end);
      block->visit(i, stop, e);
      i = stop - 1;
      continue;
    }
    if (stands_in_row_space(now[i])) {
      constexpr std::size_t kAhead = 8;
      if (i + kAhead < end) prefetch_held(now[i + kAhead]);
      visit_in_place(now[i], e);
    } else {
      prefetch(i, end, nullptr);
      now[i].visit(e);
    }
    if (now[i].ended()) e.visit(results[i]);
    e.drain();
  }
}

}  // namespace chancel
