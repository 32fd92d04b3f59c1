// SPDX-License-Identifier: Apache-2.0
// See native_sweep.hpp.
#include "particles/native_sweep.hpp"

#include <time.h>

#include <algorithm>
#include <span>
#include <unordered_map>

#include "math/log_space.hpp"

namespace chancel {

namespace {
constexpr std::size_t kManyParticles = 1 << 14;  // of which not all stay in the caches of a core
constexpr std::size_t kAtATime = 4096;  // particles between two looks at interrupt and deadline

// Of this thread, in seconds.
double processor_time() {
  timespec t{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

// A short array, by the numbers of particles of which the first is `first`: it stays in the cache.
double* counted_from(std::size_t first, double* numbers) {
  return reinterpret_cast<double*>(reinterpret_cast<std::uintptr_t>(numbers) -
                                   first * sizeof(double));
}

// Four at a time: each comparison waits for the one before it.
class Largest {
 public:
  template <class Number>
  double over(std::size_t count, Number&& number) {
    std::size_t i = 0;
    for (; i + 4 <= count; i += 4)
      for (std::size_t k = 0; k < 4; ++k) most_[k] = std::max(most_[k], number(i + k));
    for (; i < count; ++i) most_[0] = std::max(most_[0], number(i));
    return std::max(std::max(most_[0], most_[1]), std::max(most_[2], most_[3]));
  }

 private:
  double most_[4] = {kLogZero, kLogZero, kLogZero, kLogZero};
};
}  // namespace

void NativeSweep::begin_barrier(std::uint32_t barrier, const Prefix& prefix, Executor& machine,
                                const std::function<bool()>& ready) {
  const bool all_draws = !settings_.early_draws || settings_.moves > 0;
  if (!settings_.record_draws || !all_draws || settings_.futures)
    tier_ = code_.look(
        prefix, workers_.setup(), machine,
        {.keys = settings_.ordered, .futures = settings_.futures, .blocks = uses_row_blocks()});
  if (barrier == 0) allowed_ = !tier_ || judge_.begin_sweep(processor_time());
  if (tier_ && judge_.loses()) allowed_ = false;
  if (!allowed_) tier_ = nullptr;
  if (!tier_ || !settings_.record_draws)
    on_ = tier_ != nullptr;
  else if (barrier <= 1)
    on_ = settings_.early_draws && barrier == 1 && ready();
}

// The rows of the generation before the last one are not needed any more.
void NativeSweep::begin_turn(Worker& worker) {
  worker.ended_together.clear();
  worker.blocks.clear();
  worker.commons.clear();
  if (!on_ || settings_.keep_history) return;
  if (!worker.rows) worker.rows = std::make_unique<RowSpace>(workers_.heap());
  worker.rows->begin_generation();
}

void NativeSweep::advance(Worker& worker, StreamName name, std::uint32_t barrier, std::size_t from,
                          std::size_t to) {
  if (settings_.record_draws)
    advance<true, true>(worker, name, barrier, from, to);
  else if (settings_.keep_history)
    advance<true, false>(worker, name, barrier, from, to);
  else
    advance<false, false>(worker, name, barrier, from, to);
}

template <bool kHistory, bool kRecord>
void NativeSweep::advance(Worker& worker, StreamName name, std::uint32_t barrier, std::size_t from,
                          std::size_t to) {
  ParticleStates& states = particles_.states;
  ParticleWeights& weights = particles_.weights;
  NativeTurn turn{states.now.data(),
                  particles_.genealogy.parents(),
                  states.next.data(),
                  states.next_results.data(),
                  kHistory ? particles_.histories.next_scores() : nullptr,
                  &weights.log(0),
                  from,
                  to,
                  particles_.fresh,
                  settings_.particles >= kManyParticles,
                  name,
                  barrier,
                  nullptr,
                  settings_.ordered ? particles_.keys.data() : nullptr,
                  kHistory ? nullptr : worker.rows.get(),
                  states.blocks,
                  !kHistory && uses_row_blocks() ? &worker.blocks : nullptr,
                  &worker.commons};
  if (!kHistory) worker.scores.resize(kAtATime);
  // Weights that were reset are written once, when there is something to add: until then they are read from here.
  const bool weigh_anew = weights.old();
  if (weigh_anew) worker.no_weights.resize(kAtATime);
  const bool timed = judge_.compares_particles();
  const std::size_t interpreted = timed ? TierJudge::sample_of(to - from) : 0;
  double begun = 0;
  if (interpreted > 0) {
    if (weigh_anew) weights.reset(from, from + interpreted);
    judge_.add_interpreted(leave(worker, name, barrier, from, from, from + interpreted),
                           interpreted);
    if (worker.failure) return;
    begun = processor_time();
  }
  for (std::size_t i = from + interpreted; i < to;) {
    if ((worker.failure = stop_requested(workers_.setup().run))) return;
    turn.begin = i;
    turn.end = std::min(to, i + kAtATime);
    if (weigh_anew) turn.log_weights = counted_from(i, worker.no_weights.data());
    if (!kHistory) turn.scores = counted_from(i, worker.scores.data());
    const NativeProgress done = tier_->run(*worker.machine, turn);
    add_turn<kHistory, kRecord>(worker, i, done, turn.log_weights, turn.scores);
    judge_.add(done.next - i, done.stays - done.next);
    i = done.next;
    if (i == turn.end) continue;
    if (weigh_anew) weights.reset(i, done.stays);
    leave(worker, name, barrier, from, i, done.stays);
    if (worker.failure) return;
    i = done.stays;
  }
  if (interpreted > 0) judge_.add_native(processor_time() - begun, to - from - interpreted);
}

double NativeSweep::leave(Worker& worker, StreamName name, std::uint32_t barrier, std::size_t first,
                          std::size_t from, std::size_t to) {
  const bool timed = judge_.compares_particles();
  const double begun = timed ? processor_time() : 0;
  interpret_(worker, name, barrier, from, to);
  if (worker.failure) return 0;
  const double seconds = timed ? processor_time() - begun : 0;
  ZeroedArray<Execution>& next = particles_.states.next;
  for (std::size_t i = from; i < to; ++i) {
    const bool alike = i > first && !find_block(worker.blocks, i - 1);
    tier_->adopt(*worker.machine, next[i], alike ? &next[i - 1] : nullptr);
  }
  return seconds;
}

void NativeSweep::adopt(Executor& machine, std::size_t from, std::size_t to) {
  ZeroedArray<Execution>& next = particles_.states.next;
  for (std::size_t i = from; i < to; ++i)
    tier_->adopt(machine, next[i], i > from ? &next[i - 1] : nullptr);
}

template <bool kHistory, bool kRecord>
void NativeSweep::add_turn(Worker& worker, std::size_t from, const NativeProgress& done,
                           const double* log_weights, const double* scores) {
  // Plain pointers: the compiler cannot know that writing a weight moves no vector.
  const Execution* const next = particles_.states.next.data() + from;
  double* const log_weight = &particles_.weights.log(from);
  const double* const before = log_weights + from;
  const double* const score = scores + from;
  const std::size_t count = done.next - from;
  const double largest =
      done.ended == 0
          ? Largest().over(count,
                           [=](std::size_t i) { return log_weight[i] = before[i] + score[i]; })
      : done.ended == count
          ? Largest().over(count, [=](std::size_t i) { return log_weight[i] = before[i]; })
          : Largest().over(count, [=, &worker](std::size_t i) {
              const bool ended = !find_block(worker.blocks, from + i) && next[i].ended();
              return log_weight[i] = ended ? before[i] : before[i] + score[i];
            });
  worker.largest = std::max(worker.largest, largest);
  if (kRecord)
    keep_draws(worker, from, done.next, scores);
  else if (kHistory)
    keep_pasts(worker, from, done.next, done.ended);
  particles_.genealogy.descend_all(from, done.next);
  worker.applications += done.applications;
  const auto running = static_cast<std::uint32_t>(done.next - from - done.ended);
  if (done.has_site) {
    worker.stand_at(done.site, worker.running == 0);
    if (done.mixed_sites) worker.stand_at(done.other_site, false);
    worker.has_site = true;
  }
  worker.running += running;
  worker.finished += static_cast<std::uint32_t>(done.ended);
}

// The pasts of particles that native code has run.
void NativeSweep::keep_pasts(Worker& worker, std::size_t from, std::size_t to, std::size_t ended) {
  ParticleHistories& histories = particles_.histories;
  History** const next_histories = histories.next_histories();
  if (particles_.fresh) {
    std::fill(next_histories + from, next_histories + to, nullptr);
  } else if (ended == to - from) {
    // One of them is chosen at most, unless others continue.
    std::fill(next_histories + from, next_histories + to, nullptr);
    worker.ended_together.emplace_back(from, to);
  } else {
    make_pasts(worker, from, to);
  }
  if (ended == 0) return;
  for (std::size_t i = from; i < to; ++i)
    if (particles_.states.next[i].ended()) histories.set_end_slot(i, static_cast<std::uint32_t>(i));
}

void NativeSweep::make_pasts(Worker& worker, std::size_t from, std::size_t to) {
  const std::uint32_t* const parents = particles_.genealogy.parents();
  History** const next_histories = particles_.histories.next_histories();
  ParentHistory past_of(particles_, worker.machine->arena());
  for (std::size_t i = from; i < to; ++i) next_histories[i] = past_of(parents ? parents[i] : i);
}

// The same where draws are recorded: states with the number of given ones they have taken.
void NativeSweep::keep_draws(Worker& worker, std::size_t from, std::size_t to,
                             const double* scores) {
  ParticleHistories& histories = particles_.histories;
  const std::uint32_t* const parents = particles_.genealogy.parents();
  History** const next_histories = histories.next_histories();
  for (std::size_t i = from; i < to; ++i) {
    const Execution& x = particles_.states.next[i];
    next_histories[i] = histories.history(parents ? parents[i] : i);
    if (x.ended()) {
      histories.set_end_slot(i, static_cast<std::uint32_t>(i));
    } else {
      const std::uint32_t taken = next_histories[i]->given;
      next_histories[i] =
          make_history(worker.machine->arena(), next_histories[i], x, scores[i], nullptr);
      next_histories[i]->given = taken;
    }
    histories.set_last_draws(i, nullptr);
  }
}

// Where all have ended together, and no other particle is left, their pasts are made when they are asked for
// (Particles::history). Else they are made now.
void NativeSweep::end_barrier(unsigned first, unsigned count, std::size_t all, bool any_running) {
  if (!settings_.keep_history) return;
  std::size_t ended = 0;
  for (unsigned m = first; m < first + count; ++m)
    for (const auto& [from, to] : workers_.worker(m).ended_together) ended += to - from;
  particles_.ended_together = ended == all && !any_running && all > 0;
  if (particles_.ended_together) return;
  for (unsigned m = first; m < first + count; ++m)
    for (const auto& [from, to] : workers_.worker(m).ended_together)
      make_pasts(workers_.worker(first), from, to);
}

// The blocks of all workers, in the order of their slices. What several of them have made of the same is one.
void NativeSweep::take_blocks(unsigned first, unsigned count) {
  constexpr std::size_t kLooks = 16;  // where there are more, particles are not run together anyway
  std::vector<RowBlock>& blocks = particles_.states.blocks;
  blocks.clear();
  std::span<const KeptCommon> known = workers_.worker(first).commons;
  known = known.first(std::min(known.size(), kLooks));
  for (unsigned m = first; m < first + count; ++m) {
    const Worker& worker = workers_.worker(m);
    std::unordered_map<const Common*, Common*> known_as;
    if (m > first)
      for (const KeptCommon& made : worker.commons) {
        if (!made.only_common) continue;
        for (const KeptCommon& other : known)
          if (other.only_common && other.origin == made.origin && other.world == made.world &&
              at_same_point(other.made, made.made)) {
            known_as[made.made] = other.made;
            break;
          }
      }
    for (RowBlock block : worker.blocks) {
      if (const auto other = known_as.find(block.common); other != known_as.end())
        block.common = other->second;
      blocks.push_back(block);
    }
  }
}

}  // namespace chancel
