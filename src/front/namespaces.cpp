// SPDX-License-Identifier: Apache-2.0
// See namespaces.hpp.
#include "front/namespaces.hpp"

#include <unordered_map>

namespace chancel::front {

namespace {

// base -> the library's name
using Exports = std::unordered_map<std::string_view, const Name*>;

struct Namespaces {
  std::unordered_map<std::string_view, Exports> all;
  std::unordered_map<std::string_view, std::string_view> aliases;

  void add(std::string_view ns, std::string_view words) {
    Exports& exports = all[ns];
    while (!words.empty()) {
      const std::size_t end = std::min(words.find(' '), words.size());
      const std::string_view word = words.substr(0, end);
      words.remove_prefix(std::min(end + 1, words.size()));
      if (word.empty()) continue;
      const std::size_t other = word.find('~');
      const std::string_view base = word.substr(0, other);
      exports[base] = intern(other == word.npos ? word : word.substr(other + 1));
    }
  }

  Namespaces() {
#define CHANCEL_NAMESPACE(ns, words) add(ns, words);
#define CHANCEL_ALIAS(alias, ns) aliases[alias] = ns;
#include "front/namespaces.def"
#undef CHANCEL_NAMESPACE
#undef CHANCEL_ALIAS
  }
};
const Namespaces& namespaces() {
  static const Namespaces all;
  return all;
}

bool is_anglican(std::string_view ns) {
  return ns == "anglican" || ns.starts_with("anglican.") || ns.starts_with("anglib.");
}

const Exports* find(std::string_view ns) {
  if (ns.starts_with("java.lang.")) ns.remove_prefix(10);
  const auto found = namespaces().all.find(ns);
  return found == namespaces().all.end() ? nullptr : &found->second;
}

}  // namespace

bool is_library_namespace(std::string_view ns) { return find(ns) != nullptr || is_anglican(ns); }

const Name* library_export(std::string_view ns, std::string_view base) {
  if (const Exports* exports = find(ns)) {
    const auto found = exports->find(base);
    if (found != exports->end()) return found->second;
  }
  // Anglican's own namespaces grew with its versions: they have whatever is not Clojure's.
  if (is_anglican(ns) && !find("clojure.core")->contains(base)) return intern(base);
  return nullptr;
}

std::vector<std::string> exports_of(std::string_view ns) {
  std::vector<std::string> out;
  if (const Exports* exports = find(ns))
    for (const auto& [base, name] : *exports) out.emplace_back(base);
  return out;
}

std::vector<std::string> exporters_of(std::string_view base) {
  std::vector<std::string> out;
  for (const auto& [ns, exports] : namespaces().all)
    if (exports.contains(base)) out.emplace_back(ns);
  return out;
}

std::string_view usual_alias(std::string_view alias) {
  const auto found = namespaces().aliases.find(alias);
  return found == namespaces().aliases.end() ? std::string_view{} : found->second;
}

}  // namespace chancel::front
