// SPDX-License-Identifier: Apache-2.0
// See forward.hpp.
#include "infer/forward.hpp"

#include <algorithm>
#include <atomic>

#include "math/log_space.hpp"

namespace chancel {

namespace {
constexpr std::size_t kLargestBatch = 1024;
constexpr std::size_t kBlock = 8;  // executions that a thread takes at a time
}  // namespace

ForwardRuns::ForwardRuns(const RunSetup& setup, ThreadTeam* team)
    : crew_(setup, team, setup.max_memory) {
  crew_.add_roots([this](Evacuator& e) {
    if (prefix_) prefix_->visit(e);
  });
}

Stream ForwardRuns::decision_stream(std::uint64_t k) const {
  return crew_.stream(crew_.setup().name.child(kSweepStream, k / kLargestBatch), kSelectionSlot,
                      static_cast<std::uint32_t>(k % kLargestBatch));
}

bool ForwardRuns::next() {
  if (failure_) return false;
  crew_.collect_if_due();  // nothing of the last batch is needed any more
  if (!prefix_) {
    prefix_.emplace();
    if (!prefix_->run(crew_.machine(), crew_.setup())) {
      failure_ = crew_.machine().failure();
      return false;
    }
  }
  first_ += count_;
  count_ = std::min(kLargestBatch, count_ == 0 ? 1 : 2 * count_);
  if (executions_.size() < count_) {
    executions_.resize(count_);
    results_.resize(count_, Value::nil());
    log_weights_.resize(count_);
  }
  // Members take small blocks in order until the batch is done or the heap wants a collection: then
  // the batch ends there.
  const unsigned parts = crew_.slices(count_, kBlock);
  for (unsigned m = 0; m < parts; ++m) crew_.member(m).applications = 0;
  std::atomic<std::size_t> taken{0};
  crew_.for_slices(parts, 1, [&](CrewMember& member, std::size_t, std::size_t) {
    const auto full = within_memory([&] {
      while (!member.failure) {
        if (taken.load(std::memory_order_relaxed) > 0 && crew_.heap().wants_collection()) break;
        const std::size_t from = taken.fetch_add(kBlock, std::memory_order_relaxed);
        if (from >= count_) break;
        member.failed_at = from;  // if memory runs out
        run_slice(member, from, std::min(from + kBlock, count_));
      }
    });
    if (full) member.failure = full;
  });
  count_ = std::min(count_, taken.load());
  applications_ = 0;
  for (unsigned m = 0; m < parts; ++m) applications_ += crew_.member(m).applications;
  std::uint64_t failed_at = 0;
  failure_ = crew_.take_failure(&failed_at);
  if (failure_) count_ = failed_at;
  return count_ > 0 || !failure_;
}

void ForwardRuns::run_slice(CrewMember& member, std::size_t from, std::size_t to) {
  Executor& machine = *member.machine;
  machine.wants = {false, false};
  for (std::size_t i = from; i < to; ++i) {
    const std::uint64_t k = first_ + i;
    Execution x = prefix_->at;
    machine.stream.reset(crew_.setup().name.child(kSweepStream, k / kLargestBatch),
                         static_cast<std::uint32_t>(k % kLargestBatch), 0);
    machine.log_weight = prefix_->log_weight;
    Checkpoint stop;
    Value answer = Value::nil();
    if (prefix_->kind == Stop::Result || prefix_->kind == Stop::Impossible) {
      stop.kind = prefix_->kind;
      stop.value = prefix_->result;
    } else {
      if (prefix_->kind == Stop::Sample && !draw_for(machine, x, prefix_->dist, &answer)) {
        member.failure = machine.failure();
        member.failed_at = i;
        return;
      }
      resume_and_collect(machine, x, answer, stop);
    }
    member.applications += x.applications - prefix_->at.applications;
    executions_[i] = x;
    if (stop.kind == Stop::Result) {
      results_[i] = stop.value;
      log_weights_[i] = machine.log_weight;
    } else if (stop.kind == Stop::Impossible) {
      results_[i] = Value::nil();
      log_weights_[i] = kLogZero;
    } else {
      member.failure = machine.failure();
      member.failed_at = i;
      return;
    }
  }
}

}  // namespace chancel
