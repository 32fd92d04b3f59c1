// SPDX-License-Identifier: Apache-2.0
// Inference of the public interface: starts the chains of a run and hands out their draws one by
// one.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>

#include "api/arguments.hpp"
#include "api/chain_scheduler.hpp"
#include "api/cluster_access.hpp"
#include "api/data.hpp"
#include "api/model_impl.hpp"
#include "api/option_values.hpp"
#include "api/query_stream.hpp"
#include "api/rank_chains.hpp"
#include "api/run_totals.hpp"
#include "api/stopping_rule.hpp"
#include "api/value_view.hpp"
#include "core/draw_free.hpp"
#include "core/draw_names.hpp"
#include "core/predictive.hpp"
#include "engines/check_options.hpp"
#include "engines/choose_engine.hpp"
#include "engines/profile.hpp"
#include "engines/registry.hpp"
#include "infer/program_names.hpp"
#include "infer/query_options.hpp"
#include "value/collections.hpp"
#include "value/print.hpp"

namespace chancel {

namespace {
constexpr std::uint64_t kChainKind = 3;
constexpr std::size_t kLeastMemory = std::size_t{64} << 20;  // of a chain
// Of runs that are not told how many draws to take, unless they are told otherwise.
constexpr std::uint64_t kUsualEss = 400;
constexpr unsigned kUsualChains = 4;
constexpr double kUsualTimeout = 60;  // seconds
constexpr std::uint64_t kUsualSamples = 1000;
constexpr double kLeastShift = 0.8;                 // of the place where divergences gather
constexpr const char* kPriorEngine = "importance";  // draws from it, one by one
constexpr std::chrono::milliseconds kServingRound{5};
constexpr std::uint64_t kFirstRound = 1000;
constexpr std::uint64_t kFirstRoundOfSweeps = 5000;  // 50 sweeps of 100 particles

void save_message(ByteWriter& to, const Message& m) {
  to.byte(m.error);
  for (const std::string* text : {&m.code, &m.file, &m.message, &m.hint, &m.text}) to.text(*text);
  for (const std::size_t n : {m.line, m.column, m.end_line, m.end_column}) to.number(n);
}

Message restore_message(ByteReader& from) {
  Message m;
  m.error = from.byte() != 0;
  for (std::string* text : {&m.code, &m.file, &m.message, &m.hint, &m.text}) *text = from.text();
  for (std::size_t* n : {&m.line, &m.column, &m.end_line, &m.end_column}) *n = from.number();
  return m;
}
}  // namespace

struct Inference::Impl {
  Session* session = nullptr;
  InferOptions options;
  bool colour = false;
  std::unique_ptr<RunHost> host;
  RunSetup setup;  // of all chains, but for name and number
  std::size_t query_line = 0;
  ChainRules rules;
  std::optional<StoppingRule> stopping;
  bool lists = false;  // auto has chosen an engine that gives every execution once
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
  std::optional<ProgramNames> names;  // for states
  int rest_tries = 0;
  std::vector<std::string> fixed_labels;
  core::DrawNames draw_names;
  std::vector<std::string> label_texts;
  std::vector<Value> label_values;
  std::string object_label_text;

  std::size_t line_of(std::uint32_t site) const {
    if (site >= session->program()->site_count()) return 0;
    const Span span = session->program()->site(site).span;
    return span.known() ? session->program()->sources.position(span.file, span.begin).line : 0;
  }
  std::vector<SiteAcceptance> sites_of(const std::vector<SiteMoves>& moves) const {
    std::map<std::pair<std::size_t, std::size_t>, SiteAcceptance> by_place;
    for (std::size_t site = 0; site < moves.size(); ++site) {
      if (moves[site].proposals == 0 || site >= session->program()->site_count()) continue;
      const Span span = session->program()->site(static_cast<std::uint32_t>(site)).span;
      if (!span.known()) continue;
      const Position at = session->program()->sources.position(span.file, span.begin);
      SiteAcceptance& sum = by_place[{at.line, at.column}];
      sum.line = at.line;
      sum.column = at.column;
      sum.proposals += moves[site].proposals;
      sum.accepted += moves[site].accepted;
    }
    std::vector<SiteAcceptance> sites;
    for (const auto& [place, sum] : by_place) sites.push_back(sum);
    return sites;
  }
  // For each sample of the text, the coordinate that is furthest off.
  std::vector<DivergencePlace> divergence_places(const std::vector<PlaceMoments>& moments) const {
    std::map<std::uint32_t, std::pair<const PlaceMoments*, double>> by_site;  // with its shift
    for (const PlaceMoments& m : moments) {
      if (m.divergences.empty()) continue;
      const double shift = m.shift();
      const auto [furthest, is_new] = by_site.try_emplace(m.site, &m, shift);
      if (!is_new && std::fabs(shift) > std::fabs(furthest->second.second))
        furthest->second = {&m, shift};
    }
    // The largest of so many shifts that are mere chance is below this, in standard errors.
    const double chance = 3 + std::sqrt(2 * std::log(static_cast<double>(moments.size() + 1)));
    std::vector<DivergencePlace> places;
    for (const auto& [site, furthest] : by_site) {
      const auto& [m, shift] = furthest;
      if (site >= session->program()->site_count()) continue;
      const Span span = session->program()->site(site).span;
      if (!span.known()) continue;
      DivergencePlace& place = places.emplace_back();
      const Position at = session->program()->sources.position(span.file, span.begin);
      place.line = at.line;
      place.column = at.column;
      const auto name = draw_names.find({span.file, span.begin});
      if (name != draw_names.end()) place.name = name->second;
      place.shift = m->sense == CoordinateSense::Falling ? -shift : shift;
      const auto count = static_cast<double>(m->divergences.size());
      place.gathers =
          std::fabs(shift) >= kLeastShift && std::fabs(shift) * std::sqrt(count) >= chance;
      place.ordered = m->sense != CoordinateSense::Mixed;
      place.positive = m->sense == CoordinateSense::RisingFromBound;
    }
    std::stable_sort(places.begin(), places.end(),
                     [](const DivergencePlace& a, const DivergencePlace& b) {
                       return std::fabs(a.shift) > std::fabs(b.shift);
                     });
    return places;
  }
  void warning(const Diagnostic& d) {
    Message m = to_message(d, session->program()->sources, colour);
    for (const Message& said : statistics.warnings)
      if (said.text == m.text) return;  // by another chain
    if (options.on_warning) options.on_warning(m);
    statistics.warnings.push_back(std::move(m));
  }
  // Tells what a chain has met up to the draws of a sweep.
  void tell(Chain& chain, std::uint64_t sweep) {
    const std::uint32_t number = chain.number();
    for (auto& all = chain.barriers; !all.empty() && all.front().sweep <= sweep; all.pop_front())
      if (const BarrierStatistics& b = all.front(); options.on_barrier)
        options.on_barrier({number, b.sweep, b.barrier, line_of(b.site), b.ess, b.resampled,
                            b.distinct_ancestors, b.log_mean_weight});
    for (auto& all = chain.descents; !all.empty() && all.front().sweep <= sweep; all.pop_front())
      if (const EngineDescent& d = all.front(); options.on_descent)
        options.on_descent({number, d.sweep, d.barrier, line_of(d.site), d.particle, d.ancestor});
    for (auto& all = chain.warnings; !all.empty() && all.front().first <= chain.taken();
         all.pop_front())
      warning(all.front().second);
  }

  const std::string& label_text(const Value& label) {
    for (std::size_t i = 0; i < label_values.size(); ++i)
      if (label_values[i].tag == label.tag && label_values[i].bits == label.bits)
        return label_texts[i];
    std::string text = show(label, true, 2000);
    // An object that goes with its batch must not be remembered by its address.
    if (label.is_object() && block_of(label.o)->heap != &session->program()->constants().heap()) {
      object_label_text = std::move(text);
      return object_label_text;
    }
    label_values.push_back(label);
    label_texts.push_back(std::move(text));
    return label_texts.back();
  }

  void update_statistics() {
    RunTotals all;
    for (const auto& chain : scheduler->chains()) all.add(chain->statistics());
    all.fill(statistics);
    statistics.sites = sites_of(all.moves());
    statistics.divergence_places = divergence_places(all.places());
    statistics.fixed_labels = fixed_labels;
    if (!rules.sweeps) statistics.evidence_spread = 0;  // of single executions it says nothing
    statistics.min_ess_line = all.has_ess() ? line_of(all.min_ess_site()) : 0;
    statistics.draws = given;
    if (stopping) statistics.stopped = stopping->text();
    if (!stopped.empty()) statistics.stopped = stopped;
    if (lists && ended && statistics.left_out == 0.0)
      statistics.stopped = "every execution has been run: the answer is exact";
    statistics.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - rules.started).count();
  }

  // False: a mistake in the engine's name or options, see the session's diagnostics.
  bool start_chains(const EngineDef& engine, const std::vector<OptionValue>& engine_options) {
    const StreamName base = setup.name;
    const unsigned threads = setup.threads;
    rules.sweeps = engine.gives == EngineDef::Gives::Sweeps;
    rules.burn = options.burn;
    rules.thin = std::max<std::uint64_t>(1, options.thin);
    const std::uint64_t warmup = options.warmup.value_or(
        usual_warmup(engine, engine_options, rules.samples) * (stopping ? rules.thin : 1));
    // Where there is nothing to adapt, a warm-up is a burn-in.
    (adapts(engine, engine_options) ? setup.warmup : rules.burn) += warmup;
    if (stopping && !options.warmup && options.burn == 0 && setup.warmup == 0)
      rules.burn += usual_burn(engine) * rules.thin;
    statistics.thin = rules.thin;
    statistics.burn = rules.burn;
    if (stopping) rules.pause_at = stopping->round();
    rules.outlive = {&session->program()->constants().heap(), &setup.image->heap,
                     &setup.values->heap};
    rules.started = std::chrono::steady_clock::now();
    if (rules.samples > 0) setup.wanted_draws = rules.burn + (rules.samples - 1) * rules.thin + 1;
    rules.setup = &setup;
    names.emplace(*session->program(), session->natives());
    rules.names = setup.byte_names = &*names;
    scheduler.emplace(threads);
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
          scheduler->add(
              std::make_unique<RankChain>(i, setup.name, rules, *world, setup.byte_names));
        continue;
      }
      auto made = make_engine(engine.name, setup, engine_options, session->diagnostics());
      if (!made) return false;
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
  // Fewer chains than ranks: those that are left work on one that another leads.
  void join_group(unsigned chains) {
    std::vector<unsigned> members;
    for (unsigned r = world->rank() % chains; r < world->size(); r += chains) members.push_back(r);
    if (members.size() == 1) return;
    group.emplace(*world, std::move(members));
    setup.ranks = &*group;
  }
  // What a rank does that has no output, until rank 0 ends the run.
  void serve() {
    try {
      if (help && help->can_help()) help->help();
      DrawSender sender(*world, setup.byte_names);
      for (;;) {
        bool busy = sender.take_orders(rules);
        busy = scheduler->work(kServingRound) || busy;
        for (const auto& chain : scheduler->chains())
          while (sender.send(*chain, host->nested_bias(), [&] { return session->take_notes(); }))
            busy = true;
        if (!busy)
          world->wait_a_little();
        else if (world->over())
          break;
      }
    } catch (const RunIsOver&) {
    } catch (const RunStopped&) {  // by the user: every rank has been told
    }
    ended = true;
  }
  // All ranks must be in the same run; whatever went wrong before is known then, too.
  void meet(const std::string& what) {
    for (const std::string& other : world->all_gather(what))
      if (other != what)
        throw_error(Code::U005, fmt::format("ranks have different runs: {} and {}", what, other),
                    "give all ranks the same program, data and options, and a --seed",
                    ExitCode::BadInput);
    for (const std::string& other : world->all_gather(help && !help->can_help() ? "idle" : ""))
      idle += !other.empty();
  }
  // All chains wait at the end of a round, or have ended. False: that was the last draw.
  bool go_on() {
    const auto& chains = scheduler->chains();
    if (!stopping ||
        std::none_of(chains.begin(), chains.end(), [](const auto& c) { return c->paused(); }))
      return false;
    update_statistics();
    if (stopping->look(statistics, options.threads)) return false;
    rules.pause_at = stopping->round();
    if (world) order_pause(*world, rules.pause_at);
    return true;
  }
  // How many draws, of how many chains, in how much time. An engine that lists executions once gives
  // all of them; else, when no number of draws is given, a rule decides.
  void plan(const EngineDef& engine, bool automatic) {
    lists = automatic && engine.gives == EngineDef::Gives::List;
    if (!options.samples && !lists && (automatic || options.ess)) {
      const auto ess = static_cast<double>(options.ess.value_or(kUsualEss));
      const bool sweeps = engine.gives == EngineDef::Gives::Sweeps;
      stopping.emplace(ess, sweeps ? kFirstRoundOfSweeps : kFirstRound);
      rules.chains = options.chains ? options.chains : kUsualChains;
      if (options.limits.timeout == 0) options.limits.timeout = kUsualTimeout;
    } else {
      rules.samples = options.samples.value_or(lists ? 0 : kUsualSamples);
      rules.chains = std::max(1u, options.chains);
    }
  }
  // A chain has no draw and cannot go on: it has come to where chains should rest. Steps that give
  // several turns may have carried others further.
  void lift_rest() {
    if (rules.rest_at == 0 || !scheduler->turn_is_empty()) return;
    const std::uint64_t most = scheduler->most_turns();
    rules.rest_at = most > rules.rest_at && rest_tries-- > 0 ? most : 0;
  }
  // After the last draw.
  void finish() {
    ended = true;
    if (world) world->end_run();
    for (const auto& chain : scheduler->chains())
      if ((chain->ended() || chain->paused()) && !chain->has_draw() && !chain->failure())
        tell(*chain, ~std::uint64_t{0});
      else
        for (const auto& [made, diagnostic] : chain->warnings) warning(diagnostic);
    double bias = host->nested_bias();
    for (const auto& chain : scheduler->chains())
      if (chain->elsewhere())
        bias = std::max(bias, static_cast<const RankChain&>(*chain).nested_bias);
    if (bias > 0) warning(nested_bias_warning(bias));
    if (world) tell_idle_ranks();
    for (const Diagnostic& note : session->take_notes()) warning(note);
  }
  void tell_idle_ranks() {
    if (idle == 0) return;
    warning({Code::I012,
             Severity::Warning,
             {},
             fmt::format("{} of {} ranks had nothing to do: {} is spread by chains only", idle,
                         world->size(), statistics.engine),
             fmt::format("--chains {}", world->size()),
             {}});
  }
  // A result all the same: it has no draws, and says why.
  void time_over_in_warmup() {
    statistics.interrupted = true;
    stopped = fmt::format("the time limit of {:g} s, in the warm-up", options.limits.timeout);
    warning({Code::L002,
             Severity::Warning,
             {},
             fmt::format("the warm-up did not end within {:g} s, so there are no draws",
                         options.limits.timeout),
             "raise --timeout, shorten --warmup, or try another engine (-a)",
             {}});
  }
  // After the last draw before a failure.
  void fail(const Diagnostic& d) {
    finish();
    update_statistics();
    if (stopping && d.code == Code::L002 && given > 0) {
      stopping->time_over(statistics, options.threads, options.limits.timeout);
      return;
    }
    const bool warms_up = given == 0 && (setup.warmup > 0 || rules.burn > 0);
    if (d.code == Code::L002 && warms_up && statistics.simulations > 0)
      return time_over_in_warmup();
    if (d.code == Code::L005 || d.code == Code::L002) {
      statistics.interrupted = true;
      warning(d);
      return;
    }
    throw Error({to_message(d, session->program()->sources, colour)}, exit_code_of(d.code));
  }
  const Draw* next() {
    lift_rest();
    Chain* chain = scheduler->next();
    while (!chain && go_on()) chain = scheduler->next();
    if (!chain) {
      finish();
      return nullptr;
    }
    if (!chain->has_draw()) {
      fail(*chain->failure());
      return nullptr;
    }
    const KeptDraw kept = chain->take();
    scheduler->took(*chain, kept.raw.sweep);
    tell(*chain, kept.raw.sweep);
    hand_out(kept);
    if (stopping) stopping->add(current);
    return &current;
  }
  void hand_out(const KeptDraw& kept) {
    Draw& d = current;
    d.log_weight = kept.raw.log_weight;
    d.log_joint = options.log_joint ? kept.raw.log_joint : NAN;
    d.move.reset();
    if (const auto& m = kept.raw.move; m && m->divergent) ++statistics.divergences;
    if (const auto& m = kept.raw.move)
      d.move = {m->acceptance, m->step_size, m->depth, m->steps, m->divergent, m->energy};
    d.pointwise.clear();
    for (const ObserveScore& o : kept.raw.observes)
      d.pointwise.push_back({line_of(o.site), o.log_prob});
    d.index = given++;
    d.sweep = kept.raw.sweep;
    d.chain = kept.raw.chain;
    d.applications = kept.raw.applications;
    d.run_simulations = kept.run_simulations;
    d.run_applications = kept.run_applications;
    d.run_seconds = kept.run_seconds;
    d.result = Access::view(kept.raw.result);
    d.predicts.resize(kept.predicts.size());
    for (std::size_t i = 0; i < kept.predicts.size(); ++i) {
      d.predicts[i].label = label_text(kept.predicts[i].first);
      d.predicts[i].value = Access::view(kept.predicts[i].second);
    }
  }
};

Inference::Inference(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Inference::Inference(Inference&&) noexcept = default;
Inference& Inference::operator=(Inference&&) noexcept = default;
Inference::~Inference() = default;

const RunStatistics& Inference::statistics() const {
  impl_->update_statistics();
  return impl_->statistics;
}
std::uint64_t Inference::seed() const { return impl_->options.seed; }

std::vector<LineProfile> Inference::profile() {
  std::vector<LineProfile> lines;
  for (const LineCost& c :
       profile_lines(impl_->setup, impl_->query_line,
                     [this](std::uint32_t site) { return impl_->line_of(site); }))
    lines.push_back(
        {c.line, c.samples, c.observes, c.applications, c.seconds, c.weight_variance, c.ess_loss});
  return lines;
}

const Draw* Inference::next() {
  Impl& x = *impl_;
  if (x.ended) return nullptr;
  if (!x.world) return x.next();
  if (x.world->rank() > 0) {
    x.serve();
    return nullptr;
  }
  return ClusterAccess::guarded([&]() -> const Draw* {
    try {
      return x.next();
    } catch (const RunStopped& stopped) {  // while it waited for another rank
      x.fail(stopped.reason);
      return nullptr;
    }
  });
}

void Inference::come_to_rest() {
  constexpr int kTries = 16;
  if (impl_->rules.rest_at > 0 || impl_->world) return;  // states of several ranks are not stored
  impl_->rules.rest_at = impl_->scheduler->most_turns();
  impl_->rest_tries = kTries;
}

bool Inference::at_rest() const { return impl_->rules.rest_at > 0 && impl_->scheduler->empty(); }

std::optional<std::string> Inference::state() const {
  const Impl& x = *impl_;
  if (x.stopping || x.world) return std::nullopt;
  ByteWriter to;
  to.number(x.given);
  to.number(x.statistics.divergences);
  to.real(x.host->nested_bias());
  to.number(x.statistics.warnings.size());
  for (const Message& m : x.statistics.warnings) save_message(to, m);
  if (!x.scheduler->save(to)) return std::nullopt;
  return to.take();
}

bool Inference::restore(std::string_view state, std::string* problem) {
  Impl& x = *impl_;
  ByteReader from(state);
  x.given = from.number();
  x.statistics.divergences = from.number();
  if (const double bias = from.real(); bias > 0) x.host->note_nested_bias(bias);
  const std::uint64_t warnings = from.count(10);
  for (std::uint64_t i = 0; i < warnings; ++i)
    x.statistics.warnings.push_back(restore_message(from));
  if (from.ok() && x.scheduler->restore(from) && from.done()) return true;
  *problem = from.problem();
  return false;
}

const ValueView* Draw::find(std::string_view label) const {
  for (const Predict& p : predicts)
    if (p.label == label ||
        (p.label.size() == label.size() + 1 && p.label[0] == ':' && p.label.substr(1) == label))
      return &p.value;
  return nullptr;
}

const ValueView& Draw::operator[](std::string_view label) const {
  if (const ValueView* found = find(label)) return *found;
  throw_error(Code::R013, fmt::format("the program predicts nothing under the label {}", label), "",
              ExitCode::Failed);
}

namespace {

std::uint64_t checksum_of(const SourceMap& sources) {
  std::string all = version();
  for (std::uint32_t file = 1; file <= sources.size(); ++file) all += sources.text(file);
  return checksum(all);
}
std::uint64_t checksum_of(const Value& v) {
  ByteWriter out;
  ValueWriter values(out);
  return values.write(v) ? checksum(out.bytes()) : 0;
}

// What the executions of a survey print is nobody's output.
EngineChoice choose_quietly(Session& session, RunSetup setup, std::vector<OptionValue> options,
                            bool lists) {
  RunHost host(session, setup.image);
  auto silent = std::make_shared<Host>(*host.run()->host);
  silent->write = [](std::string_view) { return true; };
  host.run()->host = std::move(silent);
  setup.run = host.run();
  setup.threads = 1;
  return choose_engine(setup, std::move(options), lists);
}

}  // namespace

Inference Model::infer(std::string_view query, InferOptions options) {
  return InferenceAccess::start(*impl_->session, impl_->loaded, impl_->options, query,
                                std::move(options));
}

Inference InferenceAccess::start(Session& session, const LoadResult& loaded,
                                 const CompileOptions& compiled, std::string_view query,
                                 InferOptions options) {
  return memory_checked([&]() -> Inference {
    session.diagnostics().clear();
    const bool colour = compiled.colour;
    const auto fail = [&]() {
      throw_errors(session.diagnostics(), session.program()->sources, colour);
    };
    const QuerySignature& signature = find_query(loaded, query);
    apply_limits(session.run(), options.limits,
                 options.interrupt ? *options.interrupt : compiled.interrupt);

    std::optional<Value> argument;
    session.collect_if_needed();
    if (options.arguments) {
      for (const std::string& name : ArgumentsAccess::names(*options.arguments))
        if (std::none_of(signature.parameters.begin(), signature.parameters.end(),
                         [&](const QueryParameter& p) { return p.name == name; })) {
          session.diagnostics().error(
              Code::U003, signature.span,
              fmt::format("the query {} has no parameter {}", signature.name->full, name));
          fail();
        }
      argument = ArgumentsAccess::value(*options.arguments, session.machine().arena());
    } else if (options.value) {
      argument = session.read_value(*options.value, "--value");
      if (!argument) fail();
    } else if (options.data) {
      argument = read_data(session, options.data->first, options.data->second);
      if (!argument) fail();
    } else {
      argument = session.global_value(intern(std::string(query) + "-value"));
    }
    DiagnosticSink notes;
    argument = bind_arguments(session, signature, argument, notes);
    if (!argument) fail();

    auto run = std::make_unique<Inference::Impl>();
    run->session = &session;
    run->colour = colour;
    run->world = ClusterAccess::ranks(options.cluster);
    if (run->world && run->world->size() == 1) run->world.reset();
    // Ranks on one machine share what it has.
    const unsigned neighbours = run->world ? run->world->neighbours() : 1;
    if (options.limits.max_memory == 0)
      options.limits.max_memory = memory_limit(options.limits) / neighbours;
    session.threads = options.threads
                          ? options.threads
                          : std::max(1u, std::thread::hardware_concurrency() / neighbours);

    std::vector<OptionValue> engine_options;
    for (const EngineOption& o : options.engine_options) {
      if (belongs_to_doquery(o.name)) {
        session.diagnostics().error(
            Code::I002, Span{},
            fmt::format("option :{} has no effect here: it belongs to doquery", o.name),
            o.name == "warmup" ? "use --warmup" : "leave it out");
        fail();
      }
      engine_options.push_back({o.name, option_value(o)});
    }

    auto setup = session.setup_run(signature, argument, StreamName{mix64(options.seed)});
    if (!setup) fail();
    run->setup = std::move(*setup);
    if (!signature.whole_value)
      for (const QueryParameter& p : signature.parameters) run->setup.parameters.push_back(p.name);
    run->setup.max_memory = options.limits.max_memory;
    run->setup.budget =
        std::make_shared<MemoryBudget>(options.limits.max_memory, session.heap().used());
    run->setup.pointwise = options.pointwise;

    std::string_view algorithm = options.algorithm;
    if (algorithm.starts_with(":")) algorithm.remove_prefix(1);
    if (options.prior) {
      if (algorithm == kAutomatic) algorithm = kPriorEngine;
      if (algorithm != kPriorEngine) {
        session.diagnostics().error(
            Code::I002, Span{},
            fmt::format("{} does not draw from the prior: importance does", algorithm),
            "leave out the engine, or --prior");
        fail();
      }
      run->setup.prior = true;
    }
    const bool automatic = algorithm == kAutomatic;
    const bool selects = options.burn > 0 || options.warmup.value_or(0) > 0 || options.thin > 1 ||
                         options.chains > 1;
    if (automatic) {
      const bool lists = !selects && options.samples.value_or(0) == 0 && !options.ess;
      EngineChoice choice = choose_quietly(session, run->setup, std::move(engine_options), lists);
      algorithm = run->statistics.engine = choice.engine;
      run->statistics.choice = choice.text;
      engine_options = std::move(choice.options);
      if (!options.samples && options.thin <= 1) options.thin = choice.thin;
    }
    const EngineDef* engine = find_engine(algorithm, session.diagnostics());
    if (!engine) fail();
    if (engine->gives == EngineDef::Gives::List && selects) {
      session.diagnostics().error(
          Code::I002, Span{},
          fmt::format("{} gives everything once: burn-in and thinning would leave some out, "
                      "chains repeat it",
                      engine->name),
          "leave out --warmup, --burn, --thin and --chains");
      fail();
    }
    if (options.pointwise && engine->gives != EngineDef::Gives::Draws) {
      session.diagnostics().error(
          Code::I002, Span{},
          fmt::format("{} does not say the log-likelihood of each observe", engine->name),
          "name another engine: nuts, lmh, rmh or importance");
      fail();
    }
    run->statistics.engine = engine->name;
    run->statistics.family = family_name(engine->family);
    run->options = options;
    run->plan(*engine, automatic);
    apply_limits(session.run(), run->options.limits,
                 options.interrupt ? *options.interrupt : compiled.interrupt);
    run->setup.keep_descent = options.on_descent != nullptr;
    run->setup.log_joint = options.log_joint;
    run->host = std::make_unique<RunHost>(session, run->setup.image);
    run->setup.run = run->host->run();
    if (signature.span.known())
      run->query_line =
          session.program()->sources.position(signature.span.file, signature.span.begin).line;
    run->fixed_labels =
        core::draw_free_predicts(loaded.core, signature.name,
                                 [&](const Name* name) { return session.is_free_of_draws(name); });
    run->draw_names = core::draw_names(loaded.core);
    run->statistics.predictive_labels = core::predictive_predicts(loaded.core, signature.name);
    for (const Diagnostic& note : notes.list()) run->warning(note);
    if (!run->start_chains(*engine, engine_options)) fail();
    if (run->world) {
      std::string settings;
      for (const OptionValue& o : engine_options)
        settings += fmt::format(" :{} {}", o.name, show(o.value));
      run->world->set_while_waiting([running = run->host->run()] {
        if (auto reason = stop_requested(running)) throw RunStopped{std::move(*reason)};
      });
      ClusterAccess::guarded([&] {
        run->meet(fmt::format(
            "query {} (program {:x}, value {:x}), seed {}, {} chains of {} draws, {}{}", query,
            checksum_of(session.program()->sources), checksum_of(run->setup.argument), options.seed,
            run->rules.chains, run->rules.samples, engine->name, settings));
      });
    }
    return Inference(std::move(run));
  });
}

}  // namespace chancel
