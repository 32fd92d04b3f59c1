// SPDX-License-Identifier: Apache-2.0
// The state of an Inference: its chains, what has been handed out, and what is reported about it.
// How it comes to be is in start.cpp, its chains in run_chains.cpp, places in the text in
// run_places.cpp.
#pragma once
#include "chancel/chancel.hpp"
#include "core/draw_names.hpp"
#include "engines/registry.hpp"
#include "infer/program_names.hpp"
#include "runs/chain_densities.hpp"
#include "runs/chain_scheduler.hpp"
#include "runs/query_stream.hpp"
#include "runs/rank_chains.hpp"
#include "runs/stopping_rule.hpp"
#include "session/messages.hpp"
#include "session/session.hpp"

namespace chancel {

struct Inference::Impl {
  Session* session = nullptr;
  InferOptions options;
  bool colour = false;
  std::unique_ptr<RunHost> host;
  RunSetup setup;  // of all chains, but for name and number
  std::size_t query_line = 0;
  ChainRules rules;
  std::optional<StoppingRule> stopping;
  bool automatic = false;     // auto chose the engine
  bool work_limited = false;  // no time limit was asked for
  EngineFamily family = EngineFamily::Independent;
  // About 20 s on two cores of 2024, in the unit of inference.cpp: a default run ends after it, so that
  // its table does not depend on what else the machine does.
  double most_work = 4e10;
  bool lists = false;  // every execution is given once, and all of them
  std::optional<ChainScheduler> scheduler;
  std::shared_ptr<Ranks> world;  // all processes of the run; null: it is made by this one alone
  std::optional<Ranks> group;    // of the chain that this one works on with others
  std::unique_ptr<Engine> help;  // of a chain that another rank leads
  unsigned idle = 0;             // ranks without a chain that cannot help
  std::uint64_t given = 0;       // draws handed out
  bool ended = false;
  std::string stopped;  // why, if neither the rule nor the number of draws says it
  Draw current;
  RunStatistics statistics;
  std::optional<ChainDensities> densities;  // of Markov chains
  std::optional<ProgramNames> names;        // for states
  int rest_tries = 0;
  double left_seconds = 0;  // of the time limit, for the caller
  std::vector<std::string> fixed_labels;
  core::DrawNames draw_names;
  std::vector<std::string> label_texts;
  std::vector<Value> label_values;
  std::string object_label_text;

  std::size_t line_of(std::uint32_t site) const;
  std::vector<SiteAcceptance> sites_of(const std::vector<SiteMoves>& moves) const;
  // For each sample of the text, the coordinate that is furthest off.
  std::vector<DivergencePlace> divergence_places(const std::vector<PlaceMoments>& moments) const;
  void warning(const Diagnostic& d);
  // Reports barriers, descents and warnings of a chain up to the draws of a sweep.
  void tell(Chain& chain, std::uint64_t sweep);
  const std::string& label_text(const Value& label);
  void update_statistics();
  const EngineStatistics& statistics_of(const Chain& chain) const;
  // All draws of a round have been handed out. True: it is the last one.
  bool round_over(std::uint64_t round);
  // False: a mistake in the engine's name or options, see the session's diagnostics.
  bool start_chains(const EngineDef& engine, const std::vector<OptionValue>& engine_options);
  // Fewer chains than ranks: those that are left work on one that another leads.
  void join_group(unsigned chains);
  // What a rank does that has no output, until rank 0 ends the run.
  void serve();
  // All ranks must be in the same run; whatever went wrong before is known then, too.
  void meet(const std::string& what);
  // All chains wait at the end of a round, or have ended. False: that was the last draw.
  bool go_on();
  // How many draws, of how many chains, in how much time. An engine that lists executions once gives
  // all of them; else, when no number of draws is given, a rule decides.
  void plan(const EngineDef& engine);
  // A chain has no draw and cannot continue: it has come to where chains should rest. Steps that
  // give several turns may have carried others further.
  void lift_rest();
  std::uint64_t turns_to_rest_at() const;
  // After the last draw.
  void finish();
  void tell_idle_ranks();
  std::string warmup_progress() const;
  // A result all the same: it has no draws, and says why.
  void time_over_in_warmup();
  // Fewer draws than anything can be said from.
  void time_over_too_soon(Span place);
  // After the last draw before a failure.
  void fail(const Diagnostic& d);
  const Draw* next();
  void hand_out(const KeptDraw& kept);
};

}  // namespace chancel
