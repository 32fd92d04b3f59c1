// SPDX-License-Identifier: Apache-2.0
// See chain.hpp.
#include "runs/chain.hpp"

#include <algorithm>

#include "infer/engine_state.hpp"
#include "value/function_def.hpp"
#include "vm/stop.hpp"

namespace chancel {

namespace {
constexpr std::uint64_t kCutKind = 4;
constexpr std::uint64_t kThinKind = 5;
// Draws of small steps share a batch, which costs a heap.
constexpr std::size_t kBatchDraws = 128;
constexpr std::size_t kSmallBatch = std::size_t{1} << 20;  // bytes
// Reading the clock takes as long as a short step: it is read once in so much work.
constexpr std::chrono::microseconds kTick{20};
constexpr std::uint64_t kMostSteps = 256;
}  // namespace

bool Chain::at_rest() const {
  if (elsewhere() || ended_ || paused()) return true;
  if (rules_.rest_at > 0 && turns_ >= rules_.rest_at) return true;
  if (!rules_.rounds) return has_enough();
  if (rules_.most_rounds > 0 && count_.rounds >= rules_.most_rounds) return true;
  return has_enough() && count_.end > taken_turns_;
}

bool Chain::has_enough() const {
  return waiting_ >= kEnough || (waiting_ > 0 && batches_.back()->bytes() >= kEnoughBytes);
}

void Chain::work(std::chrono::milliseconds time) {
  const auto begun = std::chrono::steady_clock::now();
  now_ = begun;
  while (!at_rest() && now_ - begun <= time) {
    const auto before = now_;
    std::uint64_t done = 0;
    for (; done < steps_in_tick_ && !at_rest(); ++done) step();
    tell_time();
    steps_in_tick_ = now_ - before > kTick ? std::max<std::uint64_t>(1, done / 2)
                                           : std::min(kMostSteps, 2 * steps_in_tick_);
  }
  worked_ += now_ - begun;
}

// The draws since the clock was last read were made at about this time.
void Chain::tell_time() {
  now_ = std::chrono::steady_clock::now();
  const double seconds = std::chrono::duration<double>(now_ - rules_.started).count();
  for (auto batch = batches_.rbegin(); untimed_ > 0 && batch != batches_.rend(); ++batch)
    for (auto d = (*batch)->draws.rbegin(); untimed_ > 0 && d != (*batch)->draws.rend(); ++d) {
      d->run_seconds = seconds;
      --untimed_;
    }
}

void Chain::step() {
  if (batches_.empty() || in_batch_ >= kBatchDraws || batches_.back()->bytes() >= kEnoughBytes) {
    if (spare_.empty()) spare_.push_back(std::make_unique<DrawBatch>(*rules_.setup));
    batches_.push_back(std::move(spare_.back()));
    spare_.pop_back();
    in_batch_ = 0;
  }
  auto& draws = batches_.back()->draws;
  const std::size_t before = draws.size();
  bool more = false;
  std::optional<Diagnostic> stopped = within_memory([&] { more = engine_->step(*this); });
  for (std::size_t i = before; i < draws.size(); ++i) {
    // Chains advance together: the run has done about as much for each.
    draws[i].run_simulations = engine_->statistics().simulations * rules_.chains;
    draws[i].run_applications = engine_->statistics().applications * rules_.chains;
  }
  std::uint64_t fresh = draws.size() - before;
  if (rules_.samples > 0 && made_ + fresh >= rules_.samples) {
    const std::uint64_t wanted = rules_.samples - made_;
    cut(before + wanted);
    fresh = wanted;
    end(std::nullopt);
  } else if (!more) {
    end(stopped ? std::move(stopped) : engine_->failure());
  }
  for (std::size_t i = before; i < before + fresh; ++i) {
    const std::uint64_t sweep = draws[i].raw.sweep;
    if (turns_ == 0 || sweep != last_sweep_) ++turns_;
    last_sweep_ = sweep;
  }
  made_ += fresh;
  untimed_ += fresh;
  in_batch_ += fresh;
  waiting_ += fresh;
  if (rules_.rounds && !failure_) mark_rounds();
}

void Chain::mark_rounds() {
  while (turns_ >= count_.next_end(rules_.sweeps)) {
    count_.advance(rules_.sweeps);
    made_in_rounds_ = made_;
    marks_.push_back({statistics(), made_});
  }
}

void Chain::add_mark(Mark mark) {
  count_.advance(rules_.sweeps);
  made_in_rounds_ = mark.made;
  marks_.push_back(std::move(mark));
}

const EngineStatistics& Chain::statistics_after(std::uint64_t round) const {
  const std::uint64_t first = count_.rounds - marks_.size() + 1;  // that there is a mark of
  if (round < first || round > count_.rounds) return statistics();
  return marks_[round - first].statistics;
}

void Chain::forget_rounds_before(std::uint64_t round) {
  while (!marks_.empty() && count_.rounds - marks_.size() + 1 < round) marks_.pop_front();
}

std::vector<Chain::Mark> Chain::take_marks(std::uint64_t made) {
  std::vector<Mark> out;
  for (; !marks_.empty() && marks_.front().made <= made; marks_.pop_front())
    out.push_back(std::move(marks_.front()));
  return out;
}

void Chain::end(std::optional<Diagnostic> failure) {
  failure_ = std::move(failure);
  // Memory and time of an engine itself, and values without end that it gives, belong to no place in the program but the
  // query.
  const Value& query = rules_.setup->query;
  const bool of_query = failure_ && (failure_->code == Code::L001 || failure_->code == Code::L002 ||
                                     failure_->code == Code::R009);
  if (of_query && !failure_->span.known() && query.is(Tag::Query))
    failure_->span = query.as<Query>()->function->span;
  if (engine_) {
    const bool limit =
        failure_ && (failure_->code == Code::L002 || failure_->code == Code::L005) && rules_.names;
    if (ByteWriter state; limit && engine_->save(state, *rules_.names)) last_state_ = state.take();
    statistics_ = engine_->statistics();
  }
  engine_.reset();
  ended_ = true;
}

void Chain::draw(const EngineDraw& d) {
  const std::uint64_t index = seen_++;
  const std::uint64_t thin = std::max<std::uint64_t>(1, rules_.thin);
  if (rules_.sweeps) {
    // Neighbours in a sweep are relatives and its slots are not alike: burn-in takes whole sweeps,
    // and thinning starts somewhere else in each.
    if (index == 0 || d.sweep != sweep_.number) {
      Stream stream(name_.child(kThinKind, d.sweep), 0, 0);
      sweep_ = {d.sweep, index, thin > 1 ? stream.below(thin) : 0};
    }
    if (sweep_.begin < rules_.burn || sweep_.count++ % thin != 0) return;
  } else {
    if (index < rules_.burn) return;
    if (d.chain >= kept_of_part_.size()) kept_of_part_.resize(d.chain + 1, 0);
    if (kept_of_part_[d.chain]++ % thin != 0) return;
  }
  batches_.back()->add(d, rules_.outlive);
}

// Leaves `wanted` draws in the last batch. A sweep gives its particles in the order of their
// ancestors: the first ones are related, so they are not a fair sample of it. Of a sweep that is
// needed in part, evenly spaced draws are taken from a random start, each with the same
// probability.
void Chain::cut(std::size_t wanted) {
  auto& draws = batches_.back()->draws;
  if (wanted > 0 && wanted < draws.size()) {
    const EngineDraw last = draws[wanted - 1].raw;
    const auto of_sweep = [&](std::size_t i) {
      return draws[i].raw.sweep == last.sweep && draws[i].raw.chain == last.chain;
    };
    std::size_t from = wanted - 1, to = wanted;
    while (from > 0 && of_sweep(from - 1)) --from;
    while (to < draws.size() && of_sweep(to)) ++to;
    const double stride = static_cast<double>(to - from) / static_cast<double>(wanted - from);
    const double start = Stream(name_.child(kCutKind, last.sweep), 0, 0).uniform();
    for (std::size_t k = from; k < wanted; ++k) {
      const double at = (static_cast<double>(k - from) + start) * stride;
      const std::size_t chosen = std::min(from + static_cast<std::size_t>(at), to - 1);
      if (chosen != k) draws[k] = std::move(draws[chosen]);
    }
  }
  draws.resize(std::min(wanted, draws.size()));
}

bool Chain::save(ByteWriter& to) const {
  if (waiting_ > 0 || !barriers.empty() || !descents.empty() || (failure_ && !last_state_) ||
      !rules_.names)
    return false;
  ByteWriter engine;
  if (last_state_)
    engine.raw(*last_state_);
  else if (ended_)
    save_statistics(engine, statistics_);
  else if (!engine_->save(engine, *rules_.names))
    return false;
  to.byte(ended_ && !last_state_);
  for (const std::uint64_t n :
       {made_, seen_, turns_, last_sweep_, sweep_.number, sweep_.begin, sweep_.count})
    to.number(n);
  to.number(kept_of_part_.size());
  for (const std::uint64_t n : kept_of_part_) to.number(n);
  to.text(engine.bytes());
  return true;
}

bool Chain::restore(ByteReader& from) {
  const bool ended = from.byte() != 0;
  for (std::uint64_t* n :
       {&made_, &seen_, &turns_, &last_sweep_, &sweep_.number, &sweep_.begin, &sweep_.count})
    *n = from.number();
  kept_of_part_.resize(from.count(1, sizeof(std::uint64_t)));
  for (std::uint64_t& n : kept_of_part_) n = from.number();
  if (turns_ > made_ || made_ > seen_ || seen_ > RoundCount::kMostTurns ||
      (rules_.samples > 0 && made_ > rules_.samples))
    return from.fail("its draws are miscounted");
  ByteReader engine(from.text(), from.room());
  if (!from.ok()) return false;
  if (ended) {
    restore_statistics(engine, statistics_);
    engine_.reset();
    ended_ = true;
    if (!engine.done()) return from.fail(engine.problem());
  } else if (!engine_->restore(engine, *rules_.names)) {
    return from.fail(engine.problem());
  }
  taken_turns_ = turns_;
  taken_sweep_ = last_sweep_;
  if (!rules_.rounds || turns_ == 0) return true;
  count_.advance_to(turns_, rules_.sweeps);
  made_in_rounds_ = made_;
  marks_.push_back({statistics(), made_});
  return true;
}

bool Chain::next_is_of(std::uint64_t sweep) const {
  if (waiting_ == 0) return false;
  std::size_t i = 0;
  while (batches_[i]->draws.empty()) ++i;
  return batches_[i]->draws.front().raw.sweep == sweep;
}

std::uint64_t Chain::turn_of_next() const {
  return taken_turns_ + (taken_turns_ == 0 || !next_is_of(taken_sweep_));
}

DrawBatch* Chain::front() {
  if (waiting_ == 0) return nullptr;
  while (batches_.front()->draws.empty()) {
    // Small ones are used again: what they keep is not counted.
    if (batches_.front()->bytes() <= kSmallBatch && spare_.size() < kEnough / kBatchDraws) {
      batches_.front()->reset();
      spare_.push_back(std::move(batches_.front()));
    }
    batches_.pop_front();
  }
  return batches_.front().get();
}

KeptDraw Chain::take() {
  DrawBatch& batch = *front();
  if (rules_.rounds) {
    taken_turns_ = turn_of_next();
    taken_sweep_ = batch.draws.front().raw.sweep;
  }
  KeptDraw draw = std::move(batch.draws.front());
  batch.draws.pop_front();
  --waiting_;
  if (batch.draws.empty()) used();
  return draw;
}

void Chain::add_batch(std::unique_ptr<DrawBatch> batch) {
  made_ += batch->draws.size();
  waiting_ += batch->draws.size();
  batches_.push_back(std::move(batch));
}

}  // namespace chancel
