// SPDX-License-Identifier: Apache-2.0
// What a run of inference is asked for, in words: engine, draws, arguments of the query. The options
// of `chancel infer`, and of :infer at the prompt and in notebooks.
#pragma once
#include <string>

#include "chancel/run_directory.hpp"
#include "option_parser.hpp"

namespace chancel::tool {

struct RunRequest {
  std::string algorithm = "auto", algorithm_options, particles;
  std::string samples, ess, rounds, burn, thin = "1", seed, threads = "0", chains, warmup;
  std::string value, data;
  bool prior = false;

  void declare(OptionParser& parser);
  // Checked. The data file is read here.
  void describe(RunDescription& run) const;
  unsigned thread_count() const;
};

// Draws of all chains; 0 when their number is not known. `statistics` of a run that has begun.
std::uint64_t draws_goal(const RunInfo& info, const RunStatistics& statistics);
bool warms_up(const RunInfo& info, const RunStatistics& statistics);

}  // namespace chancel::tool
