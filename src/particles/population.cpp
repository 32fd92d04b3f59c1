// SPDX-License-Identifier: Apache-2.0
// See population.hpp. sweep() is the algorithm; advance_slice() is the hottest loop of the project.
#include "particles/population.hpp"

#include <algorithm>
#include <cmath>

#include "base/planted.hpp"
#include "math/log_space.hpp"
#include "random/neighbours.hpp"
#include "value/number.hpp"

namespace chancel {

namespace {
// Particles that a thread should have at least: waking it costs about as much as a hundred steps.
constexpr std::size_t kLeastSlice = 128;
constexpr std::size_t kLookEvery = 4096;  // particles between two looks at interrupt and deadline
constexpr std::size_t kWorthDropping = std::size_t{2} << 20;

// Of the draws since the last observe.
double last_number(const std::vector<Value>& draws) {
  for (std::size_t i = draws.size(); i >= kDrawValues; i -= kDrawValues) {
    const Value& v = draws[i - kDrawValues + 2];
    if (v.is(Tag::Double) || v.is(Tag::Int)) return to_double(v);
  }
  return 0;
}

}  // namespace

Population::Population(WorkerPool& workers, const SweepSettings& settings)
    : workers_(workers),
      settings_(settings),
      particles_(settings),
      given_(workers.setup()),
      native_(workers, settings_, particles_,
              [this](Worker& worker, StreamName name, std::uint32_t barrier, std::size_t from,
                     std::size_t to) { interpret(worker, name, barrier, from, to); }),
      ranks_(workers, settings_, particles_) {
  if (settings.moves > 0) moves_.emplace(workers, settings.moves);
  constexpr std::size_t kLeastPieces = 8;  // of a thread's share
  if (workers.slices(pieces_of(settings.particles), kLeastPieces) > 1)
    in_slices_ = [this](std::size_t count,
                        const std::function<void(std::size_t, std::size_t)>& work) {
      workers_.for_slices(count, kLeastPieces,
                          [&](Worker&, std::size_t begin, std::size_t end) { work(begin, end); });
    };
  register_history_scanner();
  workers_.add_shared_roots([this](Evacuator& e) { visit(e); });
  workers_.expect_executions(settings.particles, settings.slices);
}

void Population::visit(Evacuator& e) {
  if (e.part() == 0) {
    if (prefix_) prefix_->visit(e);
    native_.visit(e);
    ranks_.visit(e);
  }
  const SweepAcrossRanks::Slice slice = ranks_.slice();
  particles_.visit(slice.begin + slice.size() * e.part() / e.parts(),
                   slice.begin + slice.size() * (e.part() + 1) / e.parts(), e);
}

void Population::begin(const SweepPlace& place) {
  if (particles_.states.now.empty()) {
    constexpr std::size_t kBytes = ParticleStates::kBytes + 64;  // in all arrays
    if (settings_.particles > workers_.heap().limit() / kBytes)
      throw MemoryLimit{workers_.heap().limit()};
    particles_.make(settings_);
  }
  ranks_.begin(place.ranks);
  outcome_.begin();
  ++runs_;
  particles_.begin();
  particles_.states.forget(ranks_.slice().begin, ranks_.slice().end);
}

bool Population::run(StreamName name, RetainedPath* retained, const SweepPlace& place) {
  bool ok = false;
  name_ = name;
  given_.path = retained;
  if (auto full = within_memory([&] { ok = sweep(place); })) outcome_.failure = full;
  given_.path = nullptr;
  if (!alive() || failure())  // the rows they stand in may be another sweep's soon
    particles_.states.forget(ranks_.slice().begin, ranks_.slice().end);
  return ok && !failure();
}

bool Population::sweep(const SweepPlace& place) {
  begin(place);
  // Almost nothing is alive now: a collection is nearly free and lets the sweep use memory that is
  // still in the cache.
  if (place.alone && workers_.heap().used() > kWorthDropping) workers_.collect();
  if (!find_prefix(workers_.machine(place.worker))) return false;
  outcome_.log_evidence = prefix_->log_weight;
  outcome_.observed = prefix_->observes > 0;
  if (prefix_->kind == Stop::Impossible) {
    outcome_.alive = false;
    return true;
  }
  if (given_.path && given_.path->empty()) given_.path = nullptr;
  particles_.follows = given_.path != nullptr;
  particles_.follows_states = particles_.follows && settings_.futures;
  for (std::uint32_t barrier = 0;; ++barrier) {
    if (!run_to_barrier(barrier, place)) return false;
    if (place.ranks)
      ranks_.share_weights(totals_.largest);
    else
      particles_.weights.weigh(workers_, place.alone, totals_.largest);
    outcome_.fragile = outcome_.fragile || few_survive();
    if (totals_.largest == std::numeric_limits<double>::infinity())
      return outcome_.fail({Code::R012,
                            Severity::Error,
                            setup().image->program->site(totals_.site).span,
                            "observe: the density is infinite, so the weights cannot be compared",
                            "",
                            {}});
    if (!weights().any()) {
      outcome_.alive = false;
      outcome_.log_evidence = kLogZero;
      return true;
    }
    if (totals_.running == 0) break;
    outcome_.observed = true;
    if (planted(Mistake::LoseRetained)) given_.path = nullptr;
    resample(barrier, place);
    if (moves_ && !move(barrier)) return false;
    if (place.alone) {
      workers_.collect_if_due();
      // Ranks that share a sweep look while particles advance, and tell each other.
      if (!place.ranks && (outcome_.failure = stop_requested(setup().run))) return false;
    }
  }
  if (!planted(Mistake::EvidenceWithoutLast)) outcome_.log_evidence += weights().log_mean();
  if (place.ranks)
    outcome_.evidence_error = ranks_.evidence_error();
  else if (!given_.path)
    outcome_.evidence_error =
        particles_.genealogy.evidence_error(weights(), particles_.weights.before());
  return true;
}

bool Population::find_prefix(Executor& machine) {
  if (prefix_) return true;
  prefix_.emplace();
  if (prefix_->run(machine, setup())) return true;
  outcome_.failure = machine.failure();
  prefix_.reset();
  return false;
}

// Some particles have died and only a few are left: another sweep may die out here. With 30 left of
// those that began, the chance of that is below 1e-12.
bool Population::few_survive() const {
  constexpr std::size_t kSafe = 30;
  if (weights().ess() >= static_cast<double>(kSafe)) return false;
  std::size_t dead = 0;
  for (std::size_t i = ranks_.slice().begin; i < ranks_.slice().end; ++i)
    dead += log_weight(i) == kLogZero;
  dead = ranks_.add_up(dead);
  return dead > 0 && settings_.particles - dead < kSafe;
}

bool Population::run_to_barrier(std::uint32_t barrier, const SweepPlace& place) {
  native_.begin_barrier(barrier, *prefix_, workers_.machine(place.worker),
                        [this] { return given_.all_have_taken(particles_); });
  const StreamName name = name_at(barrier);
  const std::size_t first = given_.path ? 1 : 0;
  const bool parents_here = !place.ranks || barrier == 0 || enter_slice(place.worker);
  const SweepAcrossRanks::Slice here = ranks_.slice();
  const unsigned from = place.alone ? 0 : place.worker;
  const unsigned parts = place.alone ? workers_.slices(here.size(), kLeastSlice) : 1;
  if (barrier > 0 && parents_here) ranks_.keep_lineages();
  for (unsigned m = from; m < from + parts; ++m) {
    Worker& worker = workers_.worker(m);
    worker.applications = 0;
    worker.running = worker.finished = 0;
    worker.has_site = worker.mixed_sites = false;
    worker.largest = kLogZero;
    worker.failure.reset();
    native_.begin_turn(worker);
  }
  if (given_.path) {
    if (particles_.weights.old()) particles_.weights.reset(0, 1);
    given_.follow(barrier, workers_.worker(from), particles_);
  }
  if (!parents_here)
    ;  // a failure, as below
  else if (place.alone)
    workers_.for_slices(
        here.size(), kLeastSlice, [&](Worker& m, std::size_t begin, std::size_t end) {
          advance(m, name, barrier, std::max(here.begin + begin, first), here.begin + end);
        });
  else
    advance(workers_.worker(from), name, barrier, first, settings_.particles);
  particles_.weights.leave_old(false);
  return add_up(from, parts, place);
}

// After particles have advanced: what `count` workers from number `first` on have met.
bool Population::add_up(unsigned first, unsigned count, const SweepPlace& place) {
  const std::uint64_t applications_before = outcome_.applications;
  totals_.running = totals_.finished = 0;
  totals_.largest = given_.path ? log_weight(0) : kLogZero;
  bool have_site = false, mixed = false;
  for (unsigned m = first; m < first + count; ++m) {
    Worker& worker = workers_.worker(m);
    if (worker.failure) {
      if (!failure()) outcome_.failure = std::move(worker.failure);
      worker.failure.reset();
      if (!place.ranks) return false;
    }
    outcome_.applications += worker.applications;
    totals_.running += worker.running;
    totals_.finished += worker.finished;
    totals_.largest = std::max(totals_.largest, worker.largest);
    outcome_.estimated = outcome_.estimated || worker.estimated;
    if (worker.has_site) {
      if (!have_site) totals_.site = worker.site;
      have_site = true;
      if (!mixed && (totals_.site != worker.site || worker.mixed_sites)) {
        outcome_.unaligned_site = totals_.site != worker.site ? worker.site : worker.other_site;
        outcome_.aligned = false;
        mixed = true;
      }
    }
  }
  if (given_.path) ++(particles_.states.next[0].ended() ? totals_.finished : totals_.running);
  const std::uint64_t steps = settings_.particles - (given_.path ? 1 : 0);
  native_.end_barrier(first, count, steps, totals_.running > 0);
  // Only systematic resampling needs no more of other slices than sums; trees need all parents.
  if (place.ranks &&
      !ranks_.share_counts(applications_before,
                           settings_.resampling != Resampling::Systematic || keeps_tree(), totals_,
                           outcome_))
    return false;
  if (totals_.running > 0 && totals_.finished > 0) {
    outcome_.unaligned_site = totals_.site;
    outcome_.aligned = false;
  }
  outcome_.particle_steps += steps;
  particles_.next_generation();
  native_.take_blocks(first, count);
  return true;
}

// The slice after a resampling, with particles of other slices that are run again here.
bool Population::enter_slice(unsigned number) {
  Worker& worker = workers_.worker(number);
  SweepAcrossRanks::Rerun rerun;
  rerun.segment = [&](std::uint32_t barrier, std::uint32_t slot, Execution& x, Value* result) {
    Checkpoint stop;
    if (!run_segment(worker, x, slot, barrier, stop)) return false;
    if (stop.kind == Stop::Result) *result = stop.value;
    return true;
  };
  rerun.adopt = [&](Execution& x) {
    if (native_.tier()) native_.tier()->adopt(*worker.machine, x, nullptr);
  };
  return ranks_.enter(rerun, outcome_);
}

void Population::advance(Worker& worker, StreamName name, std::uint32_t barrier, std::size_t from,
                         std::size_t to) {
  worker.machine->wants = {settings_.record_draws, true};
  if (particles_.weights.old() && !native_.on()) particles_.weights.reset(from, to);
  const auto full = within_memory([&] {
    if (native_.on())
      native_.advance(worker, name, barrier, from, to);
    else
      interpret(worker, name, barrier, from, to);
    // Native code continues from the first observe.
    if (native_.tier() && !native_.on() && settings_.early_draws && particles_.fresh &&
        !worker.failure)
      native_.adopt(*worker.machine, from, to);
  });
  if (full) worker.failure = full;
}

void Population::interpret(Worker& worker, StreamName name, std::uint32_t barrier, std::size_t from,
                           std::size_t to) {
  if (settings_.record_draws)
    advance_slice<true, true>(worker, name, barrier, from, to);
  else if (settings_.keep_history)
    advance_slice<true, false>(worker, name, barrier, from, to);
  else
    advance_slice<false, false>(worker, name, barrier, from, to);
}

template <bool kHistory, bool kRecord>
void Population::advance_slice(Worker& worker, StreamName name, std::uint32_t barrier,
                               std::size_t from, std::size_t to) {
  Executor& machine = *worker.machine;
  ParticleStates& states = particles_.states;
  ParticleWeights& weights = particles_.weights;
  Genealogy& genealogy = particles_.genealogy;
  ParticleHistories& histories = particles_.histories;
  const bool fresh = particles_.fresh;
  const bool special = fresh || kRecord;
  const std::uint32_t* const ancestors = genealogy.parents();
  constexpr std::size_t kNobody = ~std::size_t{0};
  std::size_t family = kNobody;  // the parent of the particle before, if that has run
  ParentHistory past_of(particles_, machine.arena());
  std::uint64_t applications = 0;
  std::uint32_t running = worker.running;
  double largest = worker.largest;
  Checkpoint stop;
  Neighbours streams(name, barrier);
  for (std::size_t i = from; i < to; ++i) {
    const std::size_t parent = ancestors ? ancestors[i] : i;
    // The machine writes into x: nothing is copied once it is back.
    Execution& x = states.next[i];
    x = fresh ? prefix_->at : states.at(parent, machine.arena());
    genealogy.descend(i, parent);
    if (CHANCEL_UNLIKELY(x.ended() || weights.log(i) == kLogZero)) {
      // Finished particles wait with their weight; dead ones that were not resampled away are not
      // run.
      const bool dead = weights.log(i) == kLogZero;
      if (dead) x = Execution{};
      family = kNobody;
      states.next_results[i] = dead    ? Value::nil()
                               : fresh ? prefix_->result
                                       : states.results[parent];
      if (kHistory && kRecord)
        histories.set_history(i, dead ? nullptr : histories.history(parent));
      else if (kHistory)
        histories.set_history(i, dead ? nullptr : past_of(parent));
      if (kHistory && !dead)
        histories.set_end_slot(i,
                               fresh ? static_cast<std::uint32_t>(i) : histories.end_slot(parent));
      if (kRecord) histories.set_last_draws(i, dead ? nullptr : histories.last_draws(parent));
      if (!dead) ++worker.finished;
      largest = std::max(largest, weights.log(i));
      continue;
    }
    if (CHANCEL_UNLIKELY(i % kLookEvery == 0)) {
      if ((worker.failure = stop_requested(setup().run))) return;
    }
    applications -= x.applications;
    if (CHANCEL_UNLIKELY(special)) {
      streams.reset(machine.stream, static_cast<std::uint32_t>(i));
      if (kRecord) {
        const History* past = fresh ? nullptr : histories.history(parent);
        worker.given = past ? past->given : 0;
      }
      if (!go_on(worker, x, fresh, stop, kRecord)) return;
      if (kRecord) {
        if (worker.log_given != 0) weights.log(i) += worker.log_given;
        if (settings_.ordered) particles_.keys[i] = last_number(worker.draws);
      }
    } else if (parent == family && machine.stream.untouched()) {
      x = states.next[i - 1];  // the sibling before drew nothing: this one does the same
    } else {
      streams.reset(machine.stream, static_cast<std::uint32_t>(i));
      states.prefetch(i, to, ancestors);
      if (parent != family || !machine.resume_sibling(x, stop)) {
        if (ancestors && i + 1 < to && ancestors[i + 1] == parent)
          machine.resume_first(x, stop);
        else
          machine.resume(x, Value::nil(), stop);
      }
      machine.collect_run_if_due(x, stop);
      family = parent;
    }
    applications += x.applications;
    if (CHANCEL_LIKELY(stop.kind == Stop::Observe)) {
      const double w = weights.log(i) += stop.log_prob;
      largest = w > largest ? w : largest;
      if (CHANCEL_UNLIKELY(stop.site != worker.site)) worker.stand_at(stop.site, running == 0);
      ++running;
      if (kHistory && !kRecord) {
        histories.set_history(i, past_of(parent));
        histories.next_scores()[i] = stop.log_prob;
      }
      if (kHistory && stop.estimated) worker.estimated = true;
      if (kRecord) {
        histories.set_history(
            i, make_history(machine.arena(), histories.history(parent), x, stop.log_prob,
                            make_draws(machine.arena(), worker.draws)));
        histories.next_history(i)->given = worker.given;
        histories.set_last_draws(i, nullptr);  // it has not ended: what is there is old
      }
    } else if (stop.kind == Stop::Result) {
      states.next_results[i] = stop.value;
      if (kHistory) {
        histories.set_history(i, kRecord ? histories.history(parent) : past_of(parent));
        histories.set_end_slot(i, static_cast<std::uint32_t>(i));
      }
      if (kRecord) histories.set_last_draws(i, make_draws(machine.arena(), worker.draws));
      ++worker.finished;
      largest = std::max(largest, weights.log(i));
    } else {
      worker.failure = machine.failure();
      return;
    }
  }
  worker.running = running;
  worker.has_site = running > 0;
  worker.applications += applications;
  worker.largest = largest;
}

}  // namespace chancel
