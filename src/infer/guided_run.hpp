// SPDX-License-Identifier: Apache-2.0
// An execution whose draws come from a proposal instead of their distributions (importance sampling
// with learnt proposals). Each draw is recorded with its address, its distribution and its log
// density there, so that the density of the proposal can be computed afterwards.
#pragma once
#include <functional>
#include <optional>
#include <unordered_map>
#include <vector>

#include "infer/prefix.hpp"
#include "infer/worker_pool.hpp"
#include "value/drawn_value.hpp"

namespace chancel {

// Addresses of draws as numbers: site of the program (or the id that the program gave) and
// occurrence there. Numbers stay the same as long as this lives.
class DrawAddresses {
 public:
  struct Address {
    std::uint32_t key = 0, occurrence = 0;
  };
  void begin_execution() { counts_.assign(counts_.size(), 0); }
  Address next(std::uint32_t site, const Value& id);
  DrawAddress place(std::uint32_t key) const;
  void visit(Evacuator& e);

 private:
  std::vector<std::uint32_t> by_site_;                // key + 1
  std::vector<std::pair<Value, std::uint32_t>> ids_;  // few programs have them
  std::vector<std::uint32_t> counts_;                 // of this execution, by key
};

// How a draw may be proposed: around a value on the line, among discrete values, by a value of its
// kind (vectors, matrices), or from its own distribution alone (it has no density to compare).
enum class DrawKind : std::uint8_t { Line, Discrete, Value, Other };
DrawKind kind_of(const Value& dist);

struct GuidedDraw {
  DrawAddresses::Address address;
  Value dist = Value::nil();
  Value value = Value::nil();
  DrawKind kind = DrawKind::Other;
  double log_prior = 0;   // of the value; 0 for DrawKind::Other
  double log_before = 0;  // log density of the draws and observes before it
};

struct GuidedRun {
  std::vector<GuidedDraw> draws;
  Execution end;
  Value result = Value::nil();
  double log_prior = 0;       // of all draws that could have come from elsewhere
  double log_likelihood = 0;  // kLogZero: impossible
};

// Chooses a value for the draw (not of kind Other); nothing: it comes from its distribution.
using Proposer = std::function<std::optional<Value>(const GuidedDraw& draw, Stream& stream)>;

class GuidedRuns {
 public:
  explicit GuidedRuns(WorkerPool& workers) : workers_(workers) {
    workers.add_roots([this](Evacuator& e) {
      if (prefix_) prefix_->visit(e);
      addresses.visit(e);
    });
  }
  // The machine's stream has been named. False: see failure().
  bool run(const Proposer& propose, GuidedRun* out);
  const std::optional<Diagnostic>& failure() const { return failure_; }
  bool observed() const { return workers_.observed() || (prefix_ && prefix_->observes > 0); }
  DrawAddresses addresses;

 private:
  bool fail() {
    failure_ = workers_.machine().failure();
    return false;
  }
  WorkerPool& workers_;
  std::optional<Prefix> prefix_;
  std::optional<Diagnostic> failure_;
};

}  // namespace chancel
