// SPDX-License-Identifier: Apache-2.0
// The table of names: one hash map under a reader-writer lock. Names sit in heap blocks of their
// own, never move and are never freed; the table itself is left alive at exit, because static
// objects may still hold names then.
#include "base/symbol.hpp"

#include <memory>
#include <mutex>
#include <shared_mutex>
#include <unordered_map>

#include "base/hash.hpp"

namespace chancel {
namespace {

struct Table {
  std::shared_mutex mutex;
  std::unordered_map<std::string_view, std::unique_ptr<Name>> names;  // keys view into Name::full
};

Table& table() {
  static Table* the_table = new Table;
  return *the_table;
}

std::unique_ptr<Name> make_name(std::string_view full) {
  auto name = std::make_unique<Name>();
  name->full = std::string(full);
  const std::string_view spelled = name->full;
  const std::size_t slash = spelled.find('/');
  if (slash == std::string_view::npos || slash == 0 || slash + 1 == spelled.size()) {
    name->base = spelled;
  } else {
    name->ns = spelled.substr(0, slash);
    name->base = spelled.substr(slash + 1);
  }
  // Symbol.hasheq and Keyword.hasheq of Clojure; a missing namespace hashes as 0.
  name->symbol_hash = hash_combine(hash_unencoded_chars(name->base), java_string_hash(name->ns));
  name->keyword_hash = name->symbol_hash + 0x9e3779b9;
  return name;
}

}  // namespace

const Name* intern(std::string_view full) {
  std::size_t grown = 0;
  return intern(full, grown);
}

const Name* intern(std::string_view full, std::size_t& grown) {
  Table& t = table();
  {
    std::shared_lock lock(t.mutex);
    auto found = t.names.find(full);
    if (found != t.names.end()) return found->second.get();
  }
  std::unique_ptr<Name> made = make_name(full);
  const std::string_view key = made->full;
  std::unique_lock lock(t.mutex);
  const auto [place, fresh] = t.names.try_emplace(key, std::move(made));
  // The name, its text, and a node and a bucket of the table.
  if (fresh) grown += sizeof(Name) + full.size() + 96;
  return place->second.get();
}

const Name* intern(std::string_view ns, std::string_view base) {
  if (ns.empty()) return intern(base);
  std::string full;
  full.reserve(ns.size() + 1 + base.size());
  full.append(ns).append(1, '/').append(base);
  return intern(full);
}

}  // namespace chancel
