// SPDX-License-Identifier: Apache-2.0
// Data with spans to core, one front end per dialect (clojure.cpp, venture.cpp, textbook.cpp) over
// shared desugaring. The front end knows global names only through GlobalNames, which the session
// implements, and does not depend on the VM.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/core.hpp"
#include "diag/diagnostic.hpp"
#include "reader/datum.hpp"
#include "value/heap.hpp"

namespace chancel {

enum class Dialect { Clojure, Venture, Textbook };
const char* dialect_name(Dialect dialect);
// Venture when a form is a directive ([assume ...]); textbook when nothing but defn comes before one
// last expression; else Clojure. `script` (chancel run): never textbook.
Dialect detect_dialect(const std::vector<Datum>& forms, bool script);

// What the front end may ask about names that are not locals.
class GlobalNames {
 public:
  virtual ~GlobalNames() = default;
  // Library function, prelude function or program definition.
  virtual bool known(const Name* name) const = 0;
  virtual std::vector<std::string> all() const = 0;
  struct ArgumentCount {
    int min = 0;
    int max = -1;                 // -1 = any number
    std::string parameters = {};  // "[mean sd]", for messages; empty: not known
    bool anglican = false;        // defm: may be given a continuation and a state first
  };
  // For library functions that the program has not redefined (compile-time arity check); else
  // nothing.
  virtual std::optional<ArgumentCount> arity(const Name* name) const = 0;
  // Constructor of a library or user distribution.
  virtual bool is_distribution(const Name* name) const = 0;
  virtual bool is_process(const Name*) const { return false; }   // of the library
  virtual bool is_constant(const Name*) const { return false; }  // a value of the library
  virtual bool is_macro(const Name* name) const = 0;             // user's defmacro
  // slurp, read-csv ... (refused in queries at run time)
  virtual bool top_level_only(const Name* name) const = 0;
  // Runs the user's macro on the form; on failure reports to the sink and gives nothing.
  virtual std::optional<Datum> expand(const Name* name, const Datum& form,
                                      DiagnosticSink& sink) = 0;
  virtual void define_macro(const Name* name, core::Lambda* function) = 0;
  // The definition is now part of the program (def, defn, declare ...), so that later forms may use
  // the name.
  virtual void declare(const Name* name, Span span) = 0;
  // Part of the library, whatever the program defines.
  virtual bool in_library(const Name* name) const { return known(name); }
  // Marks of the program's definitions.
  virtual bool is_dynamic(const Name*) const { return false; }
  virtual void mark_dynamic(const Name*) {}
  virtual bool is_private(const Name*) const { return false; }
  virtual void mark_private(const Name*) {}

  // What a definition says about itself, for doc, source and (meta #'name).
  struct Documentation {
    std::string doc;
    std::string arguments;  // ([x] [x y]), of functions
    std::string meta;       // ^{...} as text, or empty
    Span span;
    bool is_macro = false;
  };
  virtual void document(const Name*, Documentation) {}

  // --- files beside the program ---
  // What the program itself is called: (ns this ...).
  virtual std::string main_namespace() const { return "user"; }
  virtual void name_main_namespace(const std::string&) {}
  // A namespace that was loaded from a file, or is being loaded.
  virtual bool is_namespace(const std::string&) const { return false; }
  enum class Loading { Loaded, Missing, Failed };
  // Evaluates the file of the namespace, once. Missing: there is no such file. Failed: the sink
  // says why.
  virtual Loading load_namespace(const std::string& /*ns*/, Span, bool /*again*/, DiagnosticSink&) {
    return Loading::Missing;
  }
  // Where the file of a namespace would be: "src/a/b.clj, test/a/b.clj"; empty: files are out of reach.
  virtual std::string places_of(const std::string& /*ns*/) const { return {}; }
};

struct QueryParameter {
  std::string name;
  bool rest = false;
};
struct QuerySignature {
  const Name* name = nullptr;
  Span span;
  std::vector<QueryParameter> parameters;  // of a parameter vector
  bool whole_value = false;                // single-symbol parameter: gets the whole value
  std::string doc;
};

struct TopLevel {
  core::Node* node = nullptr;  // null when the form needs no code (ns, comment ...) or had errors
  Span span;
  // def, defn, defquery, declare ...: evaluated by `infer` and `check`, too.
  bool is_definition = false;
  bool shown = true;  // false: a part of a larger form, whose value is that of a later part
  std::optional<QuerySignature> query;
};

class FrontEnd {
 public:
  // `ns`: of a file that the program loads; empty for the program itself.
  FrontEnd(Dialect dialect, GlobalNames& globals, core::NodeArena& nodes, Arena& constants,
           DiagnosticSink& sink, const SourceMap& sources, std::string ns = {});
  ~FrontEnd();
  // Aliases, references and definitions as in another one (eval).
  void take_names(const FrontEnd& other);
  // Names that the whole file defines: known before their definitions, so that order does not
  // matter for functions.
  void predeclare(const std::vector<Datum>& forms);
  // The form that a macro, of the program or of the language, makes of a form; nothing: its head is
  // none.
  std::optional<Datum> macroexpand(const Datum& form);
  // Clojure-style: one top-level form at a time, since macros must run in between. May give several
  // (do, with-primitive-...).
  std::vector<TopLevel> translate(const Datum& form);
  // Venture and textbook: the whole file is one query named `main`.
  std::vector<TopLevel> translate_program(const std::vector<Datum>& forms);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Quoted data as a value in the constants' arena.
Value datum_to_value(const Datum& datum, Arena& arena);
// The values that a text of data (EDN) says, one for each form. None when something is wrong with
// it: the sink says what. Reading is paid for out of the budget, if there is one.
std::vector<Value> read_values(const SourceMap& sources, std::uint32_t file, Arena& arena,
                               DiagnosticSink& sink, Budget* budget = nullptr);
// A value as data (for macros and eval); `span` marks data without a place. Nothing when the value
// is nested more deeply than text may be. Shared parts of the value are written out, and paid for,
// as often as they occur. What is not data (functions, distributions ...) becomes the datum that
// `object` makes of it, or the symbol of what it prints as.
inline constexpr std::string_view kObjectName = "%object:";  // how such names begin
using ObjectNamer = std::function<Datum(const Value& object, Span span)>;
std::optional<Datum> value_to_datum(const Value& value, Span span, Budget* budget = nullptr,
                                    const ObjectNamer& object = {});

}  // namespace chancel
