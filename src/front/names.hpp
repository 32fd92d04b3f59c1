// SPDX-License-Identifier: Apache-2.0
// Global names as programs write them to the names that the library and the program go by.
// Namespaces are not kept apart: `ns` and `require` only record aliases, so that stat/mean,
// clojure.string/join and Math/log find what they mean, and a name qualified by anything else means
// the unqualified one.
#pragma once
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/symbol.hpp"
#include "front/front.hpp"
#include "reader/datum.hpp"

namespace chancel::front {

class Names {
 public:
  explicit Names(GlobalNames& globals) : globals_(globals) {}

  // The program's own definition of the name is known from now on.
  void define(const Name* name) { defined_.insert(name); }
  bool defined(const Name* name) const { return defined_.count(name) != 0; }
  // Dynamic variables are cells: they are read through %cell-get and bound by binding.
  void define_dynamic(const Name* name) { dynamic_.insert(name); }
  bool is_dynamic(const Name* name) const { return dynamic_.count(name) != 0; }
  // The global that a name means here, or null if there is none.
  const Name* resolve(const Name* name) const;
  // The library's own meaning, even when the program defines the name anew: then spelled
  // clojure.core/name.
  const Name* library(std::string_view name) const;
  // The dialect says another name for a library function (textbook: get is %textbook-get).
  void rename(const Name* from, const Name* to) { renamed_[from] = to; }

  // (ns ...), (require ...), (use ...), (import ...): records aliases.
  void read_namespace_form(const Datum& form);

  GlobalNames& globals() const { return globals_; }

 private:
  void read_libspec(const Datum& spec, const std::string& prefix, bool use);
  bool in_library(const Name* name) const {
    return globals_.known(name) || globals_.is_macro(name);
  }
  bool known(const Name* name) const { return defined(name) || in_library(name); }

  GlobalNames& globals_;
  std::unordered_set<const Name*> defined_;
  std::unordered_set<const Name*> dynamic_;
  std::unordered_map<std::string, std::string> aliases_;   // stat -> anglican.stat
  std::unordered_map<const Name*, std::string> referred_;  // join -> clojure.string
  std::vector<std::string> used_;                          // namespaces used whole
  std::unordered_map<const Name*, const Name*> renamed_;
};

}  // namespace chancel::front
