// SPDX-License-Identifier: Apache-2.0
// See particles.hpp.
#include "particles/particles.hpp"

namespace chancel {

void Particles::make(const SweepSettings& settings) {
  const std::size_t n = settings.particles;
  states.make(n);
  weights.resize(n);
  genealogy.resize(n);
  histories.resize(n);
  if (settings.ordered) keys.assign(n, 0);
}

void Particles::begin() {
  fresh = true;
  ended_together = false;
  weights.reset();
  genealogy.begin();
  histories.begin();
}

History* Particles::history(std::size_t i, Arena& arena) const {
  if (!ended_together || (i == 0 && follows)) return histories.history(i);
  // What was current before the last turn is in the places of the next generation now.
  const std::uint32_t parent = genealogy.parent(i);
  return past_with_state(arena, parent, states.next[parent], histories.next_history(parent),
                         histories.next_score(parent));
}

void Particles::visit(std::size_t begin, std::size_t end, Evacuator& e) {
  states.visit(begin, end, e);
  histories.visit(e);
  if (!ended_together) return;
  for (std::size_t i = begin; i < end; ++i) states.next[i].visit(e);
  histories.visit_before(e);
}

}  // namespace chancel
