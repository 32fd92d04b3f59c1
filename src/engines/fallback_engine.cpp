// SPDX-License-Identifier: Apache-2.0
// See fallback_engine.hpp.
#include "engines/fallback_engine.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engines/registry.hpp"
#include "infer/engine_state.hpp"

namespace chancel {

namespace {

constexpr std::uint64_t kFallbackStream = 0x10a;
constexpr std::uint64_t kFallbackWarmup = 1000;    // steps, each of one draw
constexpr std::int64_t kFallbackParticles = 1000;  // as many as anneal has

const char* fallback_of(const EngineDef& def) {
  switch (def.family) {
    case EngineFamily::Partition:
      return "rmh";
    case EngineFamily::ParticleChain:
      return def.gives == EngineDef::Gives::Draws ? "rmh" : "pgibbs";
    case EngineFamily::Particles:
      return "smc";
    default:
      return nullptr;
  }
}

class FallbackEngine final : public Engine {
 public:
  FallbackEngine(std::unique_ptr<Engine> engine, const char* name, const char* instead,
                 const RunSetup& setup)
      : engine_(std::move(engine)), name_(name), fallback_(instead), setup_(setup) {
    statistics_ = engine_->statistics();
  }

  bool can_help() const override { return engine_->can_help(); }
  void help() override { engine_->help(); }

  bool step(Sink& sink) override {
    Counted draws(sink, taken_over_ ? first_sweep_ : 0, &next_sweep_);
    bool ok = engine_->step(draws);
    if (!ok && !taken_over_ && refused_hidden()) {
      if (!take_over(sink)) return false;
      Counted later(sink, first_sweep_, &next_sweep_);
      ok = engine_->step(later);
    }
    statistics_ = engine_->statistics();
    statistics_.simulations += before_.simulations;
    statistics_.applications += before_.applications;
    statistics_.particle_steps += before_.particle_steps;
    if (!ok) failure_ = engine_->failure();
    return ok;
  }

  bool save(ByteWriter& to, const ByteNames& names) const override {
    ByteWriter inner;
    if (!engine_->save(inner, names)) return false;
    to.byte(taken_over_);
    for (const std::uint64_t n : {first_sweep_, next_sweep_}) to.number(n);
    save_statistics(to, before_);
    to.text(inner.bytes());
    return true;
  }
  bool restore(ByteReader& from, const ByteNames& names) override {
    const bool over = from.byte() != 0;
    for (std::uint64_t* n : {&first_sweep_, &next_sweep_}) *n = from.number();
    restore_statistics(from, before_);
    ByteReader inner(from.text());
    if (!from.ok()) return false;
    if (over && !make_fallback()) return from.fail("the engine cannot be made");
    if (!engine_->restore(inner, names)) return from.fail(inner.problem());
    statistics_ = engine_->statistics();
    return from.done();
  }

 private:
  // Sweeps of the second engine follow those of the first.
  class Counted final : public Sink {
   public:
    Counted(Sink& sink, std::uint64_t before, std::uint64_t* next)
        : sink_(sink), before_(before), next_(next) {}
    void draw(const EngineDraw& d) override {
      *next_ = std::max(*next_, before_ + d.sweep + 1);
      if (before_ == 0) return sink_.draw(d);
      EngineDraw later = d;
      later.sweep += before_;
      sink_.draw(later);
    }
    void barrier(const BarrierStatistics& b) override {
      BarrierStatistics later = b;
      later.sweep += before_;
      sink_.barrier(later);
    }
    void descent(const EngineDescent& d) override {
      EngineDescent later = d;
      later.sweep += before_;
      sink_.descent(later);
    }
    void warning(const Diagnostic& d) override { sink_.warning(d); }

   private:
    Sink& sink_;
    std::uint64_t before_;
    std::uint64_t* next_;
  };

  bool refused_hidden() const {
    return engine_->failure() && engine_->failure()->code == Code::R014 && !setup_.ranks;
  }

  bool make_fallback() {
    RunSetup setup = setup_;
    setup.name = setup_.name.child(kFallbackStream, 0);
    std::vector<OptionValue> options;
    if (find_engine(fallback_)->family == EngineFamily::SingleSite)
      setup.warmup = std::max(setup.warmup, kFallbackWarmup);
    else
      setup.warmup = 0;
    if (find_engine(fallback_)->family == EngineFamily::Particles)
      options.push_back({"number-of-particles", Value::integer(kFallbackParticles)});
    DiagnosticSink problems;
    engine_ = make_engine(fallback_, setup, options, problems);
    taken_over_ = true;
    return engine_ != nullptr;
  }
  bool take_over(Sink& sink) {
    Diagnostic why = *engine_->failure();
    why.severity = Severity::Warning;
    why.message = fmt::format("a chain goes from {} to {}, which takes draws outside sample: {}",
                              name_, fallback_, why.message);
    why.hint = fmt::format("the draws are right; -a {} takes them from the start", fallback_);
    before_ = engine_->statistics();
    first_sweep_ = next_sweep_;
    if (!make_fallback()) return false;
    sink.warning(why);
    return true;
  }

  std::unique_ptr<Engine> engine_;
  const char* name_;
  const char* fallback_;
  RunSetup setup_;
  bool taken_over_ = false;
  std::uint64_t first_sweep_ = 0, next_sweep_ = 0;
  EngineStatistics before_;
};

}  // namespace

std::unique_ptr<Engine> with_fallback(std::unique_ptr<Engine> engine, const EngineDef& def,
                                      const RunSetup& setup) {
  const char* const instead = engine ? fallback_of(def) : nullptr;
  if (!instead) return engine;
  return std::make_unique<FallbackEngine>(std::move(engine), def.name, instead, setup);
}

}  // namespace chancel
