// SPDX-License-Identifier: Apache-2.0
// The options that every command which compiles a program has: its dialect and its limits.
#pragma once
#include <string>

#include "chancel/chancel.hpp"
#include "option_parser.hpp"

namespace chancel::tool {

struct ProgramOptions {
  std::string dialect, max_memory, timeout, max_depth, max_output, tier = "auto";
  bool no_files = false;
  void declare_dialect(OptionParser& parser);
  void declare_limits(OptionParser& parser);
  void declare_tier(OptionParser& parser);
  // Checked; `name` is what messages call the program.
  CompileOptions compile_options(const std::string& name) const;
};

// The tier of that name; UsageError if there is none.
Tier tier_of(const std::string& name);

// --seed, or a seed of our own (small enough to be typed) when none is given.
std::uint64_t seed_of(const std::string& text);

}  // namespace chancel::tool
