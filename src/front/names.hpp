// SPDX-License-Identifier: Apache-2.0
// Global names as programs write them to the names that the library and the program go by. The
// program's own definitions have plain names; those of a file that it loads (require, use) are
// qualified by the file's namespace, so that two files may define the same name. Each file has a
// Names of its own: what it defines, its aliases, what it refers to. A plain name is looked up
// among these first, then in the library; a qualified one in its namespace only.
#pragma once
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/symbol.hpp"
#include "front/front.hpp"
#include "reader/datum.hpp"

namespace chancel::front {

// Of a.b.c it is c.
inline std::string last_part(const std::string& name) { return name.substr(name.rfind('.') + 1); }

class Names {
 public:
  // `ns`: of the file; empty for the program itself.
  Names(GlobalNames& globals, std::string ns) : globals_(globals), ns_(std::move(ns)) {}

  // All that another one knows.
  void take(const Names& other);
  // The name that a definition of this file has among all globals.
  const Name* own(const Name* plain) const;
  const std::string& ns() const { return ns_; }
  // A definition of this file is known from now on; by its own() name, or by the plain one.
  void define(const Name* name) { defined_.insert(own(name)); }
  bool defined(const Name* name) const { return defined_.count(own(name)) != 0; }
  // Dynamic variables are cells: they are read through %cell-get and bound by binding.
  void define_dynamic(const Name* name) { globals_.mark_dynamic(own(name)); }
  bool is_dynamic(const Name* name) const { return globals_.is_dynamic(name); }
  // Record types, by the name that the program gave them.
  void define_type(const Name* name, const Name* type) { types_[name] = type; }
  const Name* type(const Name* name) const;
  std::vector<const Name*> types() const;
  // Fields of the program's records.
  void define_field(const Name* name) { fields_.insert(name); }
  bool is_field(const Name* name) const { return fields_.count(name) != 0; }
  // The global that a name means here, or null if there is none.
  const Name* resolve(const Name* name) const;
  // The special form or macro of the language that a name means, by its plain name; null: it is
  // none of them, or of no namespace that has it.
  const Name* form(const Name* name) const;
  // Why resolve() found nothing, as a hint; empty: nothing is known.
  std::string why_unknown(const Name* name) const;
  // True: the name belongs to a namespace that was required and is nowhere, which is reported once for each.
  bool report_missing(const Name* name, Span use, DiagnosticSink& sink) const;
  // The name of the library's own definition, even where the program redefines it: there, and in
  // programs with a namespace, it is spelled clojure.core/name.
  const Name* library(std::string_view name) const;
  // The dialect says another name for a library function (textbook: get is %textbook-get).
  void rename(const Name* from, const Name* to) { renamed_[from] = to; }

  // (ns ...), (require ...), (use ...), (refer ...), (alias ...), (import ...): loads what is
  // beside the program and records aliases. Mistakes go to the sink.
  void read_namespace_form(const Datum& form, DiagnosticSink& sink);

  GlobalNames& globals() const { return globals_; }

 private:
  struct Refer {
    std::string ns;
    const Name* base;
  };
  struct Used {
    std::string ns;
    std::unordered_set<const Name*> excluded;
  };
  struct Clause {
    bool use = false;
    bool again = false;  // :reload
  };
  void read_libspec(const Datum& spec, const std::string& prefix, const Clause& clause,
                    DiagnosticSink& sink);
  void read_filters(const std::string& ns, const Datum& spec, std::size_t from,
                    const Clause& clause, DiagnosticSink& sink);
  void read_import(const Datum& spec);
  void load(const std::string& ns, Span span, const Clause& clause, DiagnosticSink& sink);
  const Name* in_namespace(const std::string& ns, const Name* base) const;
  std::string namespace_of(std::string_view qualifier) const;
  std::string stand_in(const std::string& alias, const std::string& missing) const;
  bool in_library(const Name* name) const { return globals_.in_library(name); }

  GlobalNames& globals_;
  std::string ns_;
  std::unordered_set<std::string> own_namespaces_ = {"user"};  // what the program calls itself
  std::unordered_set<const Name*> defined_;
  std::unordered_map<std::string, std::string> aliases_;  // stat -> anglican.stat
  std::unordered_map<const Name*, Refer> referred_;       // join -> clojure.string/join
  std::vector<Used> used_;                                // namespaces used whole
  std::unordered_map<std::string, Span> missing_;         // asked for here, and not found anywhere
  std::unordered_map<const Name*, const Name*> renamed_;
  std::unordered_map<const Name*, const Name*> types_;  // Point -> user.Point
  std::unordered_set<const Name*> fields_;
};

}  // namespace chancel::front
