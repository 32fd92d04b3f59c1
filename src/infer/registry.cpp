// SPDX-License-Identifier: Apache-2.0
// Engines by name (engines.def), and the check of their option names: an option that an engine does
// not know, or that belongs to another engine, is an error that lists the valid ones.
#include <algorithm>

#include "fmt/format.h"
#include "infer/engine.hpp"

namespace chancel {

#define CHANCEL_ENGINE(name) EngineDef name##_engine();
#define CHANCEL_ALIAS(alias, name)
#include "infer/engines.def"
#undef CHANCEL_ENGINE
#undef CHANCEL_ALIAS

const std::vector<EngineDef>& all_engines() {
  static const std::vector<EngineDef> engines = {
#define CHANCEL_ENGINE(name) name##_engine(),
#define CHANCEL_ALIAS(alias, name)
#include "infer/engines.def"
#undef CHANCEL_ENGINE
#undef CHANCEL_ALIAS
  };
  return engines;
}

const EngineDef* find_engine(std::string_view name) {
#define CHANCEL_ENGINE(engine)
#define CHANCEL_ALIAS(alias, engine) \
  if (name == #alias) name = #engine;
#include "infer/engines.def"
#undef CHANCEL_ENGINE
#undef CHANCEL_ALIAS
  for (const EngineDef& e : all_engines())
    if (name == e.name) return &e;
  return nullptr;
}

namespace {
bool check_option_names(const EngineDef& engine, const std::vector<OptionValue>& options,
                        DiagnosticSink& sink) {
  bool ok = true;
  for (std::size_t i = 0; i < options.size(); ++i) {
    const OptionValue& given = options[i];
    for (std::size_t k = 0; k < i; ++k)
      if (options[k].name == given.name) {
        ok = false;
        sink.error(Code::I002, {},
                   fmt::format("{}: option :{} is given twice", engine.name, given.name));
      }
    const auto is_given = [&](const EngineOptionDoc& o) { return given.name == o.name; };
    if (std::any_of(engine.options.begin(), engine.options.end(), is_given)) continue;
    ok = false;
    std::string valid;
    std::vector<std::string> names;
    for (const EngineOptionDoc& o : engine.options) {
      valid += fmt::format("{}:{}", valid.empty() ? "" : ", ", o.name);
      names.emplace_back(o.name);
    }
    bool elsewhere = false;
    for (const EngineDef& other : all_engines())
      elsewhere |= std::any_of(other.options.begin(), other.options.end(), is_given);
    const std::string close = did_you_mean(given.name, names);
    std::string hint = valid.empty() ? fmt::format("{} takes no options", engine.name)
                                     : fmt::format("the options of {} are {}", engine.name, valid);
    if (!close.empty()) hint = fmt::format("did you mean :{}? {}", close, hint);
    sink.error(Code::I002, {},
               elsewhere ? fmt::format("{}: option :{} has no effect on this engine", engine.name,
                                       given.name)
                         : fmt::format("{}: unknown option :{}", engine.name, given.name),
               std::move(hint));
  }
  return ok;
}
}  // namespace

const EngineDef* check_engine(std::string_view name, const std::vector<OptionValue>& options,
                              DiagnosticSink& sink) {
  const EngineDef* engine = find_engine(name);
  if (!engine) {
    std::vector<std::string> names;
    std::string list;
    for (const EngineDef& e : all_engines()) {
      names.emplace_back(e.name);
      list += fmt::format("{}:{}", list.empty() ? "" : ", ", e.name);
    }
    const std::string close = did_you_mean(name, names);
    std::string hint = "the engines are " + list;
    if (!close.empty()) hint = fmt::format("did you mean :{}? {}", close, hint);
    sink.error(Code::I001, {}, fmt::format("there is no engine :{}", name), std::move(hint));
    return nullptr;
  }
  return check_option_names(*engine, options, sink) ? engine : nullptr;
}

std::unique_ptr<Engine> make_engine(std::string_view name, const RunSetup& setup,
                                    const std::vector<OptionValue>& options, DiagnosticSink& sink) {
  const EngineDef* engine = check_engine(name, options, sink);
  if (!engine) return nullptr;
  return engine->make(setup, options, sink);
}

}  // namespace chancel
