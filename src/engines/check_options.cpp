// SPDX-License-Identifier: Apache-2.0
// See check_options.hpp.
#include "engines/check_options.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engines/registry.hpp"
#include "fmt/format.h"
#include "value/number.hpp"
#include "value/object.hpp"
#include "value/print.hpp"

namespace chancel {
namespace {

// NaN: not a number, or one out of range.
double number_of(const OptionDef& o, const Value& v, double most) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  const bool whole = o.type == OptionDef::Type::Integer;
  if (!v.is_number() || (whole && v.is(Tag::Ratio))) return kNone;
  const double x = to_double(v);
  return x >= o.least && x <= most && !(whole && x != std::floor(x)) ? x : kNone;
}

std::string word_of(const OptionDef& o, const Value& v) {
  std::string text;
  if (o.or_places && v.is(Tag::Vector)) return show(v);
  if (v.is(Tag::Keyword) || v.is(Tag::Symbol)) text = v.name->full;
  if (v.is(Tag::String)) text.assign(v.as<String>()->text, v.as<String>()->length);
  if (v.is(Tag::Bool) && o.type == OptionDef::Type::Flag) text = v.truthy() ? "true" : "false";
  if (o.or_places && text.starts_with('[')) return text;
  if (!text.empty() && text[0] == ':') text.erase(0, 1);
  const bool known =
      std::any_of(o.words.begin(), o.words.end(), [&](const char* w) { return text == w; });
  return known ? text : "";
}

bool has_option(const EngineDef& engine, const std::string& name) {
  return std::any_of(engine.options.begin(), engine.options.end(),
                     [&](const OptionDef& o) { return name == o.name; });
}

void unknown_option(const EngineDef& engine, const std::string& name, DiagnosticSink& sink) {
  std::string valid;
  std::vector<std::string> names;
  for (const OptionDef& o : engine.options) {
    valid += fmt::format("{}:{}", valid.empty() ? "" : ", ", o.name);
    names.emplace_back(o.name);
  }
  bool elsewhere = false;
  for (const EngineDef& other : all_engines()) elsewhere = elsewhere || has_option(other, name);
  const std::string close = did_you_mean(name, names);
  std::string hint = valid.empty() ? fmt::format("{} takes no options", engine.name)
                                   : fmt::format("the options of {} are {}", engine.name, valid);
  if (!close.empty()) hint = fmt::format("did you mean :{}? {}", close, hint);
  sink.error(Code::I002, {},
             elsewhere
                 ? fmt::format("{}: option :{} has no effect on this engine", engine.name, name)
                 : fmt::format("{}: unknown option :{}", engine.name, name),
             std::move(hint));
}

}  // namespace

bool check_option_names(const EngineDef& engine, const std::vector<OptionValue>& given,
                        DiagnosticSink& sink) {
  bool ok = true;
  for (std::size_t i = 0; i < given.size(); ++i) {
    const auto same = [&](const OptionValue& o) { return o.name == given[i].name; };
    if (std::any_of(given.begin(), given.begin() + static_cast<std::ptrdiff_t>(i), same)) {
      ok = false;
      sink.error(Code::I002, {},
                 fmt::format("{}: option :{} is given twice", engine.name, given[i].name));
    }
    if (has_option(engine, given[i].name)) continue;
    ok = false;
    unknown_option(engine, given[i].name, sink);
  }
  return ok;
}

std::optional<Diagnostic> ignore_foreign_options(const EngineDef& engine,
                                                 std::vector<OptionValue>& given) {
  DiagnosticSink found;
  std::erase_if(given, [&](const OptionValue& o) {
    if (has_option(engine, o.name)) return false;
    unknown_option(engine, o.name, found);
    return true;
  });
  if (found.list().empty()) return std::nullopt;
  Diagnostic d = found.list().front();
  d.severity = Severity::Warning;
  for (std::size_t i = 1; i < found.list().size(); ++i) d.message += "; " + found.list()[i].message;
  d.message += found.list().size() == 1 ? ", so it is ignored" : ", so they are ignored";
  return d;
}

std::optional<EngineOptions> check_options(const EngineDef& engine,
                                           const std::vector<OptionValue>& given,
                                           DiagnosticSink& sink) {
  if (!check_option_names(engine, given, sink)) return std::nullopt;
  EngineOptions out;
  bool ok = true;
  for (const OptionDef& o : engine.options) {
    const double bound = o.part_of ? out.find(o.part_of).number - 1 : o.most;
    double number = o.part_of ? std::floor((bound + 1) / 2) : o.otherwise;
    std::string word = o.words.empty() ? "" : o.words.front();
    const auto value = std::find_if(given.begin(), given.end(),
                                    [&](const OptionValue& v) { return v.name == o.name; });
    if (value != given.end()) {
      number = number_of(o, value->value, bound);
      word = word_of(o, value->value);
      if (o.words.empty() ? std::isnan(number) : word.empty()) {
        ok = false;
        sink.error(Code::I002, {},
                   fmt::format("{}: option :{} must be {}, got {}", engine.name, o.name,
                               o.wanted_text(), show(value->value)));
      }
    }
    out.entries_.push_back({&o, number, std::move(word)});
  }
  if (!ok) return std::nullopt;
  return out;
}

bool adapts(const EngineDef& engine, const std::vector<OptionValue>& given) {
  if (!engine.adapts || !engine.adapts_with) return engine.adapts;
  DiagnosticSink problems;
  const auto read = check_options(engine, given, problems);
  if (!read) return false;
  for (const OptionDef& o : engine.options)
    if (std::string_view(o.name) == engine.adapts_with)
      return read->word(o.name) != o.words.front();
  return false;
}

std::uint64_t usual_warmup(const EngineDef& engine, const std::vector<OptionValue>& given,
                           std::uint64_t draws) {
  // What an engine learns is learnt after some thousand steps, however many draws are wanted.
  constexpr std::uint64_t kUsual = 1000, kMost = 20'000;
  return !adapts(engine, given) ? 0 : draws > 0 ? std::min(draws, kMost) : kUsual;
}

std::uint64_t usual_burn(const EngineDef& engine, std::uint64_t draws, std::uint64_t thin) {
  constexpr std::uint64_t kSmallSteps = 1000;  // of one draw each, or particles of some ten sweeps
  constexpr std::uint64_t kDraws = 200;        // of which one in `thin` is kept
  if (!engine.is_chain()) return 0;
  const bool small = engine.thins_by_draws() || engine.gives == EngineDef::Gives::Sweeps;
  const std::uint64_t burn = std::max(small ? kSmallSteps : 0, kDraws * thin);
  return draws > 0 ? std::min(burn, draws * thin) : burn;
}

}  // namespace chancel
