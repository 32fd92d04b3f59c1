// SPDX-License-Identifier: Apache-2.0
// The shared heart of the front ends: one pass from data to core, by recursive descent. What a list
// means is decided by its head: a local, then a form of the dialect (a table of handlers, one per
// special form or macro), then a macro of the program, else a call. Handlers are grouped by family
// in desugar_*.cpp; they build core nodes directly, or rewrite to data whose inner names cannot be
// captured: a symbol that starts with %% means the library's function of that name whatever the
// program binds, and fresh names contain a character that the reader does not take. Nothing throws:
// mistakes go to the sink, nil replaces the wrong form, and translation continues.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/core.hpp"
#include "front/front.hpp"
#include "front/names.hpp"
#include "front/scope.hpp"

namespace chancel::front {

class Translator;
using FormHandler = core::Node* (*)(Translator&, const Datum& form, Position at);
// Reserved forms (if, do, def ...) cannot be shadowed by locals; the others can, as in Clojure.
struct Form {
  FormHandler handler = nullptr;
  bool reserved = false;
};
using FormTable = std::unordered_map<const Name*, Form>;

// The nodes of a program may be nested as deeply as the reader allows plus what sugar adds.
inline constexpr int kMaxDepth = 2200;

class Translator {
 public:
  Translator(GlobalNames& globals, core::NodeArena& nodes, Arena& constants, DiagnosticSink& sink,
             const SourceMap& sources, std::string ns)
      : names(globals, std::move(ns)),
        nodes(nodes),
        constants(constants),
        sink(sink),
        sources(sources) {}

  // --- expressions (expression.cpp) ---
  core::Node* translate(const Datum& datum, Position at = {});
  static constexpr std::size_t kToEnd = ~std::size_t{0};
  // Implicit do over items[from..to).
  core::Node* body(const Datum& form, std::size_t from, Position at = {}, std::size_t to = kToEnd);
  core::Node* symbol(const Datum& datum);
  // The value of a global: what its cell holds if it is dynamic.
  core::Node* global(Span span, const Name* name);
  core::Node* call(const Datum& form);
  core::Node* global_call(const Name* name, const Datum& form, std::size_t from);
  std::vector<core::Node*> arguments(const Datum& form, std::size_t from = 1);
  // Data that needs no evaluation (literals, quoted data, collections of them), and its value.
  bool is_constant(const Datum& datum) const;
  // Venture: a vector that is a form, not data.
  bool is_venture_form(const Datum& datum) const;
  // Literals with more parts than this are built in pieces, so that no call needs a huge frame.
  static constexpr std::size_t kPieceOfLiteral = 64;
  Value constant_value(const Datum& datum);
  // What (quote datum) gives. A symbol of a syntax quote that the file defines is qualified, so that
  // a macro means it in whatever file it is used.
  Value quoted_value(const Datum& datum);
  // The node of a collection's literal: one constant if all its items are.
  core::Node* collection(const Datum& datum);
  void check_arity(const Name* name, std::size_t given, Span span);
  // The class that a symbol names here (value/classes.hpp), or null: a record type of the program,
  // a class of Java or Clojure, the type of a distribution or process.
  const Name* class_named(const Name* spelled) const;
  // The same; reports a name that is none.
  const Name* class_at(const Datum& symbol, const char* form);

  // --- functions and recur (functions.cpp, loops.cpp) ---
  struct Function {
    const Name* name = nullptr;         // for printing
    const Name* self = nullptr;         // name under which the bodies see the function
    std::optional<bool> liberal_recur;  // for the bodies; nothing = as outside
  };
  // items[from] is a parameter vector, or items[from..] are arities ([params] body...).
  core::Lambda* lambda(const Datum& form, std::size_t from, const Function& function);
  // The same with the parameters elsewhere: items[from..] is the body.
  core::Lambda* lambda_of(const Datum& params, const Datum& form, std::size_t from,
                          const Function& function);
  // (mem (fn name ..)): recursion goes through the memo table.
  core::Node* memoised(Span span, const Name* name, const std::function<core::Lambda*()>& function);
  // By number of parameters, the variadic one last; reports and drops those that no call could
  // choose.
  void order_arities(core::Lambda* lambda);
  // A function of no arguments around a body, made by sugar.
  core::Lambda* thunk(const Datum& form, std::size_t from,
                      RecurFrame::Kind kind = RecurFrame::Kind::Thunk, std::size_t to = kToEnd);
  core::Node* recur(const Datum& form, Position at);
  // The loop with all its recurs filled in: a Loop, or a function that calls itself if some recur
  // needs that.
  core::Node* finish_loop(core::Loop* loop, RecurFrame frame);

  // --- binding (desugar_binding.cpp) ---
  using Bindings = std::vector<std::pair<const core::Binding*, core::Node*>>;
  // Binds the names of the pattern to the parts of the value, in scope from now on.
  void destructure(const Datum& pattern, core::Node* value, Bindings& out);
  bool is_pattern(const Datum& datum) const {
    return datum.is(DatumKind::Vector) || datum.is(DatumKind::Map);
  }
  // Checks "an even number of forms in a vector"; reports and gives false otherwise.
  bool is_binding_vector(const Datum& form, std::size_t index, const char* shape);

  // --- building ---
  template <class T, class... A>
  T* make(Span span, A&&... args) {
    T* node = nodes.make<T>(span, std::forward<A>(args)...);
    node->expanded_from = expanded_from;
    return node;
  }
  core::Node* nil(Span span) { return make<core::Const>(span, Value::nil()); }
  core::Node* constant(Span span, Value value) { return make<core::Const>(span, value); }
  core::Node* quoted(const Datum& datum);
  core::Node* local(Span span, const core::Binding* binding) {
    return make<core::Local>(span, binding);
  }
  core::Node* library(Span span, std::string_view name) {
    return make<core::Global>(span, names.library(name));
  }
  core::Node* call_of(Span span, core::Node* function, std::vector<core::Node*> args);
  core::Node* library_call(Span span, std::string_view name, std::vector<core::Node*> args) {
    return call_of(span, library(span, name), std::move(args));
  }
  core::Node* sequence(Span span, std::vector<core::Node*> parts);
  core::Node* if_node(Span span, core::Node* test, core::Node* then, core::Node* otherwise) {
    return make<core::If>(span, test, then, otherwise);
  }
  core::Node* let_node(Span span, Bindings bindings, core::Node* body);
  const core::Binding* fresh(std::string_view name, Span span) {
    return nodes.bind(intern(name), span);
  }
  Datum fresh_symbol(std::string_view name, Span span);
  const core::Binding* bind(const Datum& symbol) {
    const core::Binding* binding = nodes.bind(symbol.name, symbol.span);
    scope.bind(symbol.name, binding);
    return binding;
  }

  // --- mistakes ---
  core::Node* error(Code code, Span span, std::string message, std::string hint = {});
  core::Node* bad_form(const Datum& form, std::string message, std::string shape) {
    return error(Code::F002, form.span, std::move(message), "write " + shape);
  }
  std::string source_text(const Datum& datum) const;
  core::Node* too_deep(Span span);
  // What a translation that was stopped on its way has left.
  void forget_unfinished() {
    recur_frames.clear();
    lifted.clear();
    reported.clear();
    expansions = 0;
  }

  // One level of nesting, for as long as it lives: every recursion over what a program writes makes
  // one.
  class Level {
   public:
    explicit Level(Translator& t) : depth_(t.depth_) { ++depth_; }
    ~Level() { --depth_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;
    bool too_deep() const { return depth_ > kMaxDepth; }

   private:
    int& depth_;
  };

  // --- state ---
  Names names;
  core::NodeArena& nodes;
  Arena& constants;
  DiagnosticSink& sink;
  const SourceMap& sources;
  Scope scope;
  std::vector<RecurFrame> recur_frames;
  const FormTable* forms = nullptr;
  Dialect dialect = Dialect::Clojure;
  // recur may be out of tail position and go to a loop around the function.
  bool liberal_recur = false;
  bool primitives_sample = false;  // Venture: applying a random primitive samples it
  bool in_function = false;        // definitions are not allowed here
  bool in_query = false;           // lexically
  Span expanded_from;              // the user's macro call whose expansion is being translated
  // Definitions that must come before the form being translated (reify)
  std::vector<core::Node*> lifted;
  // Numbers of arguments of functions that this program defines once.
  std::unordered_map<const Name*, std::vector<GlobalNames::ArgumentCount>> arities;
  std::unordered_set<const Name*> translated;  // names whose definition has been met
  std::unordered_set<const Name*> reported;    // unbound names already reported for this form

  // The expansion of a call of one of the program's macros; nothing when that fails. `expansions`
  // is the depth of their nesting; the caller that translates one counts it.
  std::optional<Datum> expansion_of(const Name* macro, const Datum& form);
  // For macroexpand-1: of the program's macros and the language's (macroexpand.cpp).
  std::optional<Datum> expand_once(const Datum& form);
  int expansions = 0;

 private:
  core::Node* list_form(const Datum& form, Position at);
  core::Node* interop(const Datum& form);
  bool is_atom(const Datum& datum) const;
  Value collection_value(DatumKind kind, const std::vector<Value>& items);
  core::Node* vector_literal(Span span, std::vector<core::Node*> items);
  core::Node* map_literal(Span span, std::vector<core::Node*> items);
  core::Node* sampling_function(Span span, const Name* name);
  core::Node* special_as_value(const Datum& datum);
  core::Arity arity(const Datum& params, const Datum& form, std::size_t from);
  int depth_ = 0;
  bool expands_without_end_ = false;  // said once; macros are left alone from then on
  int fresh_count_ = 0;
};

// The families of forms. Each adds its handlers to a dialect's table.
// desugar_basic.cpp: quote if do sample observe predict mem ...
void add_basic_forms(FormTable& table);
void add_binding_forms(FormTable& table);   // desugar_binding.cpp: let letfn binding ...
void add_function_forms(FormTable& table);  // functions.cpp: fn fm query ...
void add_loop_forms(FormTable& table);      // loops.cpp: loop recur
void add_conditionals(FormTable& table);    // desugar_conditionals.cpp
void add_threading(FormTable& table);       // desugar_threading.cpp
void add_iteration(FormTable& table);       // desugar_iteration.cpp: for doseq dotimes while
void add_effects(FormTable& table);  // desugar_effects.cpp: try catch throw delay lazy-seq time ...
void add_interop_forms(FormTable& table);  // interop.cpp: . ..
const FormTable& clojure_forms();
const FormTable& venture_forms();
const FormTable& textbook_forms();

// Qualified names of a with-primitive-procedures vector, known by their base from now on.
// (desugar_binding.cpp)
void alias_primitives(Translator& t, const Datum& list);

// The body of a Venture-style form: define and assume bind for the rest of it. (venture.cpp)
core::Node* venture_body(Translator& t, const Datum& form, std::size_t from, std::size_t to,
                         Position at);

// Adds a handler under each of the names.
inline void add_form(FormTable& table, std::initializer_list<const char*> spelled,
                     FormHandler handler, bool reserved = false) {
  for (const char* name : spelled) table[intern(name)] = {handler, reserved};
}

// The parameters in a query's parameter vector.
void note_parameters(const Datum& params, QuerySignature* info);
// A query from items[from..]: parameter? body*. (functions.cpp)
core::Lambda* translate_query(Translator& t, const Datum& form, std::size_t from, const Name* name,
                              QuerySignature* info);

// Sets a member for the life of the guard.
template <class T>
class Setting {
 public:
  Setting(T& member, T value) : member_(member), old_(member) { member_ = value; }
  ~Setting() { member_ = old_; }
  Setting(const Setting&) = delete;
  Setting& operator=(const Setting&) = delete;

 private:
  T& member_;
  T old_;
};

}  // namespace chancel::front
