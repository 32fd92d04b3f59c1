// SPDX-License-Identifier: Apache-2.0
// Where the rooms meet: a program that grows form by form, the machine that evaluates its top
// level, the library (natives, constants, prelude compiled on demand), macros, and the streams of
// doquery. The public API is a thin layer over this.
#pragma once
#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "bytecode/code.hpp"
#include "bytecode/program.hpp"
#include "compile/compile.hpp"
#include "core/effects.hpp"
#include "front/front.hpp"
#include "reader/reader.hpp"
#include "session/doqueries.hpp"
#include "session/front_budget.hpp"
#include "session/host_extensions.hpp"
#include "session/library_index.hpp"
#include "session/needed_globals.hpp"
#include "session/source_folder.hpp"
#include "session/test_record.hpp"
#include "vm/machine.hpp"
#include "vm/native_use.hpp"

namespace chancel {

struct Draw;

struct LoadResult {
  Dialect dialect = Dialect::Clojure;
  std::vector<QuerySignature> queries;
  std::vector<core::Node*> core;     // as translated (dump)
  std::vector<FunctionProto*> code;  // as compiled (dump)
};

class Session final : public GlobalNames, public Library, public HostServices {
 public:
  // Without doqueries its program cannot run queries.
  Session(std::size_t max_memory, std::uint64_t seed, MakeDoqueries make_doqueries = nullptr);
  ~Session() override;

  enum class Mode { Check, Definitions, Script };
  struct Evaluated {
    Value value;  // in the host heap; good until the next form
    Span span;
    bool is_definition;
  };
  struct LoadEvents {
    // Before each form of the text; a program of another dialect is one form.
    std::function<void(Span)> begins;
    // After each form that is shown. False: the form counts as failed (see diagnostics()).
    std::function<bool(const Evaluated&)> evaluated;
    // A form has failed. True: go on with the next one.
    std::function<bool()> failed;
  };
  // Reads, translates, compiles and evaluates a text. Mode::Definitions leaves forms that define
  // nothing alone. Mode::Check evaluates nothing but functions (which runs none of the program's
  // code): only macros are called, for a moment and without files. False: see diagnostics().
  bool load(std::string text, std::string name, std::optional<Dialect> dialect, Mode mode,
            LoadResult* result, const LoadEvents& events = {});

  // Changes the core of each form before it is compiled.
  std::function<void(core::Node*& form, core::NodeArena& nodes)> rewrite;
  // Gives a variable that the program's own text does not define a value, now and later.
  void define(const Name* name, const Value& value);
  // The same for a value that may be collected once the variable has another.
  void set_global(const Name* name, const Value& value);
  // What a program that catches the failure would get.
  Value exception_of(const Diagnostic& failure);
  // Draws of a run as doquery gives them, collected until they are taken, as a vector.
  void keep_draw(const Draw& draw);
  Value take_kept_draws();

  // Functions and distributions of the host program. Throws Error (U001) for a name that is taken.
  void extend(const std::vector<NativeFunction>& functions,
              const std::vector<NativeDistribution>& distributions);

  DiagnosticSink& diagnostics() { return sink_; }
  std::shared_ptr<Program> program() { return program_; }
  // What the top level runs under, and the streams of doquery.
  Run& run() { return run_; }
  Machine& machine() { return *machine_; }
  Heap& heap() { return heap_; }

  // The globals that the query can reach, as they are now, shared by runs that start before the next
  // definition. What the script holds beside them is neither copied nor kept.
  std::shared_ptr<Image> image(const Value& query, const Value& argument) override;
  // Evaluates what is lazy before a run reads it (session/lazy_values.hpp).
  void work_out_lazy_values(const std::vector<Value>& roots);
  // Of the random numbers of its top level.
  StreamName stream_name() const { return name_; }
  // Global with this name, evaluated; or nothing.
  std::optional<Value> global_value(const Name* name) const;
  const std::vector<const NativeDef*>& natives() const { return library_.natives(); }
  // A library function that neither draws nor keeps state, or a constant of the library.
  bool is_free_of_draws(const Name* name) const;
  // EDN text as a value in the host heap. Nothing: see diagnostics().
  std::optional<Value> read_value(std::string text, std::string name);
  // As pr prints it, lazy parts realised. Nothing: that failed, see diagnostics().
  std::optional<std::string> print_value(const Value& v);
  // Evaluates the lazy parts of a value that people will look at (session/shown_value.hpp). False: that
  // failed, see diagnostics().
  bool realise_for_show(const Value& v, bool* more);

  // Between forms and runs: no value is in the hands of C++ then.
  void collect_if_needed();

  // What the form that is evaluated takes from streams of draws; may be read from any thread.
  struct Activity {
    std::atomic<std::uint64_t> draws{0};
    std::atomic<const char*> engine{nullptr};
    std::atomic<bool> interrupted{false};  // a stream ended because of it
  };
  Activity& activity() { return activity_; }
  void form_begins();
  // An interrupt was asked for while draws are taken: the stream ends, and the request is answered.
  // False: interrupts stop the form instead.
  bool end_streams();
  // The values of definitions as they are now, for a name whose text is wanted.
  const core::Definitions& definitions() const { return definitions_; }

  std::size_t max_memory() const { return max_memory_; }
  SourceFolder sources;  // files that the program may load; none until it is set
  unsigned threads = 1;  // of its runs
  NativeUse native_use = NativeUse::WhereHot;

  // --- GlobalNames ---
  bool known(const Name* name) const override;
  std::vector<std::string> all() const override;
  std::optional<ArgumentCount> arity(const Name* name) const override;
  bool is_distribution(const Name* name) const override;
  bool is_process(const Name* name) const override;
  bool is_constant(const Name* name) const override;
  bool is_macro(const Name* name) const override;
  bool top_level_only(const Name* name) const override;
  std::optional<Datum> expand(const Name* name, const Datum& form, DiagnosticSink& sink) override;
  void define_macro(const Name* name, core::Lambda* function) override;
  void declare(const Name* name, Span span) override;
  bool in_library(const Name* name) const override;
  bool is_dynamic(const Name* name) const override { return dynamic_.contains(name); }
  void mark_dynamic(const Name* name) override { dynamic_.insert(name); }
  bool is_private(const Name* name) const override { return private_.contains(name); }
  void mark_private(const Name* name) override { private_.insert(name); }
  std::string main_namespace() const override { return main_namespace_; }
  void name_main_namespace(const std::string& ns) override { main_namespace_ = ns; }
  bool is_namespace(const std::string& ns) const override { return namespaces_.contains(ns); }
  Loading load_namespace(const std::string& ns, Span span, bool again,
                         DiagnosticSink& sink) override;
  void document(const Name* name, Documentation said) override {
    documentation_[name] = std::move(said);
  }

  // --- Library ---
  Meaning resolve(const Name* name) override;
  const NativeDef* native(const char* name) override;

  // --- HostServices (host machine) ---
  Value doquery(NativeContext& cx, const Value* args, std::uint32_t count) override;
  bool next_of_stream(NativeContext& cx, Value& stream, Value* out) override;
  Value compile(NativeContext& cx, const Value& form) override;
  void note(Diagnostic what) override;
  // What has been noted since this was asked last, in the order of the text.
  std::vector<Diagnostic> take_notes();

  void made_query(core::Lambda* query, const core::NodeArena& nodes, FunctionProto* code,
                  const std::vector<const core::Binding*>& captured) override;

  // --- about the program (program_natives.hpp) ---
  Value macroexpand(NativeContext& cx, const Value& form, bool once);
  // Name, arguments and documentation of a definition, function or form, over several lines; the text
  // of a definition. Empty: there is none.
  std::string documentation_of(const Name* name) const;
  std::string source_of(const Name* name) const;
  Value var_meta(NativeContext& cx, const Name* name);
  TestRecord& tests() { return tests_; }

  // What library functions do, for the order of lines. A test may say something else.
  core::LibraryUse library_use(const Name* name) const;
  // See HostServices. From any thread: takes a lock.
  Value hoisted(const Value& query, const Value& argument, Arena& arena);
  Value hoisted(const Value& query, const Value& argument, Arena& arena,
                const core::LibraryUses& uses);
  // The core of the query in that order, or as it is.
  const core::Lambda* hoisted_core(const Name* query);

  // Compiles the form for code that runs against an image (eval inside a query). Takes a lock.
  Value compile_for(NativeContext& cx, const Value& form, Image* image);

 private:
  bool load_text(std::string text, std::string name, std::optional<Dialect> dialect, Mode mode,
                 LoadResult* result, const LoadEvents& events);
  // Translates and evaluates one top-level form.
  bool run_form(FrontEnd& front, const Datum& form, Mode mode, LoadResult* result,
                const LoadEvents& events);
  bool run_items(std::vector<TopLevel> items, Mode mode, LoadResult* result,
                 const LoadEvents& events);
  // (load-file "path"), (load "path") at top level.
  bool load_file(FrontEnd& front, const Datum& form, Mode mode);
  // Keywords ::a get the namespace that the forms say they are of.
  void settle_namespace(std::vector<Datum>& forms) const;
  // The file's forms, read; nothing: the sink says why not.
  std::optional<std::vector<Datum>> read_source(const std::string& path, Span span);
  bool run_file(FrontEnd& front, const std::vector<Datum>& forms, Mode mode, Span from);
  bool evaluate(core::Node* node, Span span, LoadResult* result, Value* out);
  void check_form(core::Node* node, LoadResult* result);
  std::optional<Datum> not_expanded(const Name* macro, const Datum& form, Diagnostic why,
                                    DiagnosticSink& sink);
  ObjectNamer object_namer();
  bool compile_library_function(const Name* name, std::uint32_t* variable);
  std::optional<Value> closure_of(core::Node* node, DiagnosticSink& sink);
  struct QueryCore {
    core::Lambda* lambda = nullptr;
    std::vector<const core::Binding*> captured;
  };
  FunctionProto* hoisted_code(const QueryCore& query, const core::LibraryUses& uses);

  std::vector<std::unique_ptr<HostExtension>> extensions_;  // first, so that they go last
  std::size_t max_memory_;
  bool checking_ = false;  // Mode::Check
  bool too_many_definitions_ = false;
  bool has_unexpanded_ = false;  // macros that check could not expand
  std::shared_ptr<Program> program_ = std::make_shared<Program>();
  DiagnosticSink sink_;
  Run run_;
  Heap heap_;
  FrontBudget kept_{heap_, program_->constants().heap(), run_};  // what stays: texts, core, code
  core::NodeArena nodes_{&kept_};
  Budget* expansions_ = &kept_;  // for what macros give, while a form is translated
  std::unique_ptr<Machine> machine_;
  StreamName name_;
  LibraryIndex library_;
  std::unordered_set<const Name*> defined_;
  std::unordered_map<const Name*, Value> macros_;  // closures in the host heap: roots
  std::unordered_map<const Name*, std::uint32_t> prelude_variables_;
  // > 0 while library code is being compiled: the user's definitions do not count.
  int library_depth_ = 0;
  std::unordered_set<const Name*> dynamic_, private_;
  std::unordered_map<const Name*, Documentation> documentation_;
  TestRecord tests_;
  std::uint64_t objects_named_ = 0;
  std::string main_namespace_ = "user";
  // Namespaces of files that the program has loaded, or is loading: these are on the list.
  std::unordered_map<std::string, std::unique_ptr<FrontEnd>> namespaces_;
  struct BeingLoaded {
    std::string path;
    Span from;
  };
  std::vector<BeingLoaded> loading_;
  Mode mode_ = Mode::Script;  // of the load that is under way
  std::unique_ptr<FrontEnd> front_;
  Dialect front_dialect_ = Dialect::Clojure;
  std::unique_ptr<Doqueries> doqueries_;  // null: there are none
  std::shared_ptr<Image> image_;
  std::vector<bool> in_image_;  // which globals it has
  NeededGlobals needed_globals_{*program_};
  bool working_out_ = false;  // lazy values, right now
  std::recursive_mutex compile_mutex_;
  core::Definitions definitions_;  // the program's own, as they are now
  std::unordered_map<const FunctionProto*, QueryCore> query_cores_;
  std::unordered_map<const FunctionProto*, FunctionProto*> hoisted_;  // null: the order stays
  FunctionProto* newest_query_ = nullptr;
  Activity activity_;
  std::mutex notes_mutex_;
  std::vector<Diagnostic> notes_;          // not told yet
  std::unordered_set<std::string> noted_;  // all of them, by place and text
  std::vector<Value> kept_draws_;          // roots
};

}  // namespace chancel
