// SPDX-License-Identifier: Apache-2.0
// The execution of a trace as the flow of its values (record/dataflow.hpp), so that a step that
// changes one draw costs what depends on that draw, not the rest of the execution.
//
// When to record: a recording costs as much as about a hundred steps that run the program, and one
// that turns out to go another way costs a few; where nearly everything depends on every draw, it
// saves nothing. Where it does not pay, the trace waits, each time twice as long, before it tries
// again. All this is counted, not timed: the same run records at the same steps.
#pragma once
#include <memory>
#include <optional>

#include "infer/prefix.hpp"
#include "record/dataflow.hpp"
#include "record/flow_outputs.hpp"

namespace chancel {

class TraceFlow {
 public:
  // Records the execution with these draws. Null: it cannot be recorded.
  static std::unique_ptr<TraceFlow> record(Executor& machine, const Prefix& prefix,
                                           const std::vector<Value>& values);

  Dataflow flow;
  std::optional<FlowOutputs> outputs;
  void visit(Evacuator& e) {
    flow.visit(e);
    if (outputs) outputs->visit(e);
  }
};

class WhenToRecord {
 public:
  enum class Policy : std::uint8_t { Never, WhereItPays, Always };
  void set(Policy policy) { policy_ = policy; }
  void begin_anew() {
    const Policy policy = policy_;
    *this = {};
    policy_ = policy;
  }
  // At each step without a recording: is it time?
  bool now() {
    if (policy_ != Policy::WhereItPays) return policy_ == Policy::Always;
    if (wait_ == 0) return true;
    --wait_;
    return false;
  }
  void begin() { answered_ = missed_ = nodes_ = 0; }
  // A step was run, with this many applications.
  void ran(std::uint64_t applications) {
    ++runs_;
    applications_ += applications;
  }
  // The recording has answered a step by evaluating this many nodes. False: it is not worth
  // keeping.
  bool answered(std::uint64_t nodes) {
    nodes_ += nodes;
    ++answered_;
    return policy_ == Policy::Always || answered_ < kFewAnswers ||
           (answered_ & (answered_ - 1)) != 0 || saves();
  }
  // The program went another way. False: it is not worth keeping.
  bool missed() {
    ++missed_;
    return policy_ == Policy::Always || missed_ < kFewMisses ||
           answered_ >= kStepsForAMiss * missed_;
  }
  // The recording is given up: was it worth its price?
  void end() {
    if (answered_ >= kStepsForARecording + kStepsForAMiss * missed_ && saves())
      patience_ = kFirstPatience;
    else
      wait_ = patience_ = std::min(2 * patience_, kMostPatience);
  }

 private:
  // A node costs about as much as an application.
  bool saves() const {
    return runs_ == 0 ||
           static_cast<double>(nodes_) * static_cast<double>(runs_) <
               kWorthwhile * static_cast<double>(applications_) * static_cast<double>(answered_);
  }

  static constexpr double kWorthwhile = 0.5;
  static constexpr std::uint64_t kStepsForARecording = 100, kStepsForAMiss = 4, kFewMisses = 8,
                                 kFewAnswers = 8;
  static constexpr std::uint64_t kFirstWait = 16;  // until it is known what a run costs
  static constexpr std::uint64_t kFirstPatience = 64, kMostPatience = std::uint64_t{1} << 20;
  Policy policy_ = Policy::WhereItPays;
  std::uint64_t wait_ = kFirstWait, patience_ = kFirstPatience;
  std::uint64_t answered_ = 0, missed_ = 0, nodes_ = 0;  // of the present recording
  std::uint64_t runs_ = 0, applications_ = 0;            // without one
};

}  // namespace chancel
