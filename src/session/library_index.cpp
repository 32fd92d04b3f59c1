// SPDX-License-Identifier: Apache-2.0
// The library by name: see library_index.hpp.
#include "session/library_index.hpp"

#include <algorithm>
#include <unordered_set>

#include "dist/distribution.hpp"
#include "library/prelude_text.hpp"
#include "library/record_natives.hpp"
#include "library/registry.hpp"
#include "library/world_natives.hpp"
#include "session/host_natives.hpp"
#include "session/program_natives.hpp"

namespace chancel {

bool means_library(const Name* name) { return name->ns == "clojure.core" && !name->base.empty(); }

const Name* library_spelling(const Name* name) {
  return means_library(name) ? intern(name->base) : name;
}

void LibraryIndex::add(const NativeDef& def) {
  list_.push_back(&def);
  natives_[intern(def.name)] = &def;
}

LibraryIndex::LibraryIndex() {
  natives_.reserve(1024);
  for (const NativeDef* def : all_natives()) add(*def);
  for (const NativeDef& def : world_natives()) add(def);
  for (const NativeDef& def : record_natives()) add(def);
  for (const NativeDef& def : distribution_natives()) add(def);
  for (const NativeDef& def : host_natives()) add(def);
  for (const NativeDef& def : program_natives()) add(def);
  for (const ConstantDef& c : constants()) constants_[intern(c.name)] = c.value;
  // Top-level forms of the prelude start with "(def" in the first column.
  for (const PreludeFile& file : prelude_files()) {
    const std::string_view text = file.text;
    std::size_t at = 0;
    const auto next_form = [&](std::size_t from) {
      for (std::size_t i = from; i < text.size(); ++i)
        if (text[i] == '(' && (i == 0 || text[i - 1] == '\n')) return i;
      return text.size();
    };
    at = next_form(0);
    while (at < text.size()) {
      const std::size_t end = next_form(at + 1);
      const std::string_view form = text.substr(at, end - at);
      const std::size_t space = form.find(' ');
      if (space != std::string_view::npos) {
        const std::size_t stop = form.find_first_of(" \n", space + 1);
        prelude_[intern(form.substr(space + 1, stop - space - 1))] = form;
      }
      at = end;
    }
  }
}

const NativeDef* LibraryIndex::native(const Name* name) const {
  const auto it = natives_.find(name);
  return it == natives_.end() ? nullptr : it->second;
}

const Value* LibraryIndex::constant(const Name* name) const {
  const auto it = constants_.find(name);
  return it == constants_.end() ? nullptr : &it->second;
}

std::string_view LibraryIndex::prelude(const Name* name) const {
  const auto it = prelude_.find(name);
  return it == prelude_.end() ? std::string_view{} : it->second;
}

std::vector<std::string> LibraryIndex::names() const {
  std::vector<std::string> out;
  for (const auto& [name, def] : natives_) out.push_back(name->full);
  for (const auto& [name, value] : constants_) out.push_back(name->full);
  for (const auto& [name, text] : prelude_) out.push_back(name->full);
  return out;
}

bool LibraryIndex::is_free_of_draws(const Name* name) const {
  // Not to be folded at compile time, and yet what they give follows from their arguments.
  static const std::unordered_set<std::string_view> kOfTheirArguments = {
      "%in-query?",     "%lazy-seq", "%reduce-vector", "%no-matching-clause",
      "%assert-failed", "%record",   "%field"};
  std::vector<const Name*> open = {library_spelling(name)};
  std::unordered_set<const Name*> seen = {open[0]};
  bool known = false;  // the name itself is in the library
  while (!open.empty()) {
    const Name* at = open.back();
    open.pop_back();
    if (const NativeDef* def = native(at)) {
      if ((def->flags & kPure) == 0 && !kOfTheirArguments.contains(def->name)) return false;
      known = true;
      continue;
    }
    const std::string_view text = prelude(at);
    known = known || !text.empty() || constant(at) != nullptr;
    constexpr std::string_view kBetween = " \n\t,()[]{}'`~@^;\"";
    for (std::size_t from = 0; from < text.size();) {
      const char c = text[from];
      if (c == '"' || c == ';') {  // the words of a doc string or comment mean nothing
        from = text.find(c == '"' ? '"' : '\n', from + 1);
        if (from == text.npos) break;
        ++from;
      } else if (kBetween.find(c) != kBetween.npos) {
        ++from;
      } else {
        const std::size_t end = std::min(text.find_first_of(kBetween, from), text.size());
        const std::string_view word = text.substr(from, end - from);
        if (word == "sample" || word == "observe" || word == "predict") return false;
        const Name* other = intern(word);
        if (seen.insert(other).second) open.push_back(other);
        from = end;
      }
    }
  }
  return known;
}

}  // namespace chancel
