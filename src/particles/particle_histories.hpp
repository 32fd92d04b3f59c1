// SPDX-License-Identifier: Apache-2.0
// What is kept of the particles of a sweep, so that any of them can become the retained path of the
// next one: the states they passed at their observes (History), and when draws are recorded the
// values sampled after the last observe. Nothing is kept, and nothing allocated, unless asked for.
#pragma once
#include <vector>

#include "infer/history.hpp"

namespace chancel {

class ParticleHistories {
 public:
  ParticleHistories(bool keeps_history, bool records_draws)
      : keeps_history_(keeps_history), records_draws_(records_draws) {}
  bool keeps_history() const { return keeps_history_; }
  bool records_draws() const { return records_draws_; }

  void resize(std::size_t count);
  std::size_t size() const { return history_.size(); }  // 0 where no history is kept
  void begin();                                         // of a sweep: nothing has been recorded
  void visit(Evacuator& e);
  void visit_before(Evacuator& e);  // histories of the generation before, as long as it stays

  History* next_history(std::size_t i) const { return next_history_[i]; }
  History* history(std::size_t i) const { return history_[i]; }
  ValueArray* last_draws(std::size_t i) const { return records_draws_ ? draws_[i] : nullptr; }

  // Without draws, states are added to the history lazily, when a child continues from them: most
  // have no offspring. Until then history(i) is the history before the state, and score(i) the
  // score of its observe.
  bool is_lazy() const { return keeps_history_ && !records_draws_; }
  double score(std::size_t i) const { return scores_[i]; }
  double next_score(std::size_t i) const { return next_scores_[i]; }
  double* next_scores() { return next_scores_.data(); }
  History** next_histories() { return next_history_.data(); }

  // While particles advance to the next barrier; then all at once the next ones are the current ones.
  void set_history(std::size_t i, History* h) {
    if (keeps_history_) next_history_[i] = h;
  }
  void set_last_draws(std::size_t i, ValueArray* d) {
    if (records_draws_) next_draws_[i] = d;
  }
  // The slot in which the particle ended, of those that have.
  std::uint32_t end_slot(std::size_t i) const { return ends_[i]; }
  void set_end_slot(std::size_t i, std::uint32_t slot) {
    if (keeps_history_) next_ends_[i] = slot;
  }
  // At a barrier: particle i has another past.
  void replace_history(std::size_t i, History* h) { history_[i] = h; }
  void next_generation() {
    history_.swap(next_history_);
    ends_.swap(next_ends_);
    draws_.swap(next_draws_);
    scores_.swap(next_scores_);
  }

 private:
  bool keeps_history_;
  bool records_draws_;
  std::vector<History*> history_, next_history_;
  std::vector<std::uint32_t> ends_, next_ends_;
  std::vector<ValueArray*> draws_, next_draws_;
  std::vector<double> scores_, next_scores_;
};

}  // namespace chancel
