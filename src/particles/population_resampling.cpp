// SPDX-License-Identifier: Apache-2.0
// From one generation of a population to the next: resampling, and moves after it.
#include <algorithm>
#include <numeric>
#include <span>

#include "particles/population.hpp"

namespace chancel {

namespace {
// Planted mistakes of resampling (tests only).
void sabotage_parents(Sabotage asked, std::span<const Execution> particles, bool conditional,
                      const Weights& weights, Stream& stream, Genealogy& genealogy) {
  const std::size_t n = particles.size();
  if (planted(asked, Sabotage::FinishedNotResampled))
    for (std::size_t i = 0; i < n; ++i)
      if (particles[i].ended()) genealogy.set_parent(i, static_cast<std::uint32_t>(i));
  if (planted(asked, Sabotage::ProtectedSystematic) && conditional) {
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

void Population::resample(StreamName name, std::uint32_t barrier, RetainedPath* retained,
                          const SweepPlace& place) {
  const std::size_t n = settings_.particles;
  const Weights& weights = weights_.now();
  BarrierStatistics statistics;
  statistics.barrier = barrier + prefix_->observes;
  statistics.site = site_;
  statistics.ess = weights.ess();
  statistics.log_mean_weight = weights.log_mean();
  statistics.resampled = settings_.ess_threshold >= 1 ||
                         weights.ess() < settings_.ess_threshold * static_cast<double>(n);
  statistics.distinct_ancestors = static_cast<std::uint32_t>(n);
  next_bounds_ = bounds_;
  if (statistics.resampled) {
    Stream stream = workers_.stream(name, kResamplingSlot, barrier);
    if (settings_.ordered && !retained) {
      order_.resize(n);
      std::iota(order_.begin(), order_.end(), 0u);
      std::sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) {
        return keys_[a] != keys_[b] ? keys_[a] < keys_[b] : a < b;
      });
      genealogy_.draw_in_order(weights, stream, order_);
    } else if (!all_weights_) {
      draw_slice_of_parents(stream, *place.ranks);
    } else {
      genealogy_.draw(weights, stream, retained != nullptr, place.alone ? in_slices_ : InSlices{});
      if (place.ranks) find_children(*place.ranks);
    }
    if (retained && choose_ancestor) genealogy_.set_parent(0, choose_ancestor(barrier, *retained));
    statistics.distinct_ancestors = genealogy_.distinct_parents();
    log_evidence_ += weights.log_mean();
    const Sabotage sabotage = workers_.setup().sabotage;
    if (kCanSabotage)
      sabotage_parents(sabotage, {current_.data(), current_.size()}, retained != nullptr, weights,
                       stream, genealogy_);
    if (!planted(sabotage, Sabotage::WeightsNotReset)) reset_weights();
  } else {
    genealogy_.stay();
  }
  barriers_.push_back(statistics);
  if (workers_.setup().keep_descent && runs_ <= kKeptSweeps) genealogy_.remember_generation();
}

// Native code finds them as it goes: what is reset in passing need not come back to the cache.
void Population::reset_weights() {
  weights_are_old_ = natively_ && !settings_.record_draws;
  if (!weights_are_old_) weights_.reset(slice_.begin, slice_.end);
}

// Every slot takes the particle that it comes from.
void Population::follow_parents() {
  for (std::size_t i = 0; i < settings_.particles; ++i) {
    const std::size_t parent = genealogy_.parent(i);
    next_[i] = current_[parent];
    next_results_[i] = results_[parent];
    recording_.set_history(i, recording_.history(parent));
    recording_.set_last_draws(i, recording_.last_draws(parent));
    if (recording_.keeps_history()) recording_.set_end_slot(i, recording_.end_slot(parent));
    genealogy_.descend(i, parent);
  }
  current_.swap(next_);
  results_.swap(next_results_);
  recording_.next_generation();
  genealogy_.next_generation();
  genealogy_.stay();
}

bool Population::move(StreamName name, std::uint32_t barrier) {
  if (estimated_) {
    failure_ = Diagnostic{Code::I002,
                          Severity::Error,
                          {},
                          ":move cannot be used where an observed conditional is estimated",
                          "leave out :move, or give the conditional to :enumerate",
                          {}};
    return false;
  }
  // Moves leave much behind: a collection may be due after so many particles.
  constexpr std::size_t kAtATime = 256, kLeast = 8;
  if (genealogy_.drawn()) follow_parents();
  moves_->prepare();
  const StreamName here = name.child(kStepStream, barrier);
  const Worker* const first = &workers_.worker(0);
  for (std::size_t from = 0; from < settings_.particles; from += kAtATime) {
    const std::size_t count = std::min<std::size_t>(kAtATime, settings_.particles - from);
    workers_.for_slices(count, kLeast, [&](Worker& worker, std::size_t begin, std::size_t end) {
      const auto number = static_cast<unsigned>(&worker - first);
      std::size_t i = from + begin;
      const auto full = within_memory([&] {
        for (; i < from + end; ++i) {
          if (current_[i].ended() || weights_.log(i) == kLogZero) continue;
          MovedParticle particle{current_[i], recording_.history(i)};
          if (!moves_->run(number, here.child(kChainStream, i), barrier + 1, &particle)) {
            worker.failure = moves_->failure(number);
            worker.failed_at = i;
            return;
          }
          current_[i] = particle.at;
          recording_.replace_history(i, particle.history);
        }
      });
      if (full) {
        worker.failure = full;
        worker.failed_at = i;
      }
    });
    if ((failure_ = workers_.take_failure())) return false;
    workers_.collect_if_due();
    if ((failure_ = stop_requested(workers_.setup().run))) return false;
  }
  return true;
}

}  // namespace chancel
