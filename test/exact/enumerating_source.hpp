// SPDX-License-Identifier: Apache-2.0
// Runs a random computation on all its random numbers: every number that it asks for is the middle
// of one of K equal cells of [0, 1), and all combinations are visited, with their exact
// probabilities. Exact as long as every decision of the computation has its thresholds on multiples
// of 1/K, which tests arrange by their choice of probabilities.
//
// To keep this feasible, cells that cannot be told apart are visited once: two neighbouring cells
// of a number are the same when the computation's signature (all it shows: draws, weights,
// barriers) agrees with the later numbers held fixed, in several ways (`looks`). Looks that are too
// few can only make a right computation look wrong.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "random/stream.hpp"

namespace exact {

// Fixed numbers first, then cells chosen by `look`: look 0 takes the first cell always, others mix.
class FixedSource final : public chancel::Stream::Source {
 public:
  FixedSource(const std::vector<std::uint64_t>& numbers, unsigned cells, unsigned look)
      : numbers_(numbers), cells_(cells), look_(look) {}
  std::uint64_t next() override;
  std::size_t used() const { return used_; }

 private:
  const std::vector<std::uint64_t>& numbers_;
  unsigned cells_;
  unsigned look_;
  std::size_t used_ = 0;
};

struct Outcome {
  std::string signature;
  std::vector<double> values;  // whose expectation is wanted
};
using Computation = std::function<Outcome(FixedSource&)>;

// Expectations of Outcome::values. `leaves` gets the number of different combinations.
std::vector<double> expectation(const Computation& run, unsigned cells, unsigned looks,
                                std::size_t* leaves = nullptr);

}  // namespace exact
