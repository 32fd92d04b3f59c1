// SPDX-License-Identifier: Apache-2.0
// The particles of a sweep: where each stands (ParticleStates), what it weighs (ParticleWeights), where it
// comes from (Genealogy) and what is kept of its past (ParticleHistories). Population runs them from barrier to
// barrier; NativeSweep, SweepAcrossRanks and GivenPath each do one part of that with the same particles.
#pragma once
#include <vector>

#include "particles/genealogy.hpp"
#include "particles/particle_histories.hpp"
#include "particles/particle_states.hpp"
#include "particles/particle_weights.hpp"
#include "particles/sweep_settings.hpp"

namespace chancel {

struct Particles {
  explicit Particles(const SweepSettings& settings)
      : genealogy(settings.resampling), histories(settings.keep_history, settings.record_draws) {}

  ParticleStates states;
  ParticleWeights weights;
  Genealogy genealogy;
  ParticleHistories histories;
  std::vector<double> keys;  // the last numbers drawn, when resampling goes by them
  bool fresh = true;         // they stand at the prefix
  // Slot 0 follows a retained path, whose states are all there (SweepSettings::futures) or not.
  bool follows = false, follows_states = false;
  bool ended_together = false;  // with the last turn, all of them: the generation before stays

  void make(const SweepSettings& settings);  // once
  void begin();                              // of a sweep
  // All next ones are the current ones.
  void next_generation() {
    states.next_generation();
    histories.next_generation();
    genealogy.next_generation();
    fresh = false;
  }
  // The past of a particle with its state `x` at the last observe: that of its children.
  History* past_with_state(Arena& arena, std::size_t particle, const Execution& x, History* past,
                           double score) const;
  // The past of a particle. Where all have ended together it is made when it is asked for.
  History* history(std::size_t i, Arena& arena) const;
  void visit(std::size_t begin, std::size_t end, Evacuator& e);
};

// The pasts of particles by their parents, which siblings share: ask for them one after the other.
class ParentHistory {
 public:
  ParentHistory(const Particles& particles, Arena& arena) : of_(particles), arena_(arena) {}
  History* operator()(std::size_t parent) {
    if (of_.fresh) return nullptr;
    if (parent != parent_) {
      past_ = of_.past_with_state(arena_, parent, of_.states.now[parent],
                                  of_.histories.history(parent), of_.histories.score(parent));
      parent_ = parent;
    }
    return past_;
  }

 private:
  const Particles& of_;
  Arena& arena_;
  std::size_t parent_ = ~std::size_t{0};
  History* past_ = nullptr;
};

inline History* Particles::past_with_state(Arena& arena, std::size_t particle, const Execution& x,
                                           History* past, double score) const {
  if (x.ended() || (particle == 0 && follows_states)) return past;
  History* const h = make_history(arena, past, x, score, nullptr);
  h->slot = particle == 0 && follows ? kRetainedSlot : static_cast<std::uint32_t>(particle);
  return h;
}

}  // namespace chancel
