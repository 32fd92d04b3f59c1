// SPDX-License-Identifier: Apache-2.0
// The chains of a run: how many, how long, and on which rank.
#include <fmt/format.h>

#include <algorithm>

#include "engines/check_options.hpp"
#include "engines/fallback_engine.hpp"
#include "runs/inference_impl.hpp"
#include "vm/stop.hpp"

namespace chancel {

namespace {
constexpr std::uint64_t kChainKind = 3;
constexpr std::size_t kLeastMemory = std::size_t{64} << 20;  // of a chain
// Defaults of runs without a given number of draws.
constexpr std::uint64_t kUsualEss = 400;
constexpr unsigned kUsualChains = 4;
constexpr double kUsualTimeout = 60;  // seconds
constexpr std::uint64_t kUsualSamples = 1000;
constexpr std::chrono::milliseconds kServingRound{5};
constexpr std::uint64_t kFirstRoundOfSweeps = 5000;  // 50 sweeps of 100 particles
}  // namespace

void Inference::Impl::plan(const EngineDef& engine) {
  family = engine.family;
  lists = engine.family == EngineFamily::List && !options.samples && !options.ess;
  if (!options.samples && !lists && (automatic || options.ess)) {
    const auto ess = static_cast<double>(options.ess.value_or(kUsualEss));
    const bool sweeps = engine.gives == EngineDef::Gives::Sweeps;
    stopping.emplace(ess, sweeps ? kFirstRoundOfSweeps : kFirstLook);
    rules.chains = options.chains ? options.chains : kUsualChains;
    work_limited = options.limits.timeout == 0 && !options.rounds;
    if (work_limited) options.limits.timeout = kUsualTimeout;
  } else {
    rules.samples = options.samples.value_or(lists ? 0 : kUsualSamples);
    rules.chains = std::max(1u, options.chains);
  }
  // Not what gives every execution once, and not a chain alone that has a number of draws: its draws are
  // handed out as they come.
  rules.rounds = engine.gives != EngineDef::Gives::List &&
                 (stopping || options.rounds || options.limits.timeout > 0 || rules.chains > 1);
  rules.most_rounds = options.rounds.value_or(0);
}

bool Inference::Impl::start_chains(const EngineDef& engine,
                                   const std::vector<OptionValue>& engine_options) {
  const StreamName base = setup.name;
  const unsigned threads = setup.threads;
  rules.sweeps = engine.gives == EngineDef::Gives::Sweeps;
  rules.burn = options.burn.value_or(0);
  rules.thin = std::max<std::uint64_t>(1, options.thin);
  const std::uint64_t warmup = options.warmup.value_or(
      usual_warmup(engine, engine_options, rules.samples) * (stopping ? rules.thin : 1));
  // Where there is nothing to adapt, a warm-up is a burn-in.
  (adapts(engine, engine_options) ? setup.warmup : rules.burn) += warmup;
  if (!options.warmup && !options.burn && setup.warmup == 0)
    rules.burn += usual_burn(engine, rules.samples, rules.thin);
  statistics.thin = rules.thin;
  statistics.burn = rules.burn;
  if (stopping && !options.rounds) rules.pause_at = stopping->round();
  rules.outlive = {&session->program()->constants().heap(), &setup.image->heap,
                   &setup.values->heap};
  rules.started = std::chrono::steady_clock::now();
  if (rules.samples > 0) setup.wanted_draws = rules.burn + (rules.samples - 1) * rules.thin + 1;
  rules.setup = &setup;
  names.emplace(*session->program(), session->library().natives());
  rules.names = setup.byte_names = &*names;
  scheduler.emplace(threads, rules);
  scheduler->round_over = [this](std::uint64_t round) { return round_over(round); };
  const unsigned ranks = world ? world->size() : 1, rank = world ? world->rank() : 0;
  // Chains that run at the same time share threads and memory; of thousands only a few are at
  // work, but each needs something.
  const unsigned here = (rules.chains + ranks - 1) / ranks;
  setup.threads = std::max(1u, threads / here);
  setup.max_memory = std::max(setup.max_memory / here, std::min(setup.max_memory, kLeastMemory));
  if (ranks > rules.chains) join_group(rules.chains);
  for (unsigned i = 0; i < rules.chains; ++i) {
    setup.chain = i;
    setup.name = base.child(kChainKind, i);
    const bool leads = i % ranks == rank, helps = !leads && group && i == rank % rules.chains;
    if (!leads && !helps) {
      if (rank == 0)
        scheduler->add(std::make_unique<RankChain>(i, setup.name, rules, *world, setup.byte_names));
      continue;
    }
    auto made = make_engine(engine.name, setup, engine_options, session->diagnostics());
    if (!made) return false;
    if (automatic) made = with_fallback(std::move(made), engine, setup);
    if (leads)
      scheduler->add(std::make_unique<Chain>(i, setup.name, std::move(made), rules));
    else
      help = std::move(made);
  }
  if (rank == 0 && ranks > 1)
    scheduler->take_in = [this](bool wait) {
      bool news = take_in_draws(*world, scheduler->chains());
      for (; !news && wait; news = take_in_draws(*world, scheduler->chains()))
        world->wait_a_little();
      return news;
    };
  return true;
}

void Inference::Impl::join_group(unsigned chains) {
  std::vector<unsigned> members;
  for (unsigned r = world->rank() % chains; r < world->size(); r += chains) members.push_back(r);
  if (members.size() == 1) return;
  group.emplace(*world, std::move(members));
  setup.ranks = &*group;
}

void Inference::Impl::meet(const std::string& what) {
  const std::vector<std::string> all = world->all_gather(what);
  for (unsigned r = 1; r < all.size(); ++r)
    if (all[r] != all[0])
      throw_error(Code::U005,
                  fmt::format("rank {} has another run than rank 0: {}, not {}", r, all[r], all[0]),
                  "give all ranks the same program, data and options, and a --seed",
                  ExitCode::BadInput);
  for (const std::string& other : world->all_gather(help && !help->can_help() ? "idle" : ""))
    idle += !other.empty();
}

void Inference::Impl::serve() {
  rules.released = ~std::uint64_t{0};  // rank 0 hands draws out by rounds
  try {
    if (help && help->can_help()) help->help();
    DrawSender sender(*world, setup.byte_names);
    for (;;) {
      bool busy = sender.take_orders(rules);
      busy = scheduler->work(kServingRound) || busy;
      for (const auto& chain : scheduler->chains())
        while (sender.send(*chain, host->nested_bias(),
                           [&] { return session->services().take_notes(); }))
          busy = true;
      if (!busy)
        world->wait_a_little();
      else if (world->over())
        break;
    }
  } catch (const RunIsOver&) {
  } catch (const RunStopped&) {  // by the user, on every rank
  }
  ended = true;
}

void Inference::Impl::tell_idle_ranks() {
  if (idle == 0) return;
  warning({Code::I012,
           Severity::Warning,
           {},
           fmt::format("{} of {} ranks had nothing to do: {} is distributed by chains only", idle,
                       world->size(), statistics.engine),
           fmt::format("--chains {}", world->size()),
           {}});
}

}  // namespace chancel
