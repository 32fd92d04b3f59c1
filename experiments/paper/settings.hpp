// SPDX-License-Identifier: Apache-2.0
// What was asked for on the command line of `chancel paper`.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace chancel::paper {

struct Settings {
  std::vector<std::string> experiments;  // names, in the order of the page
  unsigned runs = 25;                    // seeds for each curve
  bool quick = false;                    // fewer runs and simulations: the story in coarse grain
  unsigned threads = 1;
  std::uint64_t seed = 1;
  std::string out;
  bool resume = false;
  // `full` simulations, or fewer when it must be quick.
  std::uint64_t simulations(std::uint64_t full, std::uint64_t quick_ones) const {
    return quick ? quick_ones : full;
  }
};

}  // namespace chancel::paper
