// SPDX-License-Identifier: Apache-2.0
// What an experiment runs: a program, which of its predicts are looked at, and their exact law. The
// distance is the paper's: KL* for the HMM (summed over its states), KL for other discrete laws, KS
// for continuous ones.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "paper/truth.hpp"

namespace chancel::paper {

struct Problem {
  std::string name;     // "hmm"
  std::string title;    // "HMM"
  std::string file;     // "models/hmm/hmm.clj": shown in messages
  std::string program;  // its text, altered or not
  // One label for each row of the law, or one label of a vector with an entry for each.
  std::vector<std::string> labels;
  Law law;
  const char* distance() const;       // "KL*", "KL", "KS"
  const char* distance_unit() const;  // "nats"; KS has none
};

// The paper's four in the syntax of today, as printed: what Figure 1 runs.
Problem hmm_problem();
Problem mixture_problem();
Problem branching_problem();
Problem marsaglia_problem();
std::vector<Problem> paper_problems();

// The same in the original syntax.
Problem original_hmm();
Problem original_mixture();
Problem original_branching();
Problem original_marsaglia();
// With their observes left out.
std::vector<Problem> prior_problems();

// One bit and two observes that cancel; `prior`: without them. P(s) = 1/2 either way.
Problem two_state_problem(bool prior);

// The first place of `from` replaced; throws std::logic_error when there is none.
std::string replaced(std::string text, std::string_view from, std::string_view to);

}  // namespace chancel::paper
