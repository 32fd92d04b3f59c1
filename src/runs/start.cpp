// SPDX-License-Identifier: Apache-2.0
// From a query and options to a run whose chains wait to be asked: see start.hpp.
#include "runs/start.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "base/memory_pressure.hpp"
#include "core/closing_draws.hpp"
#include "core/draw_free.hpp"
#include "core/predictive.hpp"
#include "engines/choose_engine.hpp"
#include "engines/other_engines.hpp"
#include "infer/impossible_observe.hpp"
#include "infer/query_options.hpp"
#include "runs/arguments.hpp"
#include "runs/cluster_access.hpp"
#include "runs/data.hpp"
#include "runs/inference_impl.hpp"
#include "runs/option_values.hpp"
#include "runs/run_setup.hpp"
#include "session/host_values.hpp"
#include "session/value_view.hpp"
#include "value/print.hpp"

namespace chancel {

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

// What the executions of a survey print is dropped.
template <class Survey>
auto quietly(Session& session, RunSetup setup, const Survey& survey) {
  RunHost host(session, setup.image);
  auto silent = std::make_shared<Host>(*host.run()->host);
  silent->write = [](std::string_view) { return true; };
  host.run()->host = std::move(silent);
  setup.run = host.run();
  setup.threads = 1;
  return survey(setup);
}

// Calls of functions that looks at the program before the run may make, at 10 to 30 ns each: longer programs do
// without.
constexpr unsigned kAdviceExecutions = 4;
constexpr std::uint64_t kMismatchLook = 4'000'000, kAdviceLook = 12'000'000;
constexpr std::uint64_t kCallsOfRound = 16384;      // RunLimits::rounds_left
constexpr const char* kPriorEngine = "importance";  // draws from it, one by one

}  // namespace

// The steps from options to chains, in their order; each may throw Error.
class InferenceAccess::Starter {
 public:
  Starter(const LoadedProgram& program, std::string_view query, InferOptions options)
      : program_(program),
        session_(*program.session),
        query_(query),
        signature_(find_query(program.loaded, query)),
        options_(std::move(options)) {}

  std::unique_ptr<Inference::Impl> start() {
    session_.diagnostics().clear();
    limit(options_.limits);
    session_.collect_if_needed();
    DiagnosticSink notes;
    const std::optional<Value> argument =
        bind_arguments(session_, signature_, given_argument(), notes);
    if (!argument) fail();
    share_machine();
    read_engine_options();
    set_up(argument);
    look_for_type_mismatch();
    const EngineDef& engine = choose();
    check(engine);
    run_->statistics.engine = engine.name;
    run_->statistics.family = family_name(engine.family);
    if (engine.is_chain()) run_->densities.emplace();
    look_for_others(engine);
    run_->options = options_;
    run_->automatic = automatic_;
    run_->plan(engine);
    limit(run_->options.limits);
    host();
    describe();
    for (const Diagnostic& note : notes.list()) run_->warning(note);
    if (!run_->start_chains(engine, engine_options_)) fail();
    if (run_->world) meet(engine);
    return std::move(run_);
  }

 private:
  [[noreturn]] void fail() {
    throw_errors(session_.diagnostics(), session_.program()->sources, program_.options.colour);
  }
  [[noreturn]] void fail(Code code, Span span, std::string message, std::string hint = "") {
    session_.diagnostics().error(code, span, std::move(message), std::move(hint));
    fail();
  }
  void limit(const Limits& limits) {
    apply_limits(session_.run(), limits,
                 options_.interrupt ? *options_.interrupt : program_.options.interrupt);
  }

  // As the user gives it: bound by name, as text, in a file, or NAME-value of the program.
  std::optional<Value> given_argument() {
    if (options_.arguments) {
      check_names();
      return ArgumentsAccess::value(*options_.arguments, session_.machine().arena());
    }
    if (!options_.value && !options_.data)
      return session_.globals().value(intern(std::string(query_) + "-value"));
    std::optional<Value> argument =
        options_.value ? read_value(session_, *options_.value, "--value")
                       : read_data(session_, options_.data->first, options_.data->second);
    if (!argument) fail();
    return argument;
  }
  void check_names() {
    for (const std::string& name : ArgumentsAccess::names(*options_.arguments))
      if (std::none_of(signature_.parameters.begin(), signature_.parameters.end(),
                       [&](const QueryParameter& p) { return p.name == name; }))
        fail(Code::U003, signature_.span,
             fmt::format("the query {} has no parameter {}", signature_.name->full, name));
  }

  // Ranks on one machine share what it has.
  void share_machine() {
    run_->session = &session_;
    run_->colour = program_.options.colour;
    run_->world = ClusterAccess::ranks(options_.cluster);
    if (run_->world && run_->world->size() == 1) run_->world.reset();
    if (run_->world && options_.limits.timeout > 0)
      run_->world->expect_end(options_.limits.timeout);
    const unsigned neighbours = run_->world ? run_->world->neighbours() : 1;
    if (options_.limits.max_memory == 0)
      options_.limits.max_memory = memory_limit(options_.limits) / neighbours;
    session_.threads = options_.threads
                           ? options_.threads
                           : std::max(1u, std::thread::hardware_concurrency() / neighbours);
  }

  void read_engine_options() {
    for (const EngineOption& o : options_.engine_options) {
      if (belongs_to_doquery(o.name))
        fail(Code::I002, Span{},
             fmt::format("option :{} has no effect here: it belongs to doquery", o.name),
             o.name == "warmup" ? "use --warmup" : "leave it out");
      engine_options_.push_back({o.name, option_value(o)});
    }
  }

  void set_up(const std::optional<Value>& argument) {
    auto setup = setup_run(session_, signature_, argument, StreamName{mix64(options_.seed)});
    if (!setup) fail();
    run_->setup = std::move(*setup);
    if (!signature_.whole_value)
      for (const QueryParameter& p : signature_.parameters)
        run_->setup.parameters.push_back(p.name);
    run_->setup.max_memory = options_.limits.max_memory;
    run_->setup.budget =
        std::make_shared<MemoryBudget>(options_.limits.max_memory, session_.heap().used());
    run_->setup.pointwise = options_.pointwise;
    run_->setup.closing_draws = std::make_shared<const std::vector<Span>>(
        core::closing_draws(program_.loaded.core, signature_.name));
  }

  // The engine that is named, the prior's, or the one that a survey of the query suggests.
  const EngineDef& choose() {
    std::string_view algorithm = options_.algorithm;
    if (algorithm.starts_with(":")) algorithm.remove_prefix(1);
    if (options_.prior) {
      if (algorithm == kAutomatic) algorithm = kPriorEngine;
      if (algorithm != kPriorEngine)
        fail(Code::I002, Span{},
             fmt::format("{} does not draw from the prior: importance does", algorithm),
             "leave out the engine, or --prior");
      run_->setup.prior = true;
    }
    automatic_ = algorithm == kAutomatic;
    if (automatic_) {
      const bool lists = !selects_ && options_.samples.value_or(0) == 0 && !options_.ess;
      EngineChoice choice = quietly(session_, run_->setup, [&](const RunSetup& setup) {
        return choose_engine(setup, std::move(engine_options_), lists);
      });
      if (is_out_of_memory()) {  // it may be another engine than with more
        const Diagnostic full = memory_failure(0);
        throw_error(full.code, full.message, full.hint, exit_code_of(full.code));
      }
      algorithm = run_->statistics.engine = choice.engine;
      run_->statistics.choice = choice.text;
      engine_options_ = std::move(choice.options);
      survey_ = choice.survey;
      if (!options_.samples && options_.thin <= 1) options_.thin = choice.thin;
    }
    const EngineDef* const engine = find_engine(algorithm, session_.diagnostics());
    if (!engine) fail();
    return *engine;
  }
  // Are some draws left out, or made several times, as the user says?
  bool selects() const {
    return options_.burn.value_or(0) > 0 || options_.warmup.value_or(0) > 0 || options_.thin > 1 ||
           options_.chains > 1;
  }
  void check(const EngineDef& engine) {
    if (engine.gives == EngineDef::Gives::List && selects_)
      fail(Code::I002, Span{},
           fmt::format("{} gives everything once: burn-in and thinning would leave some out, "
                       "chains repeat it",
                       engine.name),
           "leave out --warmup, --burn, --thin and --chains");
    if (options_.pointwise && engine.gives != EngineDef::Gives::Draws)
      fail(Code::I002, Span{},
           fmt::format("{} does not say the log-likelihood of each observe", engine.name),
           "name another engine: nuts, lmh, rmh or importance");
  }

  // A look at the program with a limit of its calls of functions, the same on any machine.
  template <class Look>
  auto look_within(std::uint64_t applications, const Look& look) {
    session_.run().limits->rounds_left = static_cast<std::int64_t>(applications / kCallsOfRound);
    auto found = quietly(session_, run_->setup, look);
    limit(options_.limits);
    return found;
  }
  // Ends the run where every execution fails for the type of a value, such as an empty cell, before an engine searches for one
  // that does not.
  void look_for_type_mismatch() {
    if (options_.prior) return;
    std::optional<Diagnostic> found = look_within(kMismatchLook, [](const RunSetup& setup) {
      return find_type_mismatch(setup, kMismatchLook);
    });
    if (!found) return;
    session_.diagnostics().add(std::move(*found));
    fail();
  }
  // What advice may name beside the engine of the run. Draws that have no trouble of their own, and
  // modes, need none.
  void look_for_others(const EngineDef& engine) {
    if (options_.prior || engine.gives == EngineDef::Gives::List || engine.finds_mode) return;
    look_within(kAdviceLook, [&](const RunSetup& setup) {
      if (!survey_) survey_ = take_survey(setup, kAdviceExecutions, kAdviceLook);
      const OtherEngines others = other_engines(setup, *survey_, engine);
      run_->statistics.continuous_draws = others.continuous;
      run_->statistics.discrete_draws = others.discrete;
      run_->statistics.improper_draws = others.improper;
      for (const EngineDef* e : others.engines)
        run_->statistics.other_engines.push_back({e->name, family_name(e->family)});
      return true;
    });
  }

  void host() {
    run_->setup.keep_descent = options_.on_descent != nullptr;
    run_->setup.log_joint = options_.log_joint;
    run_->host = std::make_unique<RunHost>(session_, run_->setup.image);
    run_->setup.run = run_->host->run();
  }
  // What is said about the query's text beside its draws.
  void describe() {
    const std::vector<core::Node*>& core = program_.loaded.core;
    const Span span = signature_.span;
    if (span.known())
      run_->query_line = session_.program()->sources.position(span.file, span.begin).line;
    run_->fixed_labels = core::draw_free_predicts(core, signature_.name, [&](const Name* name) {
      return session_.library().is_free_of_draws(name);
    });
    run_->draw_names = core::draw_names(core);
    run_->statistics.predictive_labels = core::predictive_predicts(core, signature_.name);
  }

  void meet(const EngineDef& engine) {
    std::string settings;
    for (const OptionValue& o : engine_options_)
      settings += fmt::format(" :{} {}", o.name, show(o.value));
    const auto add = [&](const char* name, const std::optional<std::uint64_t>& number) {
      if (number) settings += fmt::format(" --{} {}", name, *number);
    };
    add("ess", options_.ess);
    add("rounds", options_.rounds);
    add("warmup", options_.warmup);
    add("burn", options_.burn);
    if (options_.thin > 1) add("thin", options_.thin);
    if (options_.prior) settings += " --prior";
    run_->world->set_while_waiting([running = run_->host->run()] {
      if (auto reason = stop_requested(running)) throw RunStopped{std::move(*reason)};
    });
    ClusterAccess::guarded([&] {
      run_->meet(fmt::format(
          "query {} (program {:x}, value {:x}), seed {}, {} chains of {} draws, {}{}", query_,
          checksum_of(session_.program()->sources), checksum_of(run_->setup.argument),
          options_.seed, run_->rules.chains, run_->rules.samples, engine.name, settings));
    });
  }

  const LoadedProgram& program_;
  Session& session_;
  std::string_view query_;
  const QuerySignature& signature_;
  InferOptions options_;
  const bool selects_ = selects();
  std::vector<OptionValue> engine_options_;
  bool automatic_ = false;
  std::optional<Survey> survey_;  // that auto has taken, or that advice needs
  std::unique_ptr<Inference::Impl> run_ = std::make_unique<Inference::Impl>();
};

void InferenceAccess::limit_work(Inference& run, double nanoseconds) {
  run.impl_->most_work = nanoseconds;
}

Inference InferenceAccess::start(const LoadedProgram& program, std::string_view query,
                                 InferOptions options) {
  return memory_checked([&]() -> Inference {
    return Inference(Starter(program, query, std::move(options)).start());
  });
}

}  // namespace chancel
