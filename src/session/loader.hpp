// SPDX-License-Identifier: Apache-2.0
// Loads texts: reads, translates, compiles and evaluates them form by form, and the files that they load in turn
// (load_files.cpp).
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "front/front.hpp"
#include "project/source_files.hpp"
#include "value/value.hpp"

namespace chancel {

class ObserveRewriter;  // core/simulated_observes.hpp
class Session;
struct FunctionProto;

// Definitions leaves forms that define nothing alone. Check evaluates nothing but functions (which runs none of the
// program's code): only macros are called, for a moment and without files.
enum class LoadMode { Check, Definitions, Script };

struct LoadResult {
  Dialect dialect = Dialect::Clojure;
  std::vector<QuerySignature> queries;
  std::vector<core::Node*> core;     // as translated (dump)
  std::vector<FunctionProto*> code;  // as compiled (dump)
};

struct LoadEvents {
  struct Evaluated {
    Value value;  // in the host heap; good until the next form
    Span span;
    bool is_definition;
  };
  // Before each form of the text; a program of another dialect is one form.
  std::function<void(Span)> begins;
  // After each form that is shown. False: the form counts as failed (see the session's diagnostics).
  std::function<bool(const Evaluated&)> evaluated;
  // A form has failed. True: continue with the next one.
  std::function<bool()> failed;
};

class Loader {
 public:
  explicit Loader(Session& session) : session_(session) {}
  // False: see the session's diagnostics.
  bool load(std::string text, std::string name, std::optional<Dialect> dialect, LoadMode mode,
            LoadResult* result, const LoadEvents& events);
  // See GlobalNames.
  GlobalNames::Loading load_namespace(const std::string& ns, Span span, bool again,
                                      DiagnosticSink& sink);
  bool has_loaded(const std::string& ns) const { return namespaces_.contains(ns); }
  // Of the newest text, with its aliases and references; null before the first.
  const FrontEnd* front() const { return front_.get(); }
  Dialect dialect() const { return dialect_; }

  SourceFiles sources;                  // files that the program may load; none until it is set
  ObserveRewriter* observes = nullptr;  // of the pass "simulate"; null: observes stay as they are

 private:
  bool load_text(std::string text, std::string name, std::optional<Dialect> dialect,
                 LoadResult* result, const LoadEvents& events);
  bool run_form(FrontEnd& front, const Datum& form, LoadResult* result, const LoadEvents& events);
  bool run_items(std::vector<TopLevel> items, LoadResult* result, const LoadEvents& events);
  // Passes that work on forms.
  core::Node* rewritten(core::Node* node);
  bool evaluate(core::Node* node, LoadResult* result, Value* out);
  void check_form(core::Node* node, LoadResult* result);
  FunctionProto* compiled(core::Node* node, LoadResult* result);

  // (load-file "path"), (load "path") at top level.
  bool load_file(FrontEnd& front, const Datum& form);
  std::optional<std::string> path_of(FrontEnd& front, const Datum& form);
  // Keywords ::a get the namespace that the forms name as theirs.
  void qualify_own_keywords(std::vector<Datum>& forms) const;
  // The file's forms, read; nothing: see the session's diagnostics.
  std::optional<std::vector<Datum>> read_source(const std::string& path, Span span);
  bool run_file(FrontEnd& front, const std::vector<Datum>& forms, const std::string& path,
                Span from);
  // A new front end of a namespace whose file is being loaded.
  FrontEnd& open_namespace(const std::string& ns);

  struct BeingLoaded {
    std::string path;
    Span from;
  };
  Session& session_;
  LoadMode mode_ = LoadMode::Script;  // of the load that is under way
  std::unique_ptr<FrontEnd> front_;
  Dialect dialect_ = Dialect::Clojure;
  // Namespaces of files that the program has loaded, or is loading: these are on the list.
  std::unordered_map<std::string, std::unique_ptr<FrontEnd>> namespaces_;
  std::vector<BeingLoaded> loading_;
};

}  // namespace chancel
