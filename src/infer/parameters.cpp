// SPDX-License-Identifier: Apache-2.0
// See parameters.hpp.
#include "infer/parameters.hpp"

#include <algorithm>
#include <charconv>

#include "fmt/format.h"
#include "infer/options.hpp"
#include "infer/walker.hpp"
#include "value/print.hpp"

namespace chancel {

OptionDef parameters_option(bool by_default) {
  return places_option(
      "parameters",
      by_default ? std::vector<const char*>{"auto"} : std::vector<const char*>{"none", "auto"},
      "static parameters: the draws before the first observe, or those with these ids and lines");
}

ParameterChoice::ParameterChoice(std::string_view word, const Program& program)
    : program_(&program), automatic_(word == "auto") {
  if (!word.starts_with('[')) return;
  // Ids are compared as they print, so the vector is split into what prints as its items.
  std::string item;
  bool quoted = false;
  for (const char c : word.substr(1, word.size() - 2)) {
    if (c == '"') quoted = !quoted;
    if (!quoted && (c == ' ' || c == ',')) {
      if (!item.empty()) names_.push_back({std::move(item)});
      item.clear();
    } else {
      item += c;
    }
  }
  if (!item.empty()) names_.push_back({std::move(item)});
  for (Named& n : names_) {
    const char* const end = n.text.data() + n.text.size();
    if (std::from_chars(n.text.data(), end, n.line).ptr == end)
      n.text.clear();
    else
      by_id_ = true;
  }
  listed_.resize(program.site_count());
  for (std::uint32_t s = 0; s < listed_.size(); ++s)
    listed_[s] = std::any_of(names_.begin(), names_.end(), [&](const Named& n) {
      return n.text.empty() && n.line == line_of(s);
    });
}

std::size_t ParameterChoice::line_of(std::uint32_t site) const {
  const Span span = program_->site(site).span;
  if (!span.known() || program_->is_library_file(span.file)) return 0;
  return program_->sources.position(span.file, span.begin).line;
}

bool ParameterChoice::matches(const Named& name, std::uint32_t site, const Value& id) const {
  return name.text.empty() ? name.line == line_of(site) : !id.is_nil() && show(id) == name.text;
}

bool ParameterChoice::includes(std::uint32_t site, const Value& id, bool early) const {
  if (automatic_) return early;
  if (site < listed_.size() && listed_[site]) return true;
  return by_id_ && !id.is_nil() && std::any_of(names_.begin(), names_.end(), [&](const Named& n) {
           return !n.text.empty() && matches(n, site, id);
         });
}

std::string ParameterChoice::unknown_in(const RetainedPath& path) const {
  for (const Named& n : names_) {
    const auto in = [&](const ValueArray* draws) {
      for (std::size_t k = 0; k < draw_count(draws); ++k)
        if (matches(n, static_cast<std::uint32_t>(drawn_site(draws, k).i), drawn_id(draws, k)))
          return true;
      return false;
    };
    if (!in(path.last_draws) && std::none_of(path.steps.begin(), path.steps.end(),
                                             [&](const History* h) { return in(h->draws); }))
      return n.text.empty() ? "line " + std::to_string(n.line) : n.text;
  }
  return "";
}

void GivenParameters::take(const ParameterChoice& choice, const RetainedPath& path) {
  draws.clear();
  const auto add = [&](const ValueArray* list, bool early) {
    for (std::size_t k = 0; k < draw_count(list); ++k) {
      const auto site = static_cast<std::uint32_t>(drawn_site(list, k).i);
      if (choice.includes(site, drawn_id(list, k), early))
        draws.push_back({site, drawn_id(list, k), drawn_value(list, k), drawn_dist(list, k)});
    }
  };
  for (const History* h : path.steps) add(h->draws, h == path.steps.front());
  add(path.last_draws, path.steps.empty());
}

std::optional<Diagnostic> bad_parameters(const char* engine, const ParameterChoice& choice,
                                         const RetainedPath& path, bool observed) {
  const std::string unknown = choice.unknown_in(path);
  if (!unknown.empty())
    return Diagnostic{
        Code::I002,
        Severity::Error,
        {},
        fmt::format("{}: :parameters names {}, where nothing is drawn", engine, unknown),
        "give the ids of draws, as in (sample :phi (normal 0 1)), or their lines",
        {}};
  if (!observed)
    return Diagnostic{
        Code::I006,
        Severity::Error,
        {},
        fmt::format("{}: nothing is observed, so there is no path beside the parameters", engine),
        "leave out :parameters, or use nuts or lmh",
        {}};
  GivenParameters found;
  found.take(choice, path);
  if (!found.draws.empty()) return std::nullopt;
  return Diagnostic{Code::I006,
                    Severity::Error,
                    {},
                    fmt::format("{}: nothing is drawn before the first observe", engine),
                    "name the parameters by their ids or lines: :parameters [:phi 12]",
                    {}};
}

bool GivenParameters::draw(const ParameterChoice& choice, Executor& machine, const Prefix& prefix) {
  draws.clear();
  machine.wants = {true, true};
  Walker walker(machine);
  walker.begin(prefix);
  const auto draw = [&](Walker& w, Value* value) {
    if (!choice.includes(w.stop.site, w.stop.id, true) || !w.draw(value)) return false;
    draws.push_back({w.stop.site, w.stop.id, *value, w.stop.dist});
    return true;
  };
  return walker.run(draw, leave) != Stop::Failed;
}

void GivenParameters::visit(Evacuator& e) {
  for (DrawnValue& d : draws) {
    e.visit(d.id);
    e.visit(d.value);
    e.visit(d.dist);
  }
}

}  // namespace chancel
