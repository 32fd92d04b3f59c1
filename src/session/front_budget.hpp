// SPDX-License-Identifier: Apache-2.0
// The session's answer to base/budget.hpp: what the front end holds counts as used in a heap, so
// that data, code and values share one limit, and the run's time limit and interrupt end its work
// as they end executions. What was granted is given back when the budget goes.
#pragma once
#include "base/budget.hpp"
#include "value/heap.hpp"
#include "vm/run_state.hpp"

namespace chancel {

class FrontBudget final : public Budget {
 public:
  // `beside` is a heap that belongs under the same limit: the program's constants.
  FrontBudget(Heap& heap, const Heap& beside, Run& run) : heap_(heap), beside_(beside), run_(run) {}
  FrontBudget(const FrontBudget&) = delete;
  FrontBudget& operator=(const FrontBudget&) = delete;
  ~FrontBudget() override { heap_.discharge(granted_); }

 private:
  void grant(std::size_t bytes) override {
    if (auto reason = stop_requested(&run_)) throw RunStopped{std::move(*reason)};
    if (bytes + beside_.used() > heap_.limit() ||
        heap_.used() > heap_.limit() - bytes - beside_.used())
      throw MemoryLimit{heap_.limit()};
    heap_.charge(bytes);
    granted_ += bytes;
  }
  Heap& heap_;
  const Heap& beside_;
  Run& run_;
  std::size_t granted_ = 0;
};

// Who pays for what macros give, as long as this lives.
class PaysForExpansions {
 public:
  PaysForExpansions(Budget*& who, Budget* now) : who_(who), before_(who) { who_ = now; }
  ~PaysForExpansions() { who_ = before_; }
  PaysForExpansions(const PaysForExpansions&) = delete;
  PaysForExpansions& operator=(const PaysForExpansions&) = delete;

 private:
  Budget*& who_;
  Budget* before_;
};

}  // namespace chancel
