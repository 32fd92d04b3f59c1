// SPDX-License-Identifier: Apache-2.0
// Inference of the public interface: runs engines (one per chain), applies burn-in and thinning,
// hands out draws one by one.
#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <thread>

#include "api/arguments.hpp"
#include "api/data.hpp"
#include "api/draw_batch.hpp"
#include "api/model_impl.hpp"
#include "api/query_stream.hpp"
#include "api/run_totals.hpp"
#include "api/value_view.hpp"
#include "core/draw_free.hpp"
#include "infer/profile.hpp"
#include "infer/query_options.hpp"
#include "value/collections.hpp"
#include "value/print.hpp"

namespace chancel {

namespace {
constexpr std::uint64_t kChainKind = 3;
constexpr std::uint64_t kCutKind = 4;
constexpr std::uint64_t kThinKind = 5;
// A batch is handed out when it has this many draws or is this old, whichever comes first: neither
// changes a draw.
constexpr std::size_t kBatchDraws = 128;
constexpr std::chrono::milliseconds kBatchTime{50};
}  // namespace

struct Inference::Impl final : Sink {
  Session* session = nullptr;
  InferOptions options;
  bool colour = false;
  std::unique_ptr<RunHost> host;
  // Chains run one after the other; each engine is made when its turn comes and goes when it is
  // done.
  std::string algorithm;
  RunSetup setup;  // of all chains, but for name and number
  std::size_t query_line = 0;
  StreamName base;
  std::vector<OptionValue> engine_options;
  std::unique_ptr<Engine> engine;
  unsigned chain_at = 0;  // the chain that is being run
  RunTotals totals;       // of the chains that are done
  std::chrono::steady_clock::time_point started = std::chrono::steady_clock::now();

  std::unique_ptr<DrawBatch> batch;
  std::uint64_t seen = 0;  // draws of this chain, before burn-in and thinning
  bool sweeps = false;     // the engine gives the particles of sweeps
  struct {
    std::uint64_t number, begin, count;  // begin: draws before it; count: since a kept one
  } sweep{};
  std::vector<std::uint64_t> kept_of_chain;  // after burn-in, before thinning (plmh has several)
  std::uint64_t given = 0;                   // draws handed out
  std::uint64_t chain_given = 0;
  bool chain_ended = false;  // the engine of this chain gives no more
  bool ended = false;
  std::optional<Diagnostic> failure;  // thrown once the draws before it have been handed out
  Draw current;
  Figures figures;
  std::vector<std::string> fixed_labels;
  std::vector<std::string> label_texts;
  std::vector<Value> label_values;
  std::string object_label_text;

  // --- Sink ---
  void draw(const EngineDraw& d) override {
    const std::uint64_t index = seen++;
    const std::uint64_t thin = std::max<std::uint64_t>(1, options.thin);
    if (sweeps) {
      // Neighbours in a sweep are relatives and its slots are not alike: burn-in takes whole sweeps,
      // and thinning starts somewhere else in each.
      if (index == 0 || d.sweep != sweep.number) {
        Stream stream(setup.name.child(kThinKind, d.sweep), 0, 0);
        sweep = {d.sweep, index, thin > 1 ? stream.below(thin) : 0};
      }
      if (sweep.begin < options.burn || sweep.count++ % thin != 0) return;
    } else {
      if (index < options.burn) return;
      if (d.chain >= kept_of_chain.size()) kept_of_chain.resize(d.chain + 1, 0);
      if (kept_of_chain[d.chain]++ % thin != 0) return;
    }
    batch->add(d, &session->program()->constants().heap(), &host->image()->heap);
  }
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
  void barrier(const BarrierFigures& b) override {
    if (options.on_barrier)
      options.on_barrier({chain_at, b.sweep, b.barrier, line_of(b.site), b.ess, b.resampled,
                          b.distinct_ancestors, b.log_mean_weight});
  }
  void descent(const EngineDescent& d) override {
    if (options.on_descent)
      options.on_descent({chain_at, d.sweep, d.barrier, line_of(d.site), d.particle, d.ancestor});
  }
  void warning(const Diagnostic& d) override {
    Message m = to_message(d, session->program()->sources, colour);
    for (const Message& said : figures.warnings)
      if (said.text == m.text) return;  // by another chain
    if (options.on_warning) options.on_warning(m);
    figures.warnings.push_back(std::move(m));
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

  void update_figures() {
    RunTotals all = totals;
    if (engine) all.add(engine->figures());
    all.fill(figures);
    figures.sites = sites_of(all.moves());
    figures.fixed_labels = fixed_labels;
    figures.min_ess_line = all.has_ess() ? line_of(all.min_ess_site()) : 0;
    figures.draws = given;
    figures.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  }

  bool start_engine() {
    setup.chain = chain_at;
    setup.name = base.child(kChainKind, chain_at);
    engine = make_engine(algorithm, setup, engine_options, session->diagnostics());
    return engine != nullptr;
  }
  void next_chain() {
    if (engine) totals.add(engine->figures());
    engine.reset();
    batch.reset();
    ++chain_at;
    seen = chain_given = 0;
    kept_of_chain.clear();
    chain_ended = false;
  }
  // Makes the next batch of this chain, at least one draw if there is one.
  void refill() {
    batch = std::make_unique<DrawBatch>(setup);
    const auto begun = std::chrono::steady_clock::now();
    while (!chain_ended) {
      const std::size_t before = batch->draws.size();
      bool more = false;
      if (auto stop = within_memory([&] { more = engine->step(*this); })) {
        chain_ended = true;
        failure = std::move(stop);
      } else if (!more) {
        chain_ended = true;
        failure = engine->failure();
      }
      const auto now = std::chrono::steady_clock::now();
      stamp(before, now);
      const std::size_t count = batch->draws.size();
      if (options.samples && chain_given + count >= options.samples) {
        cut(options.samples - chain_given);
        break;
      }
      if (count >= kBatchDraws) break;
      if (count > 0 && now - begun > kBatchTime) break;
    }
  }
  // Leaves `wanted` draws in the batch. A sweep gives its particles in the order of their ancestors:
  // the first ones are relatives, and no fair part of it. So of a sweep that is needed in part every
  // so manyth is taken, each with the same probability.
  void cut(std::size_t wanted) {
    auto& draws = batch->draws;
    if (wanted > 0 && wanted < draws.size()) {
      const EngineDraw last = draws[wanted - 1].raw;
      const auto of_sweep = [&](std::size_t i) {
        return draws[i].raw.sweep == last.sweep && draws[i].raw.chain == last.chain;
      };
      std::size_t from = wanted - 1, to = wanted;
      while (from > 0 && of_sweep(from - 1)) --from;
      while (to < draws.size() && of_sweep(to)) ++to;
      const double stride = static_cast<double>(to - from) / static_cast<double>(wanted - from);
      const double start = Stream(setup.name.child(kCutKind, last.sweep), 0, 0).uniform();
      for (std::size_t k = from; k < wanted; ++k) {
        const double at = (static_cast<double>(k - from) + start) * stride;
        const std::size_t chosen = std::min(from + static_cast<std::size_t>(at), to - 1);
        if (chosen != k) draws[k] = std::move(draws[chosen]);
      }
    }
    draws.resize(std::min(wanted, draws.size()));
  }
  // Tells the draws of the last step what the run had done by then.
  void stamp(std::size_t first, std::chrono::steady_clock::time_point now) {
    const double seconds = std::chrono::duration<double>(now - started).count();
    for (std::size_t i = first; i < batch->draws.size(); ++i) {
      KeptDraw& kept = batch->draws[i];
      kept.run_simulations = totals.simulations() + engine->figures().simulations;
      kept.run_applications = totals.applications() + engine->figures().applications;
      kept.run_seconds = seconds;
    }
  }
  // After the last draw before a failure.
  void fail() {
    const Diagnostic d = *failure;
    failure.reset();
    ended = true;
    if (d.code == Code::L005 || d.code == Code::L002) {
      figures.interrupted = true;
      warning(d);
      return;
    }
    update_figures();
    throw Error({to_message(d, session->program()->sources, colour)}, exit_code_of(d.code));
  }
  void hand_out(const KeptDraw& kept) {
    Draw& d = current;
    d.log_weight = kept.raw.log_weight;
    d.index = given++;
    ++chain_given;
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

const Figures& Inference::figures() const {
  impl_->update_figures();
  return impl_->figures;
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
  const unsigned chains = std::max(1u, x.options.chains);
  while (!x.ended) {
    if (x.options.samples && x.chain_given >= x.options.samples) {
      x.next_chain();
    } else if (x.batch && !x.batch->draws.empty()) {
      x.hand_out(x.batch->draws.front());
      x.batch->draws.pop_front();
      return &x.current;
    } else if (x.failure) {
      x.fail();
      break;
    } else if (x.chain_ended) {
      x.next_chain();
    }
    if (x.chain_at >= chains) {
      x.ended = true;
    } else if (!x.batch || x.batch->draws.empty()) {
      if (!x.engine && !x.start_engine())
        throw_errors(x.session->diagnostics(), x.session->program()->sources, x.colour);
      x.refill();
    }
  }
  return nullptr;
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

Inference Model::infer(std::string_view query, InferOptions options) {
  return memory_checked([&]() -> Inference {
    Session& session = *impl_->session;
    session.diagnostics().clear();
    const bool colour = impl_->options.colour;
    const auto fail = [&]() {
      throw_errors(session.diagnostics(), session.program()->sources, colour);
    };
    const QuerySignature& signature = impl_->find_query(query);

    std::optional<Value> argument;
    if (options.value) {
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
    if (options.limits.max_memory == 0) options.limits.max_memory = memory_limit(options.limits);
    apply_limits(session, options.limits);
    session.threads =
        options.threads ? options.threads : std::max(1u, std::thread::hardware_concurrency());

    const std::optional<Value> items =
        session.read_value("[" + options.algorithm_options + "]", "--algorithm-options");
    if (!items) fail();
    std::vector<Value> option_values;
    for (std::uint32_t i = 0; i < items->as<Vector>()->count; ++i)
      option_values.push_back(session.program()->keep(vector_nth(items->as<Vector>(), i)));
    const auto read =
        read_options(option_values.data(), option_values.size(), {}, session.diagnostics());
    if (!read) fail();

    if (!read->first_of_doquery.empty()) {
      session.diagnostics().error(
          Code::I002, Span{},
          fmt::format("option :{} has no effect here: it belongs to doquery",
                      read->first_of_doquery),
          "leave it out");
      fail();
    }

    run->base = StreamName{mix64(options.seed)};
    run->algorithm = options.algorithm;
    if (run->algorithm.starts_with(":")) run->algorithm.erase(0, 1);
    const EngineDef* engine = find_engine(run->algorithm);
    if (engine && engine->gives == EngineDef::Gives::List &&
        (options.burn > 0 || options.thin > 1 || options.chains > 1)) {
      session.diagnostics().error(
          Code::I002, Span{},
          fmt::format("{} gives every execution once: burn-in and thinning would leave some out, "
                      "chains repeat them",
                      engine->name),
          "leave out --burn, --thin and --chains");
      fail();
    }
    run->sweeps = engine && engine->gives == EngineDef::Gives::Sweeps;
    run->engine_options = read->engine;
    auto setup = session.setup_run(signature, argument, run->base);
    if (!setup) fail();
    run->setup = std::move(*setup);
    if (!signature.whole_value)
      for (const QueryParameter& p : signature.parameters) run->setup.parameters.push_back(p.name);
    run->setup.max_memory = options.limits.max_memory;
    run->setup.budget =
        std::make_shared<MemoryBudget>(options.limits.max_memory, session.heap().used());
    run->setup.keep_descent = options.on_descent != nullptr;
    run->host = std::make_unique<RunHost>(session, run->setup.image);
    run->setup.host = run->host.get();
    if (signature.span.known())
      run->query_line =
          session.program()->sources.position(signature.span.file, signature.span.begin).line;
    run->fixed_labels =
        core::draw_free_predicts(impl_->loaded.core, signature.name,
                                 [&](const Name* name) { return session.is_free_of_draws(name); });
    run->options = std::move(options);
    for (const Diagnostic& note : notes.list()) run->warning(note);
    if (!run->start_engine()) fail();  // mistakes in the engine's name and options are told at once
    return Inference(std::move(run));
  });
}

}  // namespace chancel
