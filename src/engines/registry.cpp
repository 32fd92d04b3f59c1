// SPDX-License-Identifier: Apache-2.0
// See registry.hpp.
#include "engines/registry.hpp"

#include <algorithm>

#include "engines/check_options.hpp"
#include "fmt/format.h"

namespace chancel {

#define CHANCEL_ENGINE(name, family, use) EngineDef name##_engine();
#define CHANCEL_ALIAS(alias, name)
#include "engines/engines.def"
#undef CHANCEL_ENGINE
#undef CHANCEL_ALIAS

namespace {
// What other systems call an inference algorithm, and the engine that does the same or comes nearest.
constexpr struct {
  std::string_view theirs;
  const char* ours;
} kForeign[] = {
    {"hmc", "nuts"},
    {"hamiltonian", "nuts"},
    {"dynamic-hmc", "nuts"},
    {"mcmc", "lmh"},
    {"mh", "lmh"},
    {"metropolis", "lmh"},
    {"metropolis-hastings", "lmh"},
    {"lightweight-mh", "lmh"},
    {"random-walk", "rmh"},
    {"rwm", "rmh"},
    {"rwmh", "rmh"},
    {"gibbs", "pgibbs"},
    {"particle-gibbs", "pgibbs"},
    {"pg", "pgibbs"},
    {"csmc", "pgibbs"},
    {"advi", "bbvb"},
    {"vi", "bbvb"},
    {"svi", "bbvb"},
    {"bbvi", "bbvb"},
    {"variational", "bbvb"},
    {"meanfield", "bbvb"},
    {"fullrank", "bbvb"},
    {"is", "importance"},
    {"likelihood-weighting", "importance"},
    {"particle-filter", "smc"},
    {"pf", "smc"},
    {"bootstrap", "smc"},
    {"annealing", "siman"},
    {"simulated-annealing", "siman"},
    {"tempering", "anneal"},
    {"ep", "laplace"},
    {"optimize", "map"},
    {"optimizing", "map"},
    {"mle", "map"},
    {"exact", "enumerate"},
    {"enumeration", "enumerate"},
    {"rejection-sampling", "rejection"},
};

std::string nearest_engine(std::string_view name, const std::vector<std::string>& names) {
  std::string plain;
  for (const char c : name)
    plain += c == '_' ? '-' : c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  for (const auto& f : kForeign)
    if (f.theirs == plain) return f.ours;
  if (std::find(names.begin(), names.end(), plain) != names.end()) return plain;  // NUTS
  return did_you_mean(plain, names);
}

enum class EngineUse : std::uint8_t { Automatic, ByName };
EngineDef listed(EngineDef engine, EngineFamily family, EngineUse use) {
  engine.family = family;
  engine.automatic = use == EngineUse::Automatic;
  return engine;
}
}  // namespace

const std::vector<EngineDef>& all_engines() {
  static const std::vector<EngineDef> engines = {
#define CHANCEL_ENGINE(name, family, use) \
  listed(name##_engine(), EngineFamily::family, EngineUse::use),
#define CHANCEL_ALIAS(alias, name)
#include "engines/engines.def"
#undef CHANCEL_ENGINE
#undef CHANCEL_ALIAS
  };
  return engines;
}

const EngineDef* find_engine(std::string_view name) {
#define CHANCEL_ENGINE(engine, family, use)
#define CHANCEL_ALIAS(alias, engine) \
  if (name == #alias) name = #engine;
#include "engines/engines.def"
#undef CHANCEL_ENGINE
#undef CHANCEL_ALIAS
  for (const EngineDef& e : all_engines())
    if (name == e.name) return &e;
  return nullptr;
}

const EngineDef* find_engine(std::string_view name, DiagnosticSink& sink) {
  if (const EngineDef* engine = find_engine(name)) return engine;
  std::vector<std::string> names;
  std::string list;
  for (const EngineDef& e : all_engines()) {
    names.emplace_back(e.name);
    list += fmt::format("{}:{}", list.empty() ? "" : ", ", e.name);
  }
  const std::string close = nearest_engine(name, names);
  std::string hint = "the engines are " + list;
  if (!close.empty()) hint = fmt::format("did you mean :{}? {}", close, hint);
  sink.error(Code::I001, {}, fmt::format("there is no engine :{}", name), std::move(hint));
  return nullptr;
}

std::unique_ptr<Engine> make_engine(std::string_view name, const RunSetup& setup,
                                    const std::vector<OptionValue>& options, DiagnosticSink& sink) {
  const EngineDef* engine = find_engine(name, sink);
  const auto checked = engine ? check_options(*engine, options, sink) : std::nullopt;
  if (!checked) return nullptr;
  RunSetup changed = setup;
  changed.delayed = setup.delayed || checked->asks_for("delayed");
  HostServices* const services = services_of(setup.run);
  if (services && checked->asks_for("hoist")) {
    if (!changed.values) changed.values = std::make_shared<RunValues>();
    changed.query = services->hoisted(setup.query, setup.argument, changed.values->arena);
  }
  return engine->make(changed, *checked);
}

}  // namespace chancel
