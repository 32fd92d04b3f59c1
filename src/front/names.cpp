// SPDX-License-Identifier: Apache-2.0
#include "front/names.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "front/namespaces.hpp"
#include "value/classes.hpp"

namespace chancel::front {

namespace {

// 'x and x alike: (require '[a.b :as c]) is a call with quoted data, (ns (:require [a.b :as c])) is
// not.
const Datum& unquoted(const Datum& datum) {
  return datum.is_list_headed("quote") && datum.items.size() == 2 ? datum.items[1] : datum;
}

bool is_keyword(const Datum& datum, const char* name) {
  return datum.is(DatumKind::Keyword) && datum.name->full == name;
}

}  // namespace

void Names::take(const Names& other) {
  ns_ = other.ns_;
  own_namespaces_ = other.own_namespaces_;
  defined_ = other.defined_;
  aliases_ = other.aliases_;
  referred_ = other.referred_;
  used_ = other.used_;
  missing_ = other.missing_;
  types_ = other.types_;
  fields_ = other.fields_;
}

const Name* Names::own(const Name* name) const {
  return ns_.empty() || !name->ns.empty() || name->full[0] == '%' ? name : intern(ns_, name->full);
}

const Name* Names::type(const Name* name) const {
  if (const auto found = types_.find(name); found != types_.end()) return found->second;
  for (const auto& [own, type] : types_)
    if (type == name) return type;
  // (:import [shapes Circle]) and shapes.Circle: types of other files
  const std::size_t dot = name->full.rfind('.');
  if (dot != std::string::npos && globals_.is_namespace(name->full.substr(0, dot))) return name;
  if (const auto referred = referred_.find(name); referred != referred_.end())
    if (globals_.is_namespace(referred->second.ns))
      return intern(referred->second.ns + "." + referred->second.base->full);
  return nullptr;
}

std::vector<const Name*> Names::types() const {
  std::vector<const Name*> all;
  for (const auto& [own, type] : types_) all.push_back(own);
  return all;
}

const Name* Names::library(std::string_view name) const {
  const Name* plain = intern(name);
  return !ns_.empty() || defined(plain) ? intern("clojure.core", name) : plain;
}

const Name* Names::in_namespace(const std::string& ns, const Name* base) const {
  if (globals_.is_namespace(ns)) {
    const Name* full = intern(ns, base->full);
    const bool there = globals_.known(full) || globals_.is_macro(full);
    return there && (ns == ns_ || !globals_.is_private(full)) ? full : nullptr;
  }
  if (const Name* full = intern(ns, base->full); in_library(full)) return full;
  const Name* plain = library_export(ns, base->full);
  return plain != nullptr && in_library(plain) ? library(plain->full) : nullptr;
}

// A library that is not here, under an alias that usually stands for one that is: [plotting :as plot].
std::string Names::stand_in(const std::string& alias, const std::string& missing) const {
  const std::string_view usual = usual_alias(alias);
  if (!usual.empty()) return std::string(usual);
  return last_part(missing).find("plot") != std::string::npos ? "gorilla-plot.core" : missing;
}

std::string Names::namespace_of(std::string_view qualifier) const {
  if (qualifier.starts_with("java.lang.")) qualifier.remove_prefix(10);
  const std::string ns(qualifier);
  if (auto alias = aliases_.find(ns); alias != aliases_.end())
    return missing_.contains(alias->second) ? stand_in(ns, alias->second) : alias->second;
  if (globals_.is_namespace(ns) || is_library_namespace(ns)) return ns;
  const std::string_view usual = usual_alias(ns);
  return usual.empty() ? ns : std::string(usual);
}

const Name* Names::resolve(const Name* name) const {
  if (name->ns.empty() || name->full[0] == '%') {
    if (defined(name)) return own(name);
    if (auto renamed = renamed_.find(name); renamed != renamed_.end()) return renamed->second;
    if (auto referred = referred_.find(name); referred != referred_.end())
      if (const Name* found = in_namespace(referred->second.ns, referred->second.base))
        return found;
    for (auto used = used_.rbegin(); used != used_.rend(); ++used)
      if (!used->excluded.contains(name))
        if (const Name* found = in_namespace(used->ns, name)) return found;
    if (in_library(name)) return library(name->full);
    const bool plain = ns_.empty() || name->full[0] == '%';
    return plain && (globals_.known(name) || globals_.is_macro(name)) ? name : nullptr;
  }
  if (in_library(name)) return name;
  const std::string ns = namespace_of(name->ns);
  const Name* base = intern(name->base);
  if (const Name* found = in_namespace(ns, base)) return found;
  if (own_namespaces_.contains(ns) || ns == globals_.main_namespace()) {
    if (ns_.empty() ? defined(base) : false) return base;
    if (!in_library(base) && (globals_.known(base) || globals_.is_macro(base))) return base;
  }
  return nullptr;
}

const Name* Names::form(const Name* name) const {
  if (name->ns.empty()) return name;
  const std::string ns = namespace_of(name->ns);
  if (globals_.is_namespace(ns)) return nullptr;
  return library_export(ns, name->base);
}

std::string Names::why_unknown(const Name* name) const {
  if (name->ns.empty()) return "";
  const std::string ns = namespace_of(name->ns);
  const Name* base = intern(name->base);
  if (globals_.is_namespace(ns)) {
    const Name* full = intern(ns, base->full);
    if (globals_.is_private(full)) return fmt::format("{} is private to {}", base->full, ns);
    std::vector<std::string> names;
    for (const std::string& other : globals_.all())
      if (const Name* n = intern(other); n->ns == ns) names.emplace_back(n->base);
    const std::string guess = did_you_mean(base->full, names);
    return guess.empty() ? fmt::format("{} defines no such name", ns)
                         : fmt::format("did you mean {}/{}?", name->ns, guess);
  }
  if (is_library_namespace(ns)) {
    const std::string guess = did_you_mean(base->full, exports_of(ns));
    if (!guess.empty()) return fmt::format("did you mean {}/{}?", name->ns, guess);
    std::vector<std::string> others = exporters_of(base->full);
    std::erase_if(others, [](const std::string& o) { return find_class(o) != nullptr; });
    std::sort(others.begin(), others.end());
    if (!others.empty()) return fmt::format("{} is a name of {}", base->full, others[0]);
    return fmt::format("{} has no such name here", ns);
  }
  if (find_class(ns) != nullptr)
    return fmt::format("of Java's classes only some static methods are there (Math/log ...)");
  std::string hint = fmt::format("no library {} has been required, and Chancel has none", ns);
  if (in_library(base) || defined(base)) hint += fmt::format("; {} alone is there", base->full);
  return hint;
}

bool Names::report_missing(const Name* name, Span use, DiagnosticSink& sink) const {
  std::string ns;
  if (!name->ns.empty()) {
    ns = namespace_of(name->ns);
  } else if (const auto referred = referred_.find(name); referred != referred_.end()) {
    ns = referred->second.ns;
  }
  const auto asked = missing_.find(ns);
  if (asked == missing_.end()) return false;
  const Span place = asked->second.known() ? asked->second : use;
  for (const Diagnostic& d : sink.list())
    if (d.code == Code::F014 && d.span == place) return true;  // said once
  const std::string places = globals_.places_of(ns);
  Diagnostic& d = sink.error(
      Code::F014, place, fmt::format("there is no namespace {} here", ns),
      places.empty() ? "Chancel has no such library, and files are out of reach (--no-files)"
                     : fmt::format("Chancel has no such library; searched: {}", places));
  if (asked->second.known()) d.notes.push_back({use, fmt::format("{} is needed here", name->base)});
  return true;
}

void Names::load(const std::string& ns, Span span, const Clause& clause, DiagnosticSink& sink) {
  if (is_library_namespace(ns)) return;
  if (globals_.load_namespace(ns, span, clause.again, sink) == GlobalNames::Loading::Missing)
    missing_.emplace(ns, span);
}

void Names::read_filters(const std::string& ns, const Datum& spec, std::size_t from,
                         const Clause& clause, DiagnosticSink& sink) {
  bool some = false, all = clause.use;
  std::unordered_set<const Name*> excluded;
  std::vector<std::pair<const Name*, const Name*>> renamed;
  std::vector<const Datum*> wanted;
  for (std::size_t i = from; i + 1 < spec.items.size(); i += 2) {
    const Datum& option = spec.items[i];
    const Datum& value = unquoted(spec.items[i + 1]);
    if ((is_keyword(option, "as") || is_keyword(option, "as-alias")) && value.is(DatumKind::Symbol))
      aliases_[value.name->full] = ns;
    if (is_keyword(option, "refer") || is_keyword(option, "only")) {
      if (value.is(DatumKind::Keyword)) {  // :refer :all
        all = true;
        continue;
      }
      some = true;
      for (const Datum& item : value.items)
        if (item.is(DatumKind::Symbol)) wanted.push_back(&item);
    }
    if (is_keyword(option, "exclude"))
      for (const Datum& item : value.items)
        if (item.is(DatumKind::Symbol)) excluded.insert(item.name);
    if (is_keyword(option, "rename"))
      for (std::size_t k = 0; k + 1 < value.items.size(); k += 2)
        if (value.items[k].is(DatumKind::Symbol) && value.items[k + 1].is(DatumKind::Symbol))
          renamed.emplace_back(value.items[k].name, value.items[k + 1].name);
  }
  const auto given_name = [&](const Name* base) {
    for (const auto& [from_name, to] : renamed)
      if (from_name == base) return to;
    return base;
  };
  for (const Datum* item : wanted) {
    referred_[given_name(item->name)] = {ns, item->name};
    if (globals_.is_namespace(ns) && in_namespace(ns, item->name) == nullptr)
      sink.error(Code::F001, item->span, fmt::format("{} has no name {}", ns, item->name->full),
                 why_unknown(intern(ns, item->name->full)));
  }
  if (some || !all) return;
  for (const auto& [base, to] : renamed) {
    excluded.insert(base);
    referred_[to] = {ns, base};
  }
  used_.push_back({ns, std::move(excluded)});
}

void Names::read_libspec(const Datum& given, const std::string& prefix, const Clause& clause,
                         DiagnosticSink& sink) {
  const Datum& spec = unquoted(given);
  if (spec.is(DatumKind::Symbol)) {
    const std::string ns = prefix + spec.name->full;
    load(ns, spec.span, clause, sink);
    aliases_.emplace(last_part(ns), ns);
    if (clause.use) used_.push_back({ns, {}});
    return;
  }
  if ((!spec.is(DatumKind::Vector) && !spec.is(DatumKind::List)) || spec.items.empty() ||
      !spec.items[0].is(DatumKind::Symbol))
    return;
  const std::string ns = prefix + spec.items[0].name->full;
  const bool options = spec.items.size() == 1 || spec.items[1].is(DatumKind::Keyword);
  if (!options) {  // [anglican core stat [runtime :as r]]: a prefix and what is below it
    for (std::size_t i = 1; i < spec.items.size(); ++i)
      read_libspec(spec.items[i], ns + ".", clause, sink);
    return;
  }
  load(ns, spec.items[0].span, clause, sink);
  aliases_.emplace(last_part(ns), ns);
  read_filters(ns, spec, 1, clause, sink);
}

void Names::read_namespace_form(const Datum& form, DiagnosticSink& sink) {
  if (form.items.empty() || !form.items[0].is(DatumKind::Symbol)) return;
  const std::string& head = form.items[0].name->full;
  const auto clause_of = [](const Datum& list, bool use) {
    Clause clause{use};
    for (const Datum& item : list.items)
      clause.again = clause.again || is_keyword(item, "reload") || is_keyword(item, "reload-all");
    return clause;
  };
  if (head == "ns" || head == "ns+" || head == "in-ns") {
    if (form.items.size() > 1)
      if (const Datum& name = unquoted(form.items[1]); name.is(DatumKind::Symbol)) {
        own_namespaces_.insert(name.name->full);
        if (ns_.empty()) globals_.name_main_namespace(name.name->full);
      }
    for (std::size_t i = 2; i < form.items.size(); ++i) {
      const Datum& clause = form.items[i];
      if (!clause.is(DatumKind::List) || clause.items.empty() ||
          !clause.items[0].is(DatumKind::Keyword))
        continue;
      const std::string& kind = clause.items[0].name->full;
      if (kind == "import")
        for (std::size_t j = 1; j < clause.items.size(); ++j) read_import(clause.items[j]);
      if (kind != "require" && kind != "use" && kind != "require-macros") continue;
      for (std::size_t j = 1; j < clause.items.size(); ++j)
        read_libspec(clause.items[j], "", clause_of(clause, kind == "use"), sink);
    }
  } else if (head == "require" || head == "use") {
    for (std::size_t i = 1; i < form.items.size(); ++i)
      read_libspec(form.items[i], "", clause_of(form, head == "use"), sink);
  } else if (head == "import") {
    for (std::size_t i = 1; i < form.items.size(); ++i) read_import(unquoted(form.items[i]));
  } else if (head == "refer" && form.items.size() > 1) {
    const Datum& ns = unquoted(form.items[1]);
    if (ns.is(DatumKind::Symbol)) read_filters(ns.name->full, form, 2, Clause{true}, sink);
  } else if (head == "alias" && form.items.size() == 3) {
    const Datum& alias = unquoted(form.items[1]);
    const Datum& ns = unquoted(form.items[2]);
    if (alias.is(DatumKind::Symbol) && ns.is(DatumKind::Symbol))
      aliases_[alias.name->full] = ns.name->full;
  }
}

// shapes.Circle, [shapes Circle Square]: names of types
void Names::read_import(const Datum& spec) {
  const auto add = [&](std::string ns, const Name* base) {
    std::replace(ns.begin(), ns.end(), '_', '-');
    referred_[base] = {ns, base};
  };
  if (spec.is(DatumKind::Symbol)) {
    const std::size_t dot = spec.name->full.rfind('.');
    if (dot != std::string::npos)
      add(spec.name->full.substr(0, dot), intern(spec.name->full.substr(dot + 1)));
    return;
  }
  if (spec.items.empty() || !spec.items[0].is(DatumKind::Symbol)) return;
  for (std::size_t i = 1; i < spec.items.size(); ++i)
    if (spec.items[i].is(DatumKind::Symbol)) add(spec.items[0].name->full, spec.items[i].name);
}

}  // namespace chancel::front
