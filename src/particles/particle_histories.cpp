// SPDX-License-Identifier: Apache-2.0
#include "particles/particle_histories.hpp"

#include <algorithm>

namespace chancel {

void ParticleHistories::resize(std::size_t count) {
  if (keeps_history_) {
    history_.resize(count);
    next_history_.resize(count);
    scores_.resize(count);
    next_scores_.resize(count);
    ends_.resize(count);
    next_ends_.resize(count);
  }
  if (records_draws_) {
    draws_.resize(count);
    next_draws_.resize(count);
  }
}

void ParticleHistories::begin() {
  std::fill(history_.begin(), history_.end(), nullptr);
  std::fill(draws_.begin(), draws_.end(), nullptr);
}

namespace {
template <class T>
void visit_part(std::vector<T>& all, Evacuator& e) {
  const std::size_t end = all.size() * (e.part() + 1) / e.parts();
  for (std::size_t i = all.size() * e.part() / e.parts(); i < end; ++i) e.visit(all[i]);
}
}  // namespace

void ParticleHistories::visit(Evacuator& e) {
  visit_part(history_, e);
  visit_part(draws_, e);
}
void ParticleHistories::visit_before(Evacuator& e) { visit_part(next_history_, e); }

}  // namespace chancel
