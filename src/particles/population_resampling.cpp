// SPDX-License-Identifier: Apache-2.0
// From one generation of a population to the next: resampling, and moves after it.
#include <algorithm>
#include <numeric>
#include <span>

#include "base/planted.hpp"
#include "particles/population.hpp"

namespace chancel {

namespace {
// Nothing, unless a mistake of resampling is planted.
void plant_in_parents(std::span<const Execution> particles, bool conditional,
                      const Weights& weights, Stream& stream, Genealogy& genealogy) {
  const std::size_t n = particles.size();
  if (planted(Mistake::FinishedNotResampled))
    for (std::size_t i = 0; i < n; ++i)
      if (particles[i].ended()) genealogy.set_parent(i, static_cast<std::uint32_t>(i));
  if (planted(Mistake::ProtectedSystematic) && conditional) {
    const double u = stream.uniform();
    std::uint32_t parent = 0;
    double cumulated = weights.relative()[0];
    for (std::size_t i = 1; i < n; ++i) {
      const double point =
          (u + static_cast<double>(i - 1)) / static_cast<double>(n - 1) * weights.sum();
      while (point >= cumulated && parent + 1 < n) cumulated += weights.relative()[++parent];
      genealogy.set_parent(i, parent);
    }
  }
}
}  // namespace

void Population::resample(std::uint32_t barrier, const SweepPlace& place) {
  const std::size_t n = settings_.particles;
  const Weights& weights = this->weights();
  const StreamName name = name_at(barrier);
  Genealogy& genealogy = particles_.genealogy;
  BarrierStatistics statistics;
  statistics.barrier = barrier + prefix_->observes;
  statistics.site = totals_.site;
  statistics.ess = weights.ess();
  statistics.log_mean_weight = weights.log_mean();
  statistics.resampled = settings_.ess_threshold >= 1 ||
                         weights.ess() < settings_.ess_threshold * static_cast<double>(n);
  statistics.distinct_ancestors = static_cast<std::uint32_t>(n);
  if (statistics.resampled) {
    Stream stream = workers_.stream(name, kResamplingSlot, barrier);
    if (settings_.ordered && !given_.path) {
      const std::vector<double>& keys = particles_.keys;
      order_.resize(n);
      std::iota(order_.begin(), order_.end(), 0u);
      std::sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) {
        return keys[a] != keys[b] ? keys[a] < keys[b] : a < b;
      });
      genealogy.draw_in_order(weights, stream, order_);
    } else if (!ranks_.has_all_weights()) {
      ranks_.draw_parents(stream, in_slices_);
    } else {
      genealogy.draw(weights, stream, given_.path != nullptr,
                     place.alone ? in_slices_ : InSlices{});
      ranks_.find_children();
    }
    if (given_.path && given_.choose_ancestor)
      genealogy.set_parent(0, given_.choose_ancestor(barrier, *given_.path));
    statistics.distinct_ancestors = genealogy.distinct_parents();
    outcome_.log_evidence += weights.log_mean();
    const ParticleStates& states = particles_.states;
    plant_in_parents({states.now.data(), states.now.size()}, given_.path != nullptr, weights,
                     stream, genealogy);
    if (!planted(Mistake::WeightsNotReset)) {
      // Native code reads them as it advances: what is reset in passing need not come back to the cache.
      particles_.weights.leave_old(native_.on() && !settings_.record_draws);
      if (!particles_.weights.old())
        particles_.weights.reset(ranks_.slice().begin, ranks_.slice().end);
    }
  } else {
    genealogy.stay();
  }
  outcome_.barriers.push_back(statistics);
  if (keeps_tree()) genealogy.remember_generation();
}

// Every slot takes the particle that it comes from.
void Population::follow_parents() {
  ParticleStates& states = particles_.states;
  ParticleHistories& histories = particles_.histories;
  Genealogy& genealogy = particles_.genealogy;
  for (std::size_t i = 0; i < settings_.particles; ++i) {
    const std::size_t parent = genealogy.parent(i);
    states.next[i] = states.now[parent];
    states.next_results[i] = states.results[parent];
    histories.set_history(i, histories.history(parent));
    histories.set_last_draws(i, histories.last_draws(parent));
    if (histories.keeps_history()) histories.set_end_slot(i, histories.end_slot(parent));
    genealogy.descend(i, parent);
  }
  particles_.next_generation();
  genealogy.stay();
}

bool Population::move(std::uint32_t barrier) {
  if (outcome_.estimated)
    return outcome_.fail({Code::I002,
                          Severity::Error,
                          {},
                          ":move cannot be used where an observed conditional is estimated",
                          "leave out :move, or give the conditional to :enumerate",
                          {}});
  const std::uint64_t proposals = moves_->proposals(), accepted = moves_->accepted();
  const bool ok = move_particles(name_at(barrier).child(kStepStream, barrier), barrier);
  outcome_.proposals += moves_->proposals() - proposals;
  outcome_.accepted += moves_->accepted() - accepted;
  return ok;
}

bool Population::move_particles(StreamName here, std::uint32_t barrier) {
  // Moves leave much garbage: a collection may be due after kAtATime particles.
  constexpr std::size_t kAtATime = 256, kLeast = 8;
  ParticleStates& states = particles_.states;
  ParticleHistories& histories = particles_.histories;
  if (particles_.genealogy.drawn()) follow_parents();
  moves_->prepare();
  const Worker* const first = &workers_.worker(0);
  for (std::size_t from = 0; from < settings_.particles; from += kAtATime) {
    const std::size_t count = std::min<std::size_t>(kAtATime, settings_.particles - from);
    workers_.for_slices(count, kLeast, [&](Worker& worker, std::size_t begin, std::size_t end) {
      const auto number = static_cast<unsigned>(&worker - first);
      std::size_t i = from + begin;
      const auto full = within_memory([&] {
        for (; i < from + end; ++i) {
          if (states.now[i].ended() || log_weight(i) == kLogZero) continue;
          MovedParticle particle{states.now[i], histories.history(i)};
          if (!moves_->run(number, here.child(kChainStream, i), barrier + 1, &particle)) {
            worker.failure = moves_->failure(number);
            worker.failed_at = i;
            return;
          }
          states.now[i] = particle.at;
          histories.replace_history(i, particle.history);
        }
      });
      if (full) {
        worker.failure = full;
        worker.failed_at = i;
      }
    });
    if ((outcome_.failure = workers_.take_failure())) return false;
    workers_.collect_if_due();
    if ((outcome_.failure = stop_requested(setup().run))) return false;
  }
  return true;
}

}  // namespace chancel
