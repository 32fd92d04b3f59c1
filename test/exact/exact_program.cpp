// SPDX-License-Identifier: Apache-2.0
// See exact_program.hpp.
#include "exact_program.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <stdexcept>

#include "../native/counted_tier.hpp"
#include "bytecode/verify.hpp"
#include "engines/registry.hpp"
#include "value/print.hpp"

namespace exact {

using namespace chancel;

std::string state_text(const Predicts* newest) {
  std::string out;
  for (const Predicts* p = newest; p; p = p->previous)
    out = show(p->label) + " " + show(p->value) + " " + out;
  return out;
}

namespace {
class Recorder final : public Sink {
 public:
  explicit Recorder(Step& step) : step_(step) {}
  void draw(const EngineDraw& d) override {
    step_.draws.emplace_back(state_text(d.predicts), d.log_weight);
  }
  void barrier(const BarrierStatistics& f) override { step_.barriers.push_back(f); }

 private:
  Step& step_;
};
}  // namespace

Value option_value(const std::string& text) {
  if (text[0] == ':') return Value::keyword(intern(text.substr(1)));
  if (text == "true" || text == "false") return Value::boolean(text == "true");
  if (text[0] == '[') return Value::keyword(intern(text));
  if (text.find('.') != std::string::npos) return Value::real(std::atof(text.c_str()));
  return Value::integer(std::atoll(text.c_str()));
}

Program::Program(const std::string& text, NoTarget)
    : session_(std::make_unique<Session>(~std::size_t{0}, 1, make_doqueries)) {
  if (!session_->load(text, "exact", std::nullopt, LoadMode::Definitions, &loaded_) ||
      loaded_.queries.empty())
    throw std::runtime_error("the program of a test does not load");
  const auto query = session_->globals().value(loaded_.queries.front().name);
  host_ = std::make_unique<RunHost>(
      *session_, session_->images().of(query.value_or(Value::nil()), Value::nil()));
}

Program::Program(const std::string& text) : Program(text, NoTarget{}) {
  const Run all = run_engine(*this, "enumerate", {}, kAllSteps, nullptr);
  for (const Step& step : all.steps)
    for (const auto& [state, log_weight] : step.draws) {
      target_[state] += std::exp(log_weight);
      evidence_ += std::exp(log_weight);
    }
}

RunSetup Program::setup(Stream::Source* source) {
  RunSetup setup = *setup_run(*session_, loaded_.queries.back(), std::nullopt, StreamName{1});
  setup.run = host_->run();
  probe_.source = source;
  setup.probe = &probe_;
  setup.threads = 1;
  setup.native = native_;
  setup.native_tier = CountedTier::make;
  return setup;
}

std::size_t Program::index(const std::string& state) const {
  const auto it = target_.find(state);
  if (it == target_.end()) throw std::runtime_error("a state that cannot be: " + state);
  return static_cast<std::size_t>(std::distance(target_.begin(), it));
}

std::map<std::string, double> Program::table(bool* moved, std::size_t most,
                                             const core::LibraryUses* uses) {
  RunSetup setup = this->setup(nullptr);
  if (moved) {
    Arena& arena = setup.values->arena;
    const Value before = setup.query;
    setup.query = uses ? session_->queries().hoisted(before, setup.argument, arena, *uses)
                       : session_->queries().hoisted(before, setup.argument, arena);
    *moved = setup.query.o != before.o;
    const core::Node* shown = session_->queries().core_of(loaded_.queries.back().name);
    const std::string broken = shown ? core::verify(shown) : "";
    const std::string wrong = verify(*proto_of(setup.query.as<Query>()), session_->program().get());
    if (!broken.empty() || !wrong.empty()) throw std::logic_error(broken + wrong);
  }
  const Run all = run_engine(setup, "enumerate", {}, most);
  std::map<std::string, double> out;
  if (all.steps.size() == most) return out;
  for (const Step& step : all.steps)
    for (const auto& [state, log_weight] : step.draws) out[state] += std::exp(log_weight);
  return out;
}

Run run_engine(Program& program, const std::string& engine, const Options& options,
               std::size_t steps, Stream::Source* source, Mistake mistake, StreamName name,
               std::uint64_t warmup) {
  const PlantedMistake plant(mistake);
  RunSetup setup = program.setup(source);
  setup.name = name;
  setup.warmup = warmup;
  return run_engine(setup, engine, options, steps);
}

Run run_engine(const RunSetup& setup, const std::string& engine, const Options& options,
               std::size_t steps) {
  std::vector<OptionValue> values;
  for (const auto& [key, text] : options) values.push_back({key, option_value(text)});
  DiagnosticSink problems;
  const std::unique_ptr<Engine> e = make_engine(engine, setup, values, problems);
  if (!e) throw std::runtime_error(problems.list().at(0).message);
  Run run;
  for (std::size_t s = 0; s < steps; ++s) {
    run.steps.emplace_back();
    Recorder sink(run.steps.back());
    const bool goes_on = e->step(sink);
    if (!goes_on && e->failure()) throw std::runtime_error(e->failure()->message);
    if (s == setup.warmup) run.log_evidence = e->statistics().log_evidence;
    for (const auto& [state, log_weight] : run.steps.back().draws)
      run.signature += fmt::format("{}{:.17g};", state, log_weight);
    for (const BarrierStatistics& b : run.steps.back().barriers)
      run.signature += fmt::format("{} {:.17g} {:.17g};", b.barrier, b.ess, b.log_mean_weight);
    run.signature += '|';
    if (!goes_on) break;
  }
  return run;
}

}  // namespace exact
