// SPDX-License-Identifier: Apache-2.0
// Whole executions from the prior by native code: threads take blocks of neighbours, and lead each from observe to
// observe to its end. An execution that native code cannot continue is interpreted to the next
// observe from which it can. When a collection of the heap is due, all threads stop, and continue
// after it.
#include <algorithm>
#include <atomic>

#include "infer/walker.hpp"
#include "math/log_space.hpp"
#include "particles/forward.hpp"

namespace chancel {

namespace {
// Executions that run together: as many as random numbers are made for at a time. Their rows stay in the cache.
constexpr std::size_t kRowsTogether = 64;
}  // namespace

std::uint64_t ForwardRuns::run_natively(std::size_t begin, std::size_t end) {
  if (drawn_.empty()) workers_.expect_executions(kLargestBatch);
  drawn_.resize(kLargestBatch);
  scores_.resize(kLargestBatch);
  for (std::size_t i = 0; i < count_; ++i) {
    executions_[place(i)] = Execution{};
    results_[place(i)] = Value::nil();
    drawn_[place(i)] = 0;
    log_weights_[place(i)] = prefix_->log_weight;
  }
  blocks_.clear();
  for (std::size_t i = begin; i < end;) {
    const std::size_t from = place(i);
    const std::size_t count = std::min(kRowsTogether - from % kRowsTogether, end - i);
    blocks_.push_back({from, from + count, name_of(first_ + i)});
    i += count;
  }
  const unsigned parts = workers_.slices(blocks_.size(), 1);
  for (unsigned m = 0; m < parts; ++m) workers_.worker(m).applications = 0;
  under_way_ = true;
  std::uint64_t failed_at = kNowhere;
  for (;;) {
    std::atomic<std::size_t> taken{0};
    workers_.for_slices(parts, 1, [&](Worker& worker, std::size_t, std::size_t) {
      while (!worker.failure) {
        const std::size_t n = taken.fetch_add(1, std::memory_order_relaxed);
        if (n >= blocks_.size() || number_at(blocks_[n].begin) >= failed_at) break;
        if (!run_block(worker, blocks_[n])) break;
      }
    });
    std::uint64_t at = 0;
    if (auto failure = workers_.take_failure(&at); failure && at < failed_at) {
      failure_ = std::move(failure);
      failed_at = at;
    }
    // Those before the one that failed may fail, too.
    const bool done = std::all_of(blocks_.begin(), blocks_.end(), [&](const Block& b) {
      return b.done || number_at(b.begin) >= failed_at;
    });
    if (done) break;
    workers_.collect_if_due();
  }
  under_way_ = false;
  for (unsigned m = 0; m < parts; ++m) applications_ += workers_.worker(m).applications;
  return failed_at;
}

// False: there is to be a collection, or something failed.
bool ForwardRuns::run_block(Worker& worker, Block& block) {
  while (!block.done) {
    auto stop = stop_requested(workers_.setup().run);
    if (!stop) stop = within_memory([&] { advance_block(worker, block); });
    if (stop) {
      worker.failure = stop;
      worker.failed_at = number_at(block.begin);
    }
    if (worker.failure) return false;
    if (workers_.heap().wants_collection()) return false;
  }
  return true;
}

void ForwardRuns::advance_block(Worker& worker, Block& block) {
  Executor& machine = *worker.machine;
  const bool fresh = block.observes == 0;
  const auto runs = [&](std::size_t at) { return fresh || !executions_[at].ended(); };
  NativeTurn turn{executions_.data(),
                  nullptr,
                  executions_.data(),
                  results_.data(),
                  scores_.data(),
                  log_weights_.data(),
                  0,
                  0,
                  fresh,
                  false,
                  block.name,
                  block.observes,
                  drawn_.data()};
  block.done = true;
  for (std::size_t at = block.begin; at < block.end;) {
    if (!runs(at)) {
      ++at;
      continue;
    }
    turn.begin = at;
    turn.end = at + 1;
    while (turn.end < block.end && runs(turn.end)) ++turn.end;
    const NativeProgress done = native_->run(machine, turn);
    machine.observed = machine.observed || done.has_site;
    for (; at < done.next; ++at) {
      if (executions_[at].ended()) {
        worker.applications += executions_[at].applications - prefix_->at.applications;
        continue;
      }
      log_weights_[at] += scores_[at];
      block.done = false;
    }
    for (; at < done.stays; ++at) {
      if (!interpret_on(worker, block, at)) {
        worker.failure = machine.failure();
        worker.failed_at = number_at(at);
        block.end = at;  // others before it may still fail
      }
      if (at < block.end && !executions_[at].ended()) block.done = false;
    }
  }
  ++block.observes;
}

// To the next observe from which native code can continue, or to the end.
bool ForwardRuns::interpret_on(Worker& worker, const Block& block, std::size_t at) {
  Executor& machine = *worker.machine;
  Execution& x = executions_[at];
  machine.wants = {false, true};
  machine.stream.reset(block.name, static_cast<std::uint32_t>(at), 0);
  machine.stream.skip(drawn_[at]);
  Walker walker(machine);
  if (block.observes == 0)
    walker.begin(*prefix_);
  else
    walker.begin(x);
  const Stop end = walker.collecting().run(from_prior, [&](Walker& w) {
    machine.observed = true;
    log_weights_[at] += w.stop.log_prob;
    if (w.stop.log_prob == kLogZero) return false;
    native_->adopt(machine, w.at, at > block.begin ? &executions_[at - 1] : nullptr);
    return w.at.top->tag != Tag::Row;
  });
  x = walker.at;
  if (end == Stop::Failed) return false;
  if (end == Stop::Observe && walker.stop.log_prob != kLogZero) {
    drawn_[at] = machine.stream.drawn();
    return true;
  }
  worker.applications += x.applications - prefix_->at.applications;
  x.top = nullptr;  // also of one that is impossible: it goes no further
  if (end == Stop::Result)
    results_[at] = walker.stop.value;
  else
    log_weights_[at] = kLogZero;
  return true;
}

}  // namespace chancel
