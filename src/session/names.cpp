// SPDX-License-Identifier: Apache-2.0
#include "session/names.hpp"

#include <algorithm>

#include "dist/distribution.hpp"
#include "reader/reader.hpp"
#include "session/loader.hpp"
#include "session/macros.hpp"

namespace chancel {

namespace {

// What (defn name "doc" [a b & more] ...) or (defn name ([a] ...) ([a b] ...)) takes.
std::optional<GlobalNames::ArgumentCount> prelude_arity(std::string_view text) {
  SourceMap sources;
  DiagnosticSink sink;
  const std::uint32_t file = sources.add("<library>", std::string(text));
  const std::vector<Datum> forms = read_all(sources, file, sink);
  if (forms.empty() || !(forms[0].is_list_headed("defn") || forms[0].is_list_headed("defm")))
    return std::nullopt;
  std::optional<GlobalNames::ArgumentCount> all;
  const auto add = [&](const Datum& parameters) {
    int count = 0;
    bool rest = false;
    for (const Datum& parameter : parameters.items) {
      rest = rest || parameter.is_symbol("&");
      count += rest ? 0 : 1;
    }
    const int most = rest ? -1 : count;
    if (!all) all = GlobalNames::ArgumentCount{count, most};
    all->parameters += (all->parameters.empty() ? "" : " ") + to_text(parameters);
    all->min = std::min(all->min, count);
    all->max = all->max < 0 || most < 0 ? -1 : std::max(all->max, most);
  };
  for (const Datum& item : forms[0].items) {
    if (item.is(DatumKind::Vector)) {
      add(item);
      break;
    }
    if (item.is(DatumKind::List) && !item.items.empty() && item.items[0].is(DatumKind::Vector))
      add(item.items[0]);
  }
  return all;
}

}  // namespace

bool Names::known(const Name* name) const {
  return (!means_library(name) && globals_.visible(name)) || in_library(name);
}

bool Names::in_library(const Name* name) const {
  const Name* base = library_spelling(name);
  return library_.native(base) || library_.constant(base) || !library_.prelude(base).empty() ||
         base->full == "apply";
}

std::vector<std::string> Names::all() const {
  std::vector<std::string> names = library_.names();
  for (const Name* n : globals_.names()) names.push_back(n->full);
  names.emplace_back("apply");
  std::erase_if(names, [](const std::string& n) { return n.starts_with('%'); });
  return names;
}

std::optional<GlobalNames::ArgumentCount> Names::arity(const Name* name) const {
  if (globals_.visible(name)) return std::nullopt;
  const Name* base = library_spelling(name);
  if (const NativeDef* def = library_.native(base))
    return ArgumentCount{def->min_args, def->max_args, def->signature ? def->signature : ""};
  if (const std::string_view text = library_.prelude(base); !text.empty() && !globals_.hidden())
    return prelude_arity(text);
  return std::nullopt;
}

bool Names::is_distribution(const Name* name) const {
  if (globals_.visible(name)) return false;
  const NativeDef* def = library_.native(library_spelling(name));
  return def && def->dist;
}

bool Names::is_process(const Name* name) const {
  for (const ProcessType* type : all_processes())
    if (name->full == type->name) return true;
  return library_.prelude(name).starts_with("(defproc ");
}

bool Names::is_constant(const Name* name) const {
  return library_.constant(library_spelling(name)) != nullptr;
}

bool Names::is_macro(const Name* name) const {
  return !globals_.hidden() && macros_.contains(name);
}

bool Names::top_level_only(const Name* name) const {
  const NativeDef* def = library_.native(name);
  return def && (def->flags & kTopLevelOnly);
}

std::optional<Datum> Names::expand(const Name* name, const Datum& form, DiagnosticSink& sink) {
  return macros_.expand(name, form, sink);
}

void Names::define_macro(const Name* name, core::Lambda* function) {
  macros_.define(name, function);
}

bool Names::is_namespace(const std::string& ns) const { return loader_.has_loaded(ns); }

GlobalNames::Loading Names::load_namespace(const std::string& ns, Span span, bool again,
                                           DiagnosticSink& sink) {
  return loader_.load_namespace(ns, span, again, sink);
}

std::string Names::places_of(const std::string& ns) const { return loader_.sources.places_of(ns); }

const GlobalNames::Documentation* Names::documentation(const Name* name) const {
  const auto found = documentation_.find(name);
  return found == documentation_.end() ? nullptr : &found->second;
}

}  // namespace chancel
