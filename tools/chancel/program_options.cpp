// SPDX-License-Identifier: Apache-2.0
#include "program_options.hpp"

#include <fmt/format.h>
#include <sys/random.h>

#include <algorithm>
#include <chrono>

#include "chancel/process_memory.hpp"
#include "console.hpp"
#include "quantity.hpp"
#include "signals.hpp"
#include "usage.hpp"

namespace chancel::tool {
namespace {
const std::vector<std::string> kDialects = {"clojure", "venture", "textbook"};
const std::vector<std::string> kTiers = {"auto", "vm", "native", "segment"};
}  // namespace

void ProgramOptions::declare_dialect(OptionParser& parser) {
  parser.option("--dialect", &dialect, "NAME",
                "clojure, venture or textbook; detected from the file when not given", kDialects);
}

void ProgramOptions::declare_limits(OptionParser& parser) {
  parser.group("Limits");
  parser.option("--max-memory", &max_memory, "SIZE",
                "for example 4G; three quarters of the machine's memory otherwise");
  parser.option("--timeout", &timeout, "TIME", "10, 10s, 5m or 1h; then prints the results so far");
  parser.option("--max-depth", &max_depth, "N",
                "of nested calls; as deep as memory allows otherwise");
  parser.option("--max-output", &max_output, "SIZE", "that the program may print");
  parser.flag("--no-files", &no_files,
              "the program may not read files: for untrusted programs, with --tier vm");
}

void ProgramOptions::declare_tier(OptionParser& parser) {
  parser.option("--tier", &tier, "NAME",
                "vm, native, segment or auto: who runs particles; never changes the draws (auto)",
                kTiers);
}

CompileOptions ProgramOptions::compile_options(const std::string& name) const {
  CompileOptions options;
  options.name = name;
  options.interrupt = user_interrupt();
  options.colour = error_colour();
  if (!dialect.empty() &&
      std::find(kDialects.begin(), kDialects.end(), dialect) == kDialects.end()) {
    throw UsageError(fmt::format("there is no dialect '{}'", dialect),
                     suggest(dialect, kDialects, "the dialects are " + join(kDialects)));
  }
  options.dialect = dialect;
  options.tier = tier_of(tier);
  options.files = !no_files;
  if (!max_memory.empty()) options.limits.max_memory = parse_bytes("--max-memory", max_memory);
  if (!timeout.empty()) options.limits.timeout = parse_seconds("--timeout", timeout);
  if (!max_depth.empty()) {
    options.limits.max_depth = parse_count("--max-depth", max_depth);
    if (options.limits.max_depth == 0)
      throw UsageError("--max-depth: at least 1, got 0",
                       "leave it out: calls are then as deep as memory allows");
  }
  if (!max_output.empty()) options.limits.max_output = parse_bytes("--max-output", max_output);
  limit_whole_process(options.limits);
  return options;
}

Tier tier_of(const std::string& name) {
  const auto found = std::find(kTiers.begin(), kTiers.end(), name);
  if (found == kTiers.end())
    throw UsageError(fmt::format("there is no tier '{}'", name),
                     suggest(name, kTiers, "the tiers are " + join(kTiers)));
  return static_cast<Tier>(found - kTiers.begin());
}

std::uint64_t seed_of(const std::string& text) {
  if (!text.empty()) return parse_count("--seed", text);
  std::uint32_t seed = 0;
  if (getrandom(&seed, sizeof seed, GRND_NONBLOCK) != sizeof seed) {
    seed = static_cast<std::uint32_t>(std::chrono::system_clock::now().time_since_epoch().count());
  }
  return seed;
}

}  // namespace chancel::tool
