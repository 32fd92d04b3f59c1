// SPDX-License-Identifier: Apache-2.0
// See forward.hpp.
#include "particles/forward.hpp"

#include <algorithm>
#include <atomic>

#include "infer/output_bytes.hpp"
#include "infer/report_bytes.hpp"
#include "infer/walker.hpp"
#include "math/log_space.hpp"
#include "ranks/ranks.hpp"

namespace chancel {

namespace {
constexpr std::size_t kExecutionsAtATime = 8;  // executions that a thread takes at a time
// Executions of a rank in a batch that is worth a message, and batches that may wait for the first.
constexpr std::size_t kLeastShared = 32;
constexpr std::uint64_t kMostUnanswered = 16;
}  // namespace

ForwardRuns::ForwardRuns(const RunSetup& setup, ThreadTeam* team)
    : workers_(setup, team, setup.max_memory) {
  workers_.add_roots([this](Evacuator& e) {
    if (prefix_) prefix_->visit(e);
    native_code_.visit(e);
    if (!under_way_) return;
    for (std::size_t i = 0; i < count_; ++i) {
      executions_[place(i)].visit(e);
      e.visit(results_[place(i)]);
    }
  });
}

Stream ForwardRuns::decision_stream(std::uint64_t k) const {
  return workers_.stream(name_of(k), kSelectionSlot, static_cast<std::uint32_t>(k % kLargestBatch));
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
  if (executions_.empty()) {
    executions_.resize(kLargestBatch);
    results_.resize(kLargestBatch, Value::nil());
    log_weights_.resize(kLargestBatch);
    if (workers_.setup().pointwise) observes_.resize(kLargestBatch);
  }
  Ranks* const ranks = workers_.setup().ranks;
  const bool shared = ranks && count_ >= kLeastShared * ranks->size();
  const std::size_t begin = shared ? count_ * ranks->rank() / ranks->size() : 0;
  const std::size_t end = shared ? count_ * (ranks->rank() + 1) / ranks->size() : count_;
  if (ranks && !shared && !ranks->first()) return true;  // the first does a small batch alone
  if (!workers_.setup().pointwise)
    native_ =
        native_code_.look(*prefix_, workers_.setup(), workers_.machine(), {.streams_go_on = true});
  applications_ = 0;
  const std::uint64_t failed_at =
      native_ ? run_natively(begin, end) : interpret(begin, end, shared);
  if (shared)
    share_batch(failed_at);
  else if (failure_)
    count_ = failed_at;
  return count_ > 0 || !failure_;
}

// Workers take small blocks in order until the batch is done or the heap wants a collection: then the batch ends
// there, unless it is shared.
std::uint64_t ForwardRuns::interpret(std::size_t begin, std::size_t end, bool shared) {
  const unsigned parts = workers_.slices(end - begin, kExecutionsAtATime);
  for (unsigned m = 0; m < parts; ++m) workers_.worker(m).applications = 0;
  std::atomic<std::size_t> taken{0};
  workers_.for_slices(parts, 1, [&](Worker& worker, std::size_t, std::size_t) {
    const auto full = within_memory([&] {
      while (!worker.failure) {
        if (!shared && taken.load(std::memory_order_relaxed) > 0 &&
            workers_.heap().wants_collection())
          break;
        const std::size_t from =
            begin + taken.fetch_add(kExecutionsAtATime, std::memory_order_relaxed);
        if (from >= end) break;
        worker.failed_at = from;  // if memory runs out
        run_slice(worker, from, std::min(from + kExecutionsAtATime, end));
      }
    });
    if (full) worker.failure = full;
  });
  if (!shared) count_ = std::min(count_, taken.load());
  for (unsigned m = 0; m < parts; ++m) applications_ += workers_.worker(m).applications;
  std::uint64_t failed_at = 0;
  failure_ = workers_.take_failure(&failed_at);
  return failure_ ? failed_at : kNowhere;
}

void ForwardRuns::help() {
  while (next()) {
  }
  workers_.setup().ranks->wait_for_the_end();  // the first rank knows why
}

// The first rank takes the parts of the others, up to the first execution that failed.
void ForwardRuns::share_batch(std::uint64_t failed_at) {
  Ranks& ranks = *workers_.setup().ranks;
  const auto bound = [&](unsigned r) { return count_ * r / ranks.size(); };
  if (!ranks.first()) {
    while (unanswered_ >= kMostUnanswered) {
      ranks.receive(0, kSweepOrderTag);
      --unanswered_;
    }
    ranks.send(0, kSweepTag, pack(bound(ranks.rank()), bound(ranks.rank() + 1), failed_at));
    ++unanswered_;
    return;
  }
  for (unsigned r = 1; r < ranks.size(); ++r) {
    const std::string message = ranks.receive(r, kSweepTag);
    ranks.send(r, kSweepOrderTag, {});
    if (failed_at == kNowhere) failed_at = unpack(message, bound(r), bound(r + 1));
  }
  if (failed_at != kNowhere) count_ = failed_at;
}

std::string ForwardRuns::pack(std::size_t from, std::size_t to, std::uint64_t failed_at) {
  ByteWriter out;
  out.number(applications_);
  out.byte(workers_.observed());
  ByteWriter draws;
  ValueWriter values(draws, workers_.setup().byte_names);
  std::size_t i = from;
  for (; i < std::min<std::uint64_t>(to, failed_at); ++i) {
    draws.real(log_weights_[place(i)]);
    draws.number(executions_[place(i)].applications);
    if (workers_.setup().pointwise) {
      draws.number(observes_[place(i)].size());
      for (const ObserveScore& o : observes_[place(i)]) write_plain(draws, o);
    }
    if (std::string problem; !write_output(draws, values, executions_[place(i)].predicts,
                                           results_[place(i)], &problem)) {
      failure_ = cannot_be_sent(std::move(problem));
      failed_at = from;  // what was written of this part is void
      break;
    }
  }
  out.number(failed_at);
  if (failed_at != kNowhere) write(out, *failure_);
  out.text(failed_at == from ? std::string_view() : std::string_view(draws.bytes()));
  return out.take();
}

std::uint64_t ForwardRuns::unpack(const std::string& message, std::size_t from, std::size_t to) {
  ByteReader in(message);
  applications_ += in.number();
  observed_elsewhere_ = in.byte() || observed_elsewhere_;
  const std::uint64_t failed_at = in.number();
  if (failed_at != kNowhere) read(in, &failure_.emplace());
  ByteReader draws(in.text());
  Arena& arena = workers_.machine().arena();
  ValueReader values(draws, arena, workers_.setup().byte_names);
  for (std::size_t i = from; i < std::min<std::uint64_t>(to, failed_at) && draws.ok(); ++i) {
    log_weights_[place(i)] = draws.real();
    Execution& x = executions_[place(i)] = {};
    x.applications = draws.number();
    if (workers_.setup().pointwise) {
      observes_[place(i)].resize(draws.count(sizeof(ObserveScore)));
      for (ObserveScore& o : observes_[place(i)]) read_plain(draws, &o);
    }
    read_output(draws, values, arena, &x.predicts, &results_[place(i)]);
  }
  if (in.done() && draws.done()) return failed_at;
  failure_ = Diagnostic{Code::X001, Severity::Error,
                        {},         "a message between ranks is damaged: " + draws.problem(),
                        "",         {}};
  return from;
}

void ForwardRuns::run_slice(Worker& worker, std::size_t from, std::size_t to) {
  Executor& machine = *worker.machine;
  const bool pointwise = workers_.setup().pointwise;
  machine.wants = {false, pointwise};
  for (std::size_t i = from; i < to; ++i) {
    const std::size_t at = place(i);
    machine.stream.reset(name_of(first_ + i), static_cast<std::uint32_t>(at), 0);
    machine.log_weight = prefix_->log_weight;
    if (pointwise) observes_[at] = prefix_->scores;
    Walker walker(machine);
    walker.begin(*prefix_);
    const Stop end = walker.collecting().run(from_prior, [&](Walker& w) {
      machine.observed = true;
      machine.log_weight += w.stop.log_prob;
      observes_[at].push_back({w.stop.site, w.stop.log_prob});
      return w.stop.log_prob != kLogZero;
    });
    worker.applications += walker.at.applications - prefix_->at.applications;
    executions_[at] = walker.at;
    if (end == Stop::Failed) {
      worker.failure = machine.failure();
      worker.failed_at = i;
      return;
    }
    const bool possible = end == Stop::Result;
    results_[at] = possible ? walker.stop.value : Value::nil();
    log_weights_[at] = possible ? machine.log_weight : kLogZero;
  }
}

EngineDraw ForwardRuns::draw(std::size_t i) const {
  EngineDraw draw;
  draw.predicts = executions_[place(i)].predicts;
  draw.result = results_[place(i)];
  draw.chain = workers_.setup().chain;
  draw.applications = executions_[place(i)].applications;
  if (workers_.setup().pointwise) draw.observes = observes_[place(i)];
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
