// SPDX-License-Identifier: Apache-2.0
#include "front/names.hpp"

namespace chancel::front {

namespace {

std::string last_part(const std::string& ns) {
  const std::size_t dot = ns.rfind('.');
  return dot == std::string::npos ? ns : ns.substr(dot + 1);
}

// 'x and x alike: (require '[a.b :as c]) is a call with quoted data, (ns (:require [a.b :as c])) is
// not.
const Datum& unquoted(const Datum& datum) {
  return datum.is_list_headed("quote") && datum.items.size() == 2 ? datum.items[1] : datum;
}

}  // namespace

const Name* Names::library(std::string_view name) const {
  const Name* plain = intern(name);
  return defined(plain) ? intern("clojure.core", name) : plain;
}

const Name* Names::resolve(const Name* name) const {
  if (defined(name)) return name;
  if (auto renamed = renamed_.find(name); renamed != renamed_.end()) return renamed->second;
  if (in_library(name)) return name;
  const std::string base(name->base);
  if (name->ns.empty()) {
    auto in = [&](const std::string& ns) -> const Name* {
      for (const std::string& spelled : {ns, last_part(ns)})
        if (const Name* full = intern(spelled, base); in_library(full)) return full;
      return nullptr;
    };
    if (auto referred = referred_.find(name); referred != referred_.end())
      if (const Name* found = in(referred->second)) return found;
    for (const std::string& ns : used_)
      if (const Name* found = in(ns)) return found;
    return nullptr;
  }
  std::string ns(name->ns);
  if (auto alias = aliases_.find(ns); alias != aliases_.end()) ns = alias->second;
  for (const std::string& spelled : {ns, last_part(ns)})
    if (const Name* full = intern(spelled, base); in_library(full)) return full;
  const Name* plain = intern(base);
  // The library's own name survives a redefinition by the program.
  if (ns == "clojure.core" && defined(plain) && in_library(plain)) return intern(ns, base);
  return known(plain) ? plain : nullptr;
}

void Names::read_libspec(const Datum& given, const std::string& prefix, bool use) {
  const Datum& spec = unquoted(given);
  if (spec.is(DatumKind::Symbol)) {
    const std::string ns = prefix + spec.name->full;
    aliases_[last_part(ns)] = ns;
    if (use) used_.push_back(ns);
    return;
  }
  if ((!spec.is(DatumKind::Vector) && !spec.is(DatumKind::List)) || spec.items.empty() ||
      !spec.items[0].is(DatumKind::Symbol))
    return;
  const std::string ns = prefix + spec.items[0].name->full;
  const bool options = spec.items.size() == 1 || spec.items[1].is(DatumKind::Keyword);
  if (!options) {  // [anglican core stat [runtime :as r]]: a prefix and what is below it
    for (std::size_t i = 1; i < spec.items.size(); ++i) read_libspec(spec.items[i], ns + ".", use);
    return;
  }
  bool some = false;
  for (std::size_t i = 1; i + 1 < spec.items.size(); i += 2) {
    const Datum& option = spec.items[i];
    const Datum& value = spec.items[i + 1];
    if (!option.is(DatumKind::Keyword)) continue;
    if (option.name->full == "as" && value.is(DatumKind::Symbol)) aliases_[value.name->full] = ns;
    if (option.name->full == "refer" || option.name->full == "only") {
      some = true;
      if (value.is(DatumKind::Keyword)) used_.push_back(ns);  // :refer :all
      for (const Datum& item : value.items)
        if (item.is(DatumKind::Symbol)) referred_[item.name] = ns;
    }
  }
  if (use && !some) used_.push_back(ns);
}

void Names::read_namespace_form(const Datum& form) {
  if (form.items.empty() || !form.items[0].is(DatumKind::Symbol)) return;
  const std::string& head = form.items[0].name->full;
  if (head == "ns") {
    for (std::size_t i = 2; i < form.items.size(); ++i) {
      const Datum& clause = form.items[i];
      if (!clause.is(DatumKind::List) || clause.items.empty() ||
          !clause.items[0].is(DatumKind::Keyword))
        continue;
      const std::string& kind = clause.items[0].name->full;
      if (kind != "require" && kind != "use" && kind != "require-macros") continue;
      for (std::size_t j = 1; j < clause.items.size(); ++j)
        read_libspec(clause.items[j], "", kind == "use");
    }
  } else if (head == "require" || head == "use") {
    for (std::size_t i = 1; i < form.items.size(); ++i)
      read_libspec(form.items[i], "", head == "use");
  }
}

}  // namespace chancel::front
