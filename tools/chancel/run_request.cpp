// SPDX-License-Identifier: Apache-2.0
#include "run_request.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "input.hpp"
#include "program_options.hpp"
#include "quantity.hpp"
#include "usage.hpp"

namespace chancel::tool {

void RunRequest::declare(OptionParser& parser) {
  parser.group("Engine");
  std::vector<std::string> names;
  for (const EngineInfo& engine : engines()) names.push_back(engine.name);
  std::vector<std::string> choices = names;
  choices.insert(choices.begin(), "auto");
  parser.option("-a,--inference-algorithm,--algorithm", &algorithm, "NAME",
                "auto (default): the one that suits the query; " + join(names), choices);
  parser.option("--particles", &particles, "N",
                "particles per sweep; short for -o ':number-of-particles N'");
  parser.repeated("-o,--algorithm-options", &algorithm_options, "EDN",
                  "options of the engine, as ':name value ...'; docs/engines lists them");
  parser.option("--threads", &threads, "N", "all cores when not given; never changes the draws");
  parser.option("--chains", &chains, "N",
                "independent chains, each of all the draws (1; 4 where --ess ends the run)");
  parser.option("--seed", &seed, "N",
                "the same seed gives the same draws; chosen and shown when not given");
  parser.group("Draws");
  parser.option("-n,--number-of-samples,--samples", &samples, "N",
                "draws to take; 0 continues until Ctrl-C (1000; by auto until --ess)");
  parser.option("--ess", &ess, "N",
                "without -n: until every label has N effective draws and R_hat < 1.01, for a fixed "
                "amount of work and a minute at most, or --timeout (400)");
  parser.option(
      "--rounds", &rounds, "N",
      "end after N rounds, instead of --ess: repeats a run that a time limit ended, which "
      "shows its N");
  parser.option("-w,--warmup", &warmup, "N",
                "steps before them in which an engine that adapts does so (as many as draws, at "
                "most 20000; none for others)");
  parser.option("-b,--burn", &burn, "N",
                "draws to leave out after that (where there is no warm-up: 1000 of single-site and "
                "particle chains, 200 of other chains, at most as many as -n; else 0)");
  parser.option("-t,--thin", &thin, "N", "keep every Nth draw (1)");
  parser.flag("--prior", &prior, "leave out the observes: draws from the prior (1000)");
  parser.group("Arguments of the query");
  parser.option("-v,--value", &value, "EDN",
                "the query's value: its arguments in a vector, or one argument");
  parser.option("--data", &data, "FILE",
                "arguments by name from a .json, .edn, .csv or .tsv file; - is standard input");
}

unsigned RunRequest::thread_count() const {
  const std::uint64_t count = parse_count("--threads", threads);
  if (count > 4096) throw UsageError(fmt::format("--threads: at most 4096, got {}", count), "");
  return static_cast<unsigned>(count);
}

void RunRequest::describe(RunDescription& run) const {
  RunInfo& info = run.info;
  info.algorithm = algorithm.starts_with(":") ? algorithm.substr(1) : algorithm;
  info.engine_options = read_engine_options(algorithm_options);
  if (!particles.empty()) {
    const auto count = static_cast<std::int64_t>(parse_count("--particles", particles));
    info.engine_options.push_back({"number-of-particles", count});
  }
  if (!samples.empty()) info.samples = parse_count("--samples", samples);
  if (!ess.empty()) info.ess = parse_count("--ess", ess);
  if (info.samples && info.ess)
    throw UsageError("--ess and --samples exclude each other", "both say when to stop");
  if (!rounds.empty()) info.rounds = parse_count("--rounds", rounds);
  if (info.rounds == 0u)
    throw UsageError("--rounds must be at least 1",
                     "a run that a time limit ended shows its number");
  if (!burn.empty()) info.burn = parse_count("--burn", burn);
  info.thin = parse_count("--thin", thin);
  if (info.thin == 0) throw UsageError("--thin must be at least 1", "--thin 1 keeps every draw");
  info.prior = prior;
  info.seed = seed_of(seed);
  run.threads = thread_count();
  if (!chains.empty()) {
    const std::uint64_t count = parse_count("--chains", chains);
    if (count == 0 || count > 10000)
      throw UsageError(fmt::format("--chains: 1 to 10000, got {}", count), "");
    info.chains = static_cast<unsigned>(count);
  }
  // Anglican's true and false say nothing about steps.
  if (!warmup.empty() && warmup != "true" && warmup != "false")
    info.warmup = parse_count("--warmup", warmup);
  if (!value.empty() && !data.empty()) {
    throw UsageError("--value and --data exclude each other", "both give the query's arguments");
  }
  if (!value.empty()) run.value = value;
  if (!data.empty()) run.data = {input_name(data), read_input(data, "the data", run.limits)};
  info.value = !value.empty() ? value : !data.empty() ? data : "nil";
}

std::uint64_t draws_goal(const RunInfo& info, const RunStatistics& statistics) {
  constexpr std::uint64_t kUsual = 1000;
  const bool open = !statistics.choice.empty() || info.ess || statistics.family == "list";
  return info.samples.value_or(open ? 0 : kUsual) * std::max(1u, info.chains);
}

bool warms_up(const RunInfo& info, const RunStatistics& statistics) {
  for (const EngineInfo& engine : engines())
    if (engine.name == statistics.engine && engine.adapts) return true;
  return info.warmup.value_or(0) > 0;
}

}  // namespace chancel::tool
