// SPDX-License-Identifier: Apache-2.0
// See population.hpp. sweep() is the algorithm; advance_slice() is the hottest loop of the project.
#include "particles/population.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <unordered_map>

#include "math/log_space.hpp"
#include "random/neighbours.hpp"
#include "value/number.hpp"

namespace chancel {

namespace {
// Particles that a thread should have at least: waking it costs about as much as a hundred steps.
constexpr std::size_t kLeastSlice = 128;
constexpr std::size_t kManyParticles = 1 << 14;  // of which not all stay in the caches of a core
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
      genealogy_(settings.resampling),
      recording_(settings.keep_history, settings.record_draws) {
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

// In a large population every particle's frames are cold: ask for those of the next ones while this
// one runs.
[[gnu::always_inline]] inline void Population::prefetch(std::size_t i, std::size_t to,
                                                        const std::uint32_t* ancestors) const {
  constexpr std::size_t kAhead = 4;
  if (i + kAhead < to) prefetch_execution(current_[ancestors ? ancestors[i + kAhead] : i + kAhead]);
}

void Population::visit(Evacuator& e) {
  if (e.part() == 0 && prefix_) prefix_->visit(e);
  if (e.part() == 0) native_code_.visit(e);
  if (e.part() == 0)
    for (Border& border : borders_)
      for (Border::Stage& stage : border.stages) {
        stage.at.visit(e);
        e.visit(stage.result);
      }
  const std::size_t count = slice_.end - slice_.begin;
  const std::size_t begin = slice_.begin + count * e.part() / e.parts();
  const std::size_t end = slice_.begin + count * (e.part() + 1) / e.parts();
  auto block = blocks_.begin();
  for (std::size_t i = begin; i < end; ++i) {
    while (block != blocks_.end() && block->end <= i) ++block;
    if (block != blocks_.end() && block->begin <= i) {
      if (i == block->begin) block->visit_common(e);
      const std::size_t stop = std::min(block->end, end);
      block->visit(i, stop, e);
      i = stop - 1;
      continue;
    }
    if (stands_in_row_space(current_[i])) {
      constexpr std::size_t kAhead = 8;
      if (i + kAhead < end) prefetch_held(current_[i + kAhead]);
      visit_in_place(current_[i], e);
    } else {
      prefetch(i, end, nullptr);
      current_[i].visit(e);
    }
    if (current_[i].ended()) e.visit(results_[i]);
    e.settle();
  }
  recording_.visit(e);
  if (!ended_together_) return;
  for (std::size_t i = begin; i < end; ++i) next_[i].visit(e);
  recording_.visit_before(e);
}

void Population::make_room() {
  const std::size_t n = settings_.particles;
  if (!current_.empty()) return;
  constexpr std::size_t kBytes = 2 * (sizeof(Execution) + sizeof(Value)) + 64;  // in all arrays
  if (n > workers_.heap().limit() / kBytes) throw MemoryLimit{workers_.heap().limit()};
  current_.make(n);
  next_.make(n);
  results_.make(n);
  next_results_.make(n);
  weights_.resize(n);
  genealogy_.resize(n);
  recording_.resize(n);
  if (settings_.ordered) keys_.assign(n, 0);
  slice_ = {0, n};
}

void Population::begin(const SweepPlace& place) {
  make_room();
  take_slice(place);
  failure_.reset();
  if (moves_) {
    proposals_before_ = moves_->proposals();
    accepted_before_ = moves_->accepted();
  }
  other_proposals_ = other_accepted_ = 0;
  barriers_.clear();
  ++runs_;
  alive_ = true;
  aligned_ = true;
  evidence_error_ = {};
  fragile_ = false;
  applications_ = 0;
  particle_steps_ = 0;
  fresh_ = true;
  weights_.reset();
  weights_are_old_ = false;
  ended_together_ = false;
  genealogy_.begin();
  recording_.begin();
  forget_particles();
  distinct_here_ = false;
  if (settings_.keep_lineages)
    lineages_.begin(static_cast<std::uint32_t>(slice_.begin),
                    static_cast<std::uint32_t>(slice_.end - slice_.begin));
}

// They are dead: a collection must not see them.
void Population::forget_particles() {
  if (current_.empty()) return;
  blocks_.clear();
  std::fill(current_.data() + slice_.begin, current_.data() + slice_.end, Execution{});
  std::fill(results_.data() + slice_.begin, results_.data() + slice_.end, Value::nil());
}

bool Population::run(StreamName name, RetainedPath* retained, const SweepPlace& place) {
  bool ok = false;
  name_ = name;
  if (auto full = within_memory([&] { ok = sweep(name, retained, place); })) failure_ = full;
  if (!alive_ || failure_)
    forget_particles();  // the rows they stand in may be another sweep's soon
  return ok && !failure_;
}

bool Population::sweep(StreamName name, RetainedPath* retained, const SweepPlace& place) {
  begin(place);
  // Almost nothing is alive now: a collection is nearly free and lets the sweep use memory that is
  // still in the cache.
  if (place.alone && workers_.heap().used() > kWorthDropping) workers_.collect();
  if (!find_prefix(workers_.machine(place.worker))) return false;
  log_evidence_ = prefix_->log_weight;
  observed_ = prefix_->observes > 0;
  if (prefix_->kind == Stop::Impossible) {
    alive_ = false;
    return true;
  }
  if (retained && retained->empty()) retained = nullptr;
  following_ = retained != nullptr;
  for (std::uint32_t barrier = 0;; ++barrier) {
    if (!run_to_barrier(name_at(name, barrier), barrier, retained, place)) return false;
    if (place.ranks)
      share_weights(*place.ranks);
    else
      weights_.weigh(workers_, place.alone, largest_);
    fragile_ = fragile_ || few_survive(place);
    if (largest_ == std::numeric_limits<double>::infinity()) {
      failure_ = Diagnostic{Code::R012,
                            Severity::Error,
                            workers_.setup().image->program->site(site_).span,
                            "observe: the density is infinite, so the weights cannot be compared",
                            "",
                            {}};
      return false;
    }
    if (!weights_.now().any()) {
      alive_ = false;
      log_evidence_ = kLogZero;
      return true;
    }
    if (running_ == 0) break;
    observed_ = true;
    if (planted(workers_.setup().sabotage, Sabotage::LoseRetained)) retained = nullptr;
    resample(name_at(name, barrier), barrier, retained, place);
    if (moves_ && !move(name, barrier)) return false;
    if (place.alone) {
      workers_.collect_if_due();
      // Ranks that share a sweep look while particles advance, and tell each other.
      if (!place.ranks && (failure_ = stop_requested(workers_.setup().run))) return false;
    }
  }
  if (!planted(workers_.setup().sabotage, Sabotage::EvidenceWithoutLast))
    log_evidence_ += weights_.now().log_mean();
  if (place.ranks)
    evidence_error_ = share_evidence_error(*place.ranks);
  else if (!retained)
    evidence_error_ = genealogy_.evidence_error(weights_.now(), weights_.before());
  return true;
}

bool Population::find_prefix(Executor& machine) {
  if (prefix_) return true;
  prefix_.emplace();
  if (prefix_->run(machine, workers_.setup())) return true;
  failure_ = machine.failure();
  prefix_.reset();
  return false;
}

bool Population::run_to_barrier(StreamName name, std::uint32_t barrier, RetainedPath* retained,
                                const SweepPlace& place) {
  look_for_native_code(workers_.machine(place.worker));
  // Where draws are recorded native code goes on behind those that are looked at.
  if (!native_ || !settings_.record_draws)
    natively_ = native_ != nullptr;
  else if (barrier <= 1)
    natively_ = settings_.early_draws && barrier == 1 && all_have_parameters();
  const std::size_t n = settings_.particles;
  const std::size_t first = retained ? 1 : 0;
  const bool parents_here =
      !place.ranks || barrier == 0 || enter_slice(name_, place.worker, *place.ranks);
  const std::size_t here = slice_.end - slice_.begin;
  const std::uint64_t applications_before = applications_;
  const unsigned from = place.alone ? 0 : place.worker;
  const unsigned parts = place.alone ? workers_.slices(here, kLeastSlice) : 1;
  if (settings_.keep_lineages && barrier > 0 && parents_here)
    lineages_.add(genealogy_.parents(), static_cast<std::uint32_t>(slice_.begin),
                  static_cast<std::uint32_t>(here));
  for (unsigned m = from; m < from + parts; ++m) {
    Worker& worker = workers_.worker(m);
    worker.applications = 0;
    worker.running = worker.finished = 0;
    worker.has_site = worker.mixed_sites = false;
    worker.largest = kLogZero;
    worker.failure.reset();
    worker.ended_together.clear();
    worker.blocks.clear();
    worker.commons.clear();
    if (natively_ && !settings_.keep_history) begin_rows(worker);
  }
  if (retained) {
    if (weights_are_old_) weights_.reset(0, 1);
    follow(*retained, barrier, workers_.worker(from));
  }
  if (!parents_here)
    ;  // a failure, as below
  else if (place.alone)
    workers_.for_slices(here, kLeastSlice, [&](Worker& m, std::size_t begin, std::size_t end) {
      advance(m, name, barrier, std::max(slice_.begin + begin, first), slice_.begin + end);
    });
  else
    advance(workers_.worker(from), name, barrier, first, n);

  weights_are_old_ = false;
  running_ = finished_ = 0;
  largest_ = first ? weights_.log(0) : kLogZero;
  bool have_site = false, mixed = false;
  for (unsigned m = from; m < from + parts; ++m) {
    Worker& worker = workers_.worker(m);
    if (worker.failure) {
      if (!failure_) failure_ = std::move(worker.failure);
      worker.failure.reset();
      if (!place.ranks) return false;
    }
    applications_ += worker.applications;
    running_ += worker.running;
    finished_ += worker.finished;
    largest_ = std::max(largest_, worker.largest);
    estimated_ = estimated_ || worker.estimated;
    if (worker.has_site) {
      if (!have_site) site_ = worker.site;
      have_site = true;
      if (!mixed && (site_ != worker.site || worker.mixed_sites)) {
        unaligned_site_ = site_ != worker.site ? worker.site : worker.other_site;
        aligned_ = false;
        mixed = true;
      }
    }
  }
  if (retained) {
    if (!next_[0].ended())
      ++running_;
    else
      ++finished_;
  }
  if (settings_.keep_history) settle_ends(from, parts, n - first);
  if (place.ranks) {
    if (!share_counts(*place.ranks, applications_before)) return false;
  }
  if (running_ > 0 && finished_ > 0) {
    unaligned_site_ = site_;
    aligned_ = false;
  }
  particle_steps_ += n - first;
  steps_ever_ += n - first;
  current_.swap(next_);
  take_blocks(from, parts);
  results_.swap(next_results_);
  recording_.next_generation();
  genealogy_.next_generation();
  fresh_ = false;
  return true;
}

// The blocks of all workers, in the order of their slices. What several of them have made of the same is one.
void Population::take_blocks(unsigned first, unsigned count) {
  constexpr std::size_t kLooks = 16;  // where there are more, particles are not run together anyway
  blocks_.clear();
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
      blocks_.push_back(block);
    }
  }
}

void Population::advance(Worker& worker, StreamName name, std::uint32_t barrier, std::size_t from,
                         std::size_t to) {
  worker.machine->wants = {settings_.record_draws, true};
  if (weights_are_old_ && !natively_) weights_.reset(from, to);
  const auto full = within_memory([&] {
    if (natively_ && settings_.record_draws)
      advance_natively<true, true>(worker, name, barrier, from, to);
    else if (natively_ && settings_.keep_history)
      advance_natively<true, false>(worker, name, barrier, from, to);
    else if (natively_)
      advance_natively<false, false>(worker, name, barrier, from, to);
    else if (settings_.record_draws)
      advance_slice<true, true>(worker, name, barrier, from, to);
    else if (settings_.keep_history)
      advance_slice<true, false>(worker, name, barrier, from, to);
    else
      advance_slice<false, false>(worker, name, barrier, from, to);
    if (!native_ || natively_ || !settings_.early_draws || !fresh_ || worker.failure) return;
    for (std::size_t i = from; i < to; ++i)  // native code goes on from the first observe
      native_->adopt(*worker.machine, next_[i], i > from ? &next_[i - 1] : nullptr);
  });
  if (full) worker.failure = full;
}

// The past of a particle with its state at the last observe: what those have who go on from it.
inline History* Population::with_state(Arena& arena, std::size_t particle, const Execution& x,
                                       History* past, double score) const {
  // The retained path has its states already where its futures are asked for.
  if (x.ended() || (particle == 0 && following_ && settings_.futures)) return past;
  History* const h = make_history(arena, past, x, score, nullptr);
  h->slot = particle == 0 && following_ ? kRetainedSlot : static_cast<std::uint32_t>(particle);
  return h;
}

// The same for siblings, one after the other.
class Population::PastOfFamily {
 public:
  PastOfFamily(const Population& population, Arena& arena) : of_(population), arena_(arena) {}
  History* operator()(std::size_t parent) {
    if (of_.fresh_) return nullptr;
    if (parent != parent_) {
      past_ = of_.with_state(arena_, parent, of_.current_[parent], of_.recording_.history(parent),
                             of_.recording_.score(parent));
      parent_ = parent;
    }
    return past_;
  }

 private:
  const Population& of_;
  Arena& arena_;
  std::size_t parent_ = ~std::size_t{0};
  History* past_ = nullptr;
};

template <bool kHistory, bool kRecord>
void Population::advance_slice(Worker& worker, StreamName name, std::uint32_t barrier,
                               std::size_t from, std::size_t to) {
  Executor& machine = *worker.machine;
  const bool fresh = fresh_;
  const bool special = fresh || kRecord;
  const std::uint32_t* const ancestors = genealogy_.parents();
  constexpr std::size_t kNobody = ~std::size_t{0};
  std::size_t family = kNobody;  // the parent of the particle before, if that has run
  PastOfFamily past_of(*this, machine.arena());
  std::uint64_t applications = 0;
  std::uint32_t running = worker.running;
  double largest = worker.largest;
  Checkpoint stop;
  Neighbours streams(name, barrier);
  for (std::size_t i = from; i < to; ++i) {
    const std::size_t parent = ancestors ? ancestors[i] : i;
    // The machine writes into x: nothing is copied once it is back.
    Execution& x = next_[i];
    x = fresh ? prefix_->at : execution_of(parent, machine.arena());
    genealogy_.descend(i, parent);
    if (CHANCEL_UNLIKELY(x.ended() || weights_.log(i) == kLogZero)) {
      // Finished particles wait with their weight; dead ones that were not resampled away are not
      // run.
      const bool dead = weights_.log(i) == kLogZero;
      if (dead) x = Execution{};
      family = kNobody;
      next_results_[i] = dead ? Value::nil() : fresh ? prefix_->result : results_[parent];
      if (kHistory && kRecord)
        recording_.set_history(i, dead ? nullptr : recording_.history(parent));
      else if (kHistory)
        recording_.set_history(i, dead ? nullptr : past_of(parent));
      if (kHistory && !dead)
        recording_.set_end_slot(
            i, fresh ? static_cast<std::uint32_t>(i) : recording_.end_slot(parent));
      if (kRecord) recording_.set_last_draws(i, dead ? nullptr : recording_.last_draws(parent));
      if (!dead) ++worker.finished;
      largest = std::max(largest, weights_.log(i));
      continue;
    }
    if (CHANCEL_UNLIKELY(i % kLookEvery == 0)) {
      if ((worker.failure = stop_requested(workers_.setup().run))) return;
    }
    applications -= x.applications;
    if (CHANCEL_UNLIKELY(special)) {
      streams.reset(machine.stream, static_cast<std::uint32_t>(i));
      if (kRecord) {
        const History* past = fresh ? nullptr : recording_.history(parent);
        worker.given = past ? past->given : 0;
        worker.log_given = 0;
      }
      if (!go_on(worker, x, stop, kRecord)) return;
      if (kRecord) {
        if (worker.log_given != 0) weights_.log(i) += worker.log_given;
        if (settings_.ordered) keys_[i] = last_number(worker.draws);
      }
    } else if (parent == family && machine.stream.untouched()) {
      x = next_[i - 1];  // the sibling before drew nothing: this one does the same
    } else {
      streams.reset(machine.stream, static_cast<std::uint32_t>(i));
      prefetch(i, to, ancestors);
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
      const double w = weights_.log(i) += stop.log_prob;
      largest = w > largest ? w : largest;
      if (CHANCEL_UNLIKELY(stop.site != worker.site)) worker.stand_at(stop.site, running == 0);
      ++running;
      if (kHistory && !kRecord) {
        recording_.set_history(i, past_of(parent));
        recording_.next_scores()[i] = stop.log_prob;
      }
      if (kHistory && stop.estimated) worker.estimated = true;
      if (kRecord) {
        recording_.set_history(
            i, make_history(machine.arena(), recording_.history(parent), x, stop.log_prob,
                            make_draws(machine.arena(), worker.draws)));
        recording_.next_history(i)->given = worker.given;
        recording_.set_last_draws(i, nullptr);  // it has not ended: what is there is old
      }
    } else if (stop.kind == Stop::Result) {
      next_results_[i] = stop.value;
      if (kHistory) {
        recording_.set_history(i, kRecord ? recording_.history(parent) : past_of(parent));
        recording_.set_end_slot(i, static_cast<std::uint32_t>(i));
      }
      if (kRecord) recording_.set_last_draws(i, make_draws(machine.arena(), worker.draws));
      ++worker.finished;
      largest = std::max(largest, weights_.log(i));
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

void Population::look_for_native_code(Executor& machine) {
  if (settings_.record_draws && (!settings_.early_draws || moves_) && !settings_.futures) return;
  native_ = native_code_.look(
      *prefix_, workers_.setup(), machine, steps_ever_ >= kHotSteps,
      {.keys = settings_.ordered, .futures = settings_.futures, .blocks = rests_in_blocks()});
}

// Those that go on from the first observe have taken all that are given: none is drawn later.
bool Population::all_have_parameters() const {
  if (!given) return true;
  for (std::size_t i = 0; i < settings_.particles; ++i) {
    const std::size_t parent = genealogy_.parent(i);
    if (current_[parent].ended() || weights_.log(i) == kLogZero) continue;
    if (recording_.history(parent)->given != given->draws.size()) return false;
  }
  return true;
}

namespace {
// A short array, by the numbers of particles of which the first is `first`: it stays in the cache.
double* counted_from(std::size_t first, double* numbers) {
  return reinterpret_cast<double*>(reinterpret_cast<std::uintptr_t>(numbers) -
                                   first * sizeof(double));
}
}  // namespace

// Nobody remembers the rows of the generation before the last one.
void Population::begin_rows(Worker& worker) {
  if (!worker.rows) worker.rows = std::make_unique<RowSpace>(workers_.heap());
  worker.rows->begin_generation();
}

template <bool kHistory, bool kRecord>
void Population::advance_natively(Worker& worker, StreamName name, std::uint32_t barrier,
                                  std::size_t from, std::size_t to) {
  NativeTurn turn{current_.data(),
                  genealogy_.parents(),
                  next_.data(),
                  next_results_.data(),
                  kHistory ? recording_.next_scores() : nullptr,
                  &weights_.log(0),
                  from,
                  to,
                  fresh_,
                  settings_.particles >= kManyParticles,
                  name,
                  barrier,
                  nullptr,
                  settings_.ordered ? keys_.data() : nullptr,
                  kHistory ? nullptr : worker.rows.get(),
                  blocks_,
                  !kHistory && rests_in_blocks() ? &worker.blocks : nullptr,
                  &worker.commons};
  if (!kHistory) worker.scores.resize(kLookEvery);
  // Weights that were reset are written once, when there is something to add: until then they are read from here.
  const bool weigh_anew = weights_are_old_;
  if (weigh_anew) worker.no_weights.resize(kLookEvery);
  for (std::size_t i = from; i < to;) {
    if ((worker.failure = stop_requested(workers_.setup().run))) return;
    turn.begin = i;
    turn.end = std::min(to, i + kLookEvery);
    if (weigh_anew) turn.log_weights = counted_from(i, worker.no_weights.data());
    if (!kHistory) turn.scores = counted_from(i, worker.scores.data());
    const NativeProgress done = native_->run(*worker.machine, turn);
    settle<kHistory, kRecord>(worker, i, done, turn.log_weights, turn.scores);
    i = done.next;
    if (i == turn.end) continue;
    if (weigh_anew) weights_.reset(i, done.stays);
    advance_slice<kHistory, kRecord>(worker, name, barrier, i, done.stays);
    if (worker.failure) return;
    for (; i < done.stays; ++i) {
      const bool alike = i > from && !find_block(worker.blocks, i - 1);
      native_->adopt(*worker.machine, next_[i], alike ? &next_[i - 1] : nullptr);
    }
  }
}

namespace {
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

template <bool kHistory, bool kRecord>
void Population::settle(Worker& worker, std::size_t from, const NativeProgress& done,
                        const double* log_weights, const double* scores) {
  // Plain pointers: the compiler cannot know that writing a weight moves no vector.
  const Execution* const next = next_.data() + from;
  double* const log_weight = &weights_.log(from);
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
    remember_draws(worker, from, done.next, scores);
  else if (kHistory)
    remember(worker, from, done.next, done.ended);
  genealogy_.descend_all(from, done.next);
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
void Population::remember(Worker& worker, std::size_t from, std::size_t to, std::size_t ended) {
  History** const histories = recording_.next_histories();
  if (fresh_) {
    std::fill(histories + from, histories + to, nullptr);
  } else if (ended == to - from) {
    // One of them is chosen at most, unless others go on.
    std::fill(histories + from, histories + to, nullptr);
    worker.ended_together.emplace_back(from, to);
  } else {
    give_pasts(worker, from, to);
  }
  if (ended == 0) return;
  for (std::size_t i = from; i < to; ++i)
    if (next_[i].ended()) recording_.set_end_slot(i, static_cast<std::uint32_t>(i));
}

void Population::give_pasts(Worker& worker, std::size_t from, std::size_t to) {
  const std::uint32_t* const parents = genealogy_.parents();
  History** const histories = recording_.next_histories();
  PastOfFamily past_of(*this, worker.machine->arena());
  for (std::size_t i = from; i < to; ++i) histories[i] = past_of(parents ? parents[i] : i);
}

// Where all have ended together, and nobody else is left, their pasts are made when they are asked for
// (history()). Else they are made now.
void Population::settle_ends(unsigned worker, unsigned workers, std::size_t all) {
  std::size_t ended = 0;
  for (unsigned m = worker; m < worker + workers; ++m)
    for (const auto& [from, to] : workers_.worker(m).ended_together) ended += to - from;
  ended_together_ = ended == all && running_ == 0 && all > 0;
  if (ended_together_) return;
  for (unsigned m = worker; m < worker + workers; ++m)
    for (const auto& [from, to] : workers_.worker(m).ended_together)
      give_pasts(workers_.worker(worker), from, to);
}

History* Population::history(std::size_t i) const {
  if (!ended_together_ || (i == 0 && following_)) return recording_.history(i);
  // What was current before the last turn is in the places of the next generation now.
  const std::uint32_t parent = genealogy_.parent(i);
  return with_state(workers_.machine().arena(), parent, next_[parent],
                    recording_.next_history(parent), recording_.next_score(parent));
}

// The same where draws are recorded: states with the number of given ones they have taken.
void Population::remember_draws(Worker& worker, std::size_t from, std::size_t to,
                                const double* scores) {
  const std::uint32_t* const parents = genealogy_.parents();
  History** const histories = recording_.next_histories();
  for (std::size_t i = from; i < to; ++i) {
    const Execution& x = next_[i];
    histories[i] = recording_.history(parents ? parents[i] : i);
    if (x.ended()) {
      recording_.set_end_slot(i, static_cast<std::uint32_t>(i));
    } else {
      const std::uint32_t taken = histories[i]->given;
      histories[i] = make_history(worker.machine->arena(), histories[i], x, scores[i], nullptr);
      histories[i]->given = taken;
    }
    recording_.set_last_draws(i, nullptr);
  }
}

}  // namespace chancel
