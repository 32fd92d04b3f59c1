// SPDX-License-Identifier: Apache-2.0
// See native_futures.hpp.
#include "particles/native_futures.hpp"

#include <algorithm>
#include <utility>

#include "math/log_space.hpp"

namespace chancel {

static_assert(GivenDraws::kValues == kDrawValues);

namespace {
constexpr std::size_t kFuturesTogether = 64;  // particles whose rows stay in the caches
// Blocks of memory that may be filled before a collection, or kept after the last one.
constexpr std::size_t kMuch = 8;
constexpr std::size_t kSome = 2;
}  // namespace

bool interpret_future(Worker& worker, const RetainedFuture& future, std::size_t particle,
                      FutureDensity* out) {
  Executor& machine = *worker.machine;
  machine.stream.reset(future.name.child(kNodeStream, particle), kReplaySlot, future.barrier);
  const Arena::Mark mark = machine.arena().mark();
  const bool ok = future_density(machine, future.sweep.execution(particle), future.path,
                                 future.barrier, future.parts, out);
  if (!ok) {
    worker.failure = machine.failure();
    worker.failed_at = particle;
  }
  if (machine.arena().mark().blocks > mark.blocks + kSome)  // nothing of the replay is kept
    machine.arena().collect_since(mark, [](Evacuator&) {});
  return ok;
}

bool NativeFutures::run(std::size_t from, std::size_t to, FutureDensity* out) {
  for (std::size_t begin = from; begin < to && !worker_.failure; begin += kFuturesTogether)
    run_block(begin, std::min(to, begin + kFuturesTogether), out);
  return !worker_.failure;
}

void NativeFutures::run_block(std::size_t from, std::size_t to, FutureDensity* out) {
  Executor& machine = *worker_.machine;
  const Arena::Mark mark = machine.arena().mark();
  at_.clear();
  particle_.clear();
  for (std::size_t i = from; i < to; ++i) {
    out[i] = {kLogZero, false};
    if (future_.sweep.weights().relative()[i] == 0) continue;
    const Execution& x = future_.sweep.execution(i);
    if (x.ended() || future_.barrier >= future_.path.steps.size()) {
      interpret_future(worker_, future_, i, &out[i]);  // which is known at once
      continue;
    }
    at_.push_back(x);
    particle_.push_back(i);
    native_.adopt(machine, at_.back(), at_.size() > 1 ? &at_[at_.size() - 2] : nullptr);
  }
  log_density_.assign(at_.size(), 0);
  finished_.assign(at_.size(), false);
  blocks_kept_ = mark.blocks;
  const std::uint64_t* parts = future_.parts.data();
  bool ok = true;
  for (std::size_t segment = future_.barrier + 1; ok && !at_.empty(); ++segment) {
    if ((worker_.failure = stop_requested(future_.sweep.setup().run))) {
      worker_.failed_at = from;
      return;
    }
    ok = run_stretch(segment, parts, out);
    parts += draw_count(future_.path.draws_before(segment));
    collect_if_due(mark);
  }
  at_.clear();
  if (machine.arena().mark().blocks > mark.blocks + kSome)
    machine.arena().collect_since(mark, [](Evacuator&) {});
  // Which failure is reported must not depend on how particles are run: it is that of the first
  // particle.
  for (std::size_t i = from; !ok && i < to && !worker_.failure; ++i)
    if (future_.sweep.weights().relative()[i] != 0) interpret_future(worker_, future_, i, &out[i]);
}

// False: something failed.
bool NativeFutures::run_stretch(std::size_t segment, const std::uint64_t* parts,
                                FutureDensity* out) {
  const ValueArray* const draws = future_.path.draws_before(segment);
  const GivenDraws given{draws ? draws->values : nullptr, parts, draw_count(draws),
                         segment == future_.path.steps.size()};
  NativeTurn turn{};
  turn.from = turn.to = at_.data();
  turn.scores = log_density_.data();
  turn.log_weights = log_density_.data();
  turn.end = at_.size();
  turn.barrier = static_cast<std::uint32_t>(segment);
  turn.given = &given;
  for (std::size_t k = 0; k < at_.size();) {
    turn.begin = k;
    const NativeProgress done = native_.run(*worker_.machine, turn);
    for (; done.ended > 0 && k < done.next; ++k) {
      if (!at_[k].ended()) continue;  // else it has the whole future, or cannot have it
      out[particle_[k]] = {log_density_[k], false};
      finished_[k] = any_finished_ = true;
    }
    k = done.next;
    for (; k < at_.size() && k < done.stays; ++k)
      if (!interpret(k, segment, parts, out)) return false;
  }
  drop_finished();
  return true;
}

bool NativeFutures::interpret(std::size_t k, std::size_t segment, const std::uint64_t* parts,
                              FutureDensity* out) {
  Executor& machine = *worker_.machine;
  machine.stream.reset(future_.name.child(kNodeStream, particle_[k]), kReplaySlot, future_.barrier);
  FutureDensity density{log_density_[k], false};
  bool finished = false;
  if (!future_stretch(machine, at_[k], future_.path, segment, parts, &density, &finished))
    return false;
  log_density_[k] = density.log_density;
  finished_[k] = finished;
  any_finished_ = any_finished_ || finished;
  if (finished)
    out[particle_[k]] = density;
  else
    native_.adopt(machine, at_[k], k > 0 ? &at_[k - 1] : nullptr);
  return true;
}

void NativeFutures::drop_finished() {
  if (!std::exchange(any_finished_, false)) return;
  std::size_t left = 0;
  for (std::size_t k = 0; k < at_.size(); ++k) {
    if (finished_[k]) continue;
    at_[left] = at_[k];
    log_density_[left] = log_density_[k];
    particle_[left++] = particle_[k];
  }
  at_.resize(left);
  log_density_.resize(left);
  particle_.resize(left);
  finished_.assign(left, false);
}

// Long futures leave much garbage.
void NativeFutures::collect_if_due(const Arena::Mark& begin) {
  Arena& arena = worker_.machine->arena();
  if (arena.mark().blocks <= blocks_kept_ + kMuch) return;
  arena.collect_since(begin, [&](Evacuator& e) {
    for (Execution& x : at_) x.visit(e);
  });
  blocks_kept_ = arena.mark().blocks;
}

}  // namespace chancel
