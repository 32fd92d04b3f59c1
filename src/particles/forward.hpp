// SPDX-License-Identifier: Apache-2.0
// Whole executions from the prior, in batches across the threads: the basis of importance and
// rejection. Execution k of a run takes its random numbers from a stream named by k, so batches and
// threads do not change it. The prefix that all share is run once. Batches grow from one to
// kLargestBatch, so that the first draw of a slow program comes soon.
//
// The interpreter takes them one by one. Native code (forward_natively.cpp) takes blocks of them from observe to
// observe; streams continue across observes, so the numbers that each execution has drawn are
// counted.
#pragma once
#include <optional>
#include <vector>

#include "infer/evidence.hpp"
#include "infer/native_code.hpp"
#include "infer/prefix.hpp"
#include "infer/sink.hpp"
#include "infer/worker_pool.hpp"

namespace chancel {

class ForwardRuns {
 public:
  ForwardRuns(const RunSetup& setup, ThreadTeam* team);
  // Runs the next batch (up to an execution that fails). False: failure(). With other ranks each does
  // a part of it, and the first has all.
  bool next();
  // Other ranks than the first: their parts of all batches, until the run is over (RunIsOver).
  [[noreturn]] void help();
  std::size_t size() const { return count_; }
  std::uint64_t first() const { return first_; }  // number of the batch's first execution
  double log_weight(std::size_t i) const {
    return log_weights_[place(i)];
  }  // -inf: stopped at an impossible observe
  // Execution i as a draw, without its weight and number.
  EngineDraw draw(std::size_t i) const;
  // Adds the batch to what an engine says of itself, and the evidence so far.
  void count_in(EngineStatistics& statistics, const RunEvidence& evidence);
  const std::optional<Diagnostic>& failure() const { return failure_; }
  WorkerPool& workers() { return workers_; }
  bool observed() const {
    return workers_.observed() || observed_elsewhere_ || prefix_->observes > 0;
  }
  // The stream of execution k after its own draws: for decisions about it.
  Stream decision_stream(std::uint64_t k) const;
  // How far it is, as bytes.
  void save(ByteWriter& to) const {
    to.number(first_);
    to.number(count_);
  }
  bool restore(ByteReader& from) {
    first_ = from.number();
    count_ = static_cast<std::size_t>(from.number());
    return count_ <= kLargestBatch || from.fail("there is no such batch");
  }

 private:
  static constexpr std::size_t kLargestBatch = 1024;
  // Where execution i of the batch is: the slot that names its random numbers.
  std::size_t place(std::size_t i) const { return (first_ + i) % kLargestBatch; }
  std::size_t number_at(std::size_t at) const {  // the other way round
    return (at + kLargestBatch - place(0)) % kLargestBatch;
  }
  StreamName name_of(std::uint64_t k) const {
    return workers_.setup().name.child(kSweepStream, k / kLargestBatch);
  }
  // These run a part of the batch and give the first execution that failed; kNowhere: none.
  static constexpr std::uint64_t kNowhere = ~std::uint64_t{0};
  std::uint64_t interpret(std::size_t begin, std::size_t end, bool shared);
  void run_slice(Worker& worker, std::size_t from, std::size_t to);

  // --- natively ---
  struct Block {  // neighbours that go from observe to observe together
    std::size_t begin, end;
    StreamName name;
    std::uint32_t observes = 0;  // that they have met
    bool done = false;
  };
  std::uint64_t run_natively(std::size_t begin, std::size_t end);
  bool run_block(Worker& worker, Block& block);
  void advance_block(Worker& worker, Block& block);
  bool interpret_on(Worker& worker, const Block& block, std::size_t at);
  // `failed_at`: the first execution of this rank's part that failed.
  void share_batch(std::uint64_t failed_at);
  std::string pack(std::size_t from, std::size_t to, std::uint64_t failed_at);
  std::uint64_t unpack(const std::string& message, std::size_t from, std::size_t to);

  WorkerPool workers_;
  std::optional<Prefix> prefix_;
  NativeCode native_code_;
  NativeTier* native_ = nullptr;  // null: not now
  bool under_way_ = false;        // executions are at rest: collections must see them
  std::vector<Block> blocks_;
  std::vector<std::uint64_t> drawn_;
  std::vector<double> scores_;
  // by place():
  std::vector<Execution> executions_;
  std::vector<Value> results_;
  std::vector<double> log_weights_;
  std::vector<std::vector<ObserveScore>> observes_;  // when RunSetup::pointwise asks for them
  std::size_t count_ = 0;
  std::uint64_t first_ = 0;
  std::uint64_t applications_ = 0;
  bool observed_elsewhere_ = false;
  std::uint64_t unanswered_ = 0;  // batches that this rank has sent and the first has not taken
  std::optional<Diagnostic> failure_;
};

}  // namespace chancel
