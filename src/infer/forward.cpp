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
    : workers_(setup, team, setup.max_memory) {
  workers_.add_roots([this](Evacuator& e) {
    if (prefix_) prefix_->visit(e);
  });
}

Stream ForwardRuns::decision_stream(std::uint64_t k) const {
  return workers_.stream(workers_.setup().name.child(kSweepStream, k / kLargestBatch),
                         kSelectionSlot, static_cast<std::uint32_t>(k % kLargestBatch));
}

bool ForwardRuns::next() {
  if (failure_) return false;
  workers_.collect_if_due();  // nothing of the last batch is needed any more
  if (!prefix_) {
    prefix_.emplace();
    if (!prefix_->run(workers_.machine(), workers_.setup())) {
      failure_ = workers_.machine().failure();
      return false;
    }
  }
  first_ += count_;
  count_ = std::min(kLargestBatch, count_ == 0 ? 1 : 2 * count_);
  if (executions_.size() < count_) {
    executions_.resize(count_);
    results_.resize(count_, Value::nil());
    log_weights_.resize(count_);
    if (workers_.setup().pointwise) observes_.resize(count_);
  }
  // Members take small blocks in order until the batch is done or the heap wants a collection: then
  // the batch ends there.
  const unsigned parts = workers_.slices(count_, kBlock);
  for (unsigned m = 0; m < parts; ++m) workers_.worker(m).applications = 0;
  std::atomic<std::size_t> taken{0};
  workers_.for_slices(parts, 1, [&](Worker& worker, std::size_t, std::size_t) {
    const auto full = within_memory([&] {
      while (!worker.failure) {
        if (taken.load(std::memory_order_relaxed) > 0 && workers_.heap().wants_collection()) break;
        const std::size_t from = taken.fetch_add(kBlock, std::memory_order_relaxed);
        if (from >= count_) break;
        worker.failed_at = from;  // if memory runs out
        run_slice(worker, from, std::min(from + kBlock, count_));
      }
    });
    if (full) worker.failure = full;
  });
  count_ = std::min(count_, taken.load());
  applications_ = 0;
  for (unsigned m = 0; m < parts; ++m) applications_ += workers_.worker(m).applications;
  std::uint64_t failed_at = 0;
  failure_ = workers_.take_failure(&failed_at);
  if (failure_) count_ = failed_at;
  return count_ > 0 || !failure_;
}

void ForwardRuns::run_slice(Worker& worker, std::size_t from, std::size_t to) {
  Executor& machine = *worker.machine;
  const bool pointwise = workers_.setup().pointwise;
  machine.wants = {false, pointwise};
  for (std::size_t i = from; i < to; ++i) {
    const std::uint64_t k = first_ + i;
    Execution x = prefix_->at;
    machine.stream.reset(workers_.setup().name.child(kSweepStream, k / kLargestBatch),
                         static_cast<std::uint32_t>(k % kLargestBatch), 0);
    machine.log_weight = prefix_->log_weight;
    Checkpoint stop;
    Value answer = Value::nil();
    if (prefix_->kind == Stop::Result || prefix_->kind == Stop::Impossible) {
      stop.kind = prefix_->kind;
      stop.value = prefix_->result;
    } else {
      if (prefix_->kind == Stop::Sample && !draw_for(machine, x, prefix_->dist, &answer)) {
        worker.failure = machine.failure();
        worker.failed_at = i;
        return;
      }
      resume_and_collect(machine, x, answer, stop);
    }
    if (pointwise) observes_[i] = prefix_->scores;
    while (stop.kind == Stop::Observe) {
      machine.observed = true;
      machine.log_weight += stop.log_prob;
      observes_[i].push_back({stop.site, stop.log_prob});
      if (stop.log_prob == kLogZero)
        stop.kind = Stop::Impossible;
      else
        resume_and_collect(machine, x, Value::nil(), stop);
    }
    worker.applications += x.applications - prefix_->at.applications;
    executions_[i] = x;
    if (stop.kind == Stop::Result) {
      results_[i] = stop.value;
      log_weights_[i] = machine.log_weight;
    } else if (stop.kind == Stop::Impossible) {
      results_[i] = Value::nil();
      log_weights_[i] = kLogZero;
    } else {
      worker.failure = machine.failure();
      worker.failed_at = i;
      return;
    }
  }
}

EngineDraw ForwardRuns::draw(std::size_t i) const {
  EngineDraw draw;
  draw.predicts = executions_[i].predicts;
  draw.result = results_[i];
  draw.chain = workers_.setup().chain;
  draw.applications = executions_[i].applications;
  if (workers_.setup().pointwise) draw.observes = observes_[i];
  return draw;
}

void ForwardRuns::count_in(EngineStatistics& statistics, const RunEvidence& evidence) {
  statistics.simulations += count_;
  statistics.applications += applications_;
  statistics.peak_memory = workers_.heap().peak();
  statistics.independent = true;
  statistics.has_log_evidence = true;
  statistics.log_evidence = evidence.values().log_mean();
  statistics.log_evidence_se = evidence.values().log_mean_se();
  statistics.evidence_parts = evidence.values();
}

}  // namespace chancel
