// SPDX-License-Identifier: Apache-2.0
// See ancestor_sampling.hpp.
#include "particles/ancestor_sampling.hpp"

#include <algorithm>
#include <cmath>

#include "math/elementary.hpp"
#include "math/log_space.hpp"
#include "particles/native_futures.hpp"

namespace chancel {

namespace {
constexpr std::uint32_t kAncestorSlot = 0xfffffffdu;
// Futures for a thread: waking it costs as much as some dozens.
constexpr std::size_t kLeastSlice = 32;
}  // namespace

AncestorSampling::AncestorSampling(WorkerPool& workers, ConditionalSweeps& chain)
    : workers_(workers), chain_(chain) {
  workers_.refuse_hidden_draws();
  chain_.sweep().given().choose_ancestor = [this](std::uint32_t barrier, RetainedPath& path) {
    return choose(barrier, path);
  };
}

std::uint32_t AncestorSampling::choose(std::uint32_t barrier, RetainedPath& path) {
  if (failure_) return 0;
  const Population& sweep = chain_.sweep();
  const std::size_t n = sweep.size();
  if (!future_parts(workers_.machine(), path, barrier, &parts_)) {
    failure_ = workers_.machine().failure();
    return 0;
  }
  futures_.resize(n);
  const RetainedFuture future{sweep, path, barrier, parts_, name_};
  NativeTier* const native = sweep.native();
  workers_.for_slices(n, kLeastSlice, [&](Worker& worker, std::size_t from, std::size_t to) {
    const auto full = within_memory([&] {
      if (native) {
        NativeFutures(*native, worker, future).run(from, to, futures_.data());
        return;
      }
      for (std::size_t i = from; i < to && !worker.failure; ++i) {
        futures_[i] = {kLogZero, false};
        if (sweep.weights().relative()[i] != 0) interpret_future(worker, future, i, &futures_[i]);
      }
    });
    if (full) {
      worker.failure = full;
      worker.failed_at = n;
    }
  });
  if ((failure_ = workers_.take_failure())) return 0;
  // The future cannot be scored, or cannot be repeated after its own past (its functions would be
  // other ones): the path keeps its past. The reverse move is impossible then, too.
  if (futures_[0].unknown || futures_[0].log_density == kLogZero) return 0;
  double largest = kLogZero;
  for (const FutureDensity& f : futures_)
    largest = std::max(largest, f.unknown ? kLogZero : f.log_density);
  chances_.resize(n);
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double f = futures_[i].unknown ? 0 : math::exp(futures_[i].log_density - largest);
    sum += chances_[i] = sweep.weights().relative()[i] * f;
  }
  Stream stream = workers_.stream(name_, kAncestorSlot, barrier);
  const std::uint32_t chosen = sum > 0 ? draw_index(chances_, sum, stream) : 0;
  if (chosen != 0 && barrier < path.steps.size()) re_root(chosen, barrier, path);
  return chosen;
}

// The retained future after its new past.
void AncestorSampling::re_root(std::uint32_t chosen, std::uint32_t barrier, RetainedPath& path) {
  Population& sweep = chain_.sweep();
  std::vector<Value> values;
  const auto add = [&](const ValueArray* draws) {
    for (std::size_t k = 0; k < draw_count(draws); ++k) values.push_back(drawn_value(draws, k));
  };
  for (std::size_t s = barrier + 1; s < path.steps.size(); ++s) add(path.steps[s]->draws);
  add(path.last_draws);
  path.steps.resize(barrier + 1);
  History* const past = sweep.history_to_here(chosen);
  path.steps[barrier] = past;
  Executor& machine = workers_.machine();
  machine.stream.reset(name_.child(kNodeStream, chosen), kReplaySlot, barrier);
  if (!replay_path(machine, sweep.execution(chosen), nullptr, values, past, path))
    failure_ = machine.failure();
  for (std::size_t s = barrier + 1; s < path.steps.size(); ++s) path.steps[s]->slot = kRetainedSlot;
}

}  // namespace chancel
