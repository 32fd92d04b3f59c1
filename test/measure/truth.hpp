// SPDX-License-Identifier: Apache-2.0
// The exact answers that engines are measured against: models/*/truth.json (its fields are
// described at the head of models/compute_truth.py), taken apart into one scalar at a time. A
// predict that is a vector is one scalar an entry.
#pragma once
#include <string>
#include <vector>

namespace measure {

// The exact distribution of one scalar.
struct Distribution {
  enum class Kind { Discrete, Normal, Beta, Moments };
  Kind kind = Kind::Discrete;
  std::vector<double> support, probabilities;  // Discrete; booleans are 0 and 1
  double a = 0, b = 0;                         // Beta
  double mean = 0, sd = 0;                     // all but Discrete
  double cdf(double x) const;                  // Normal, Beta
};

struct Scalar {
  std::string label;  // of the predict
  int entry = -1;     // of its vector; -1 = the predict itself
  Distribution distribution;
};

struct Truth {
  std::string program;  // "hmm/hmm.clj"
  std::string query;
  double log_evidence = 0;
  std::vector<Scalar> scalars;
};

// Reads the truth of "hmm/hmm.clj" under the folder of the models. Throws std::runtime_error when
// there is none.
Truth read_truth(const std::string& models, const std::string& program);
// All programs that have a truth, in order of their names.
std::vector<std::string> programs_with_truth(const std::string& models);

}  // namespace measure
