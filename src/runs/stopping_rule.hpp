// SPDX-License-Identifier: Apache-2.0
// When a run that was not given a number of draws has enough of them: every label has the wanted
// effective sample size and an R-hat below 1.01, and chains came back to what they left (infer/structure_visits.hpp).
// It looks at fixed numbers of draws, so that a seed gives the same draws whatever the clock says. A run also ends by its work, which is
// counted (inference.cpp), and by its time limit, with how to repeat it. Memory: as a SummaryBuilder.
#pragma once
#include <memory>
#include <string>

#include "chancel/chancel.hpp"

namespace chancel {

class SummaryBuilder;
struct Summary;

class StoppingRule {
 public:
  // Looks first after `first_round` draws of each chain.
  StoppingRule(double ess, std::uint64_t first_round);
  ~StoppingRule();

  void add(const Draw& draw);
  std::uint64_t round() const { return round_; }
  // After a round. True: that is enough, and text() says why; else the next round is longer.
  bool look(const RunStatistics& statistics, unsigned threads);
  // The time is over, or all the work has been done, before that is enough.
  void time_over(const RunStatistics& statistics, unsigned threads, double limit);
  void work_over(const RunStatistics& statistics, unsigned threads);
  const std::string& text() const { return text_; }

 private:
  // Empty: nothing is short.
  std::string shortfall(const Summary& summary, const RunStatistics& statistics) const;
  void ended_by(std::string what, const RunStatistics& statistics, unsigned threads);
  double ess_;
  std::uint64_t round_;
  std::unique_ptr<SummaryBuilder> draws_;
  std::string text_;
};

}  // namespace chancel
