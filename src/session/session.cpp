// SPDX-License-Identifier: Apache-2.0
// Loading and evaluating programs: see session.hpp. Library code is compiled when it is first
// referred to; while that happens the user's definitions are out of sight, so that redefining `map`
// or `mean` cannot break the library.
#include "session/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "dist/distribution.hpp"
#include "library/host.hpp"
#include "session/lazy_values.hpp"
#include "session/messages.hpp"
#include "session/shown_value.hpp"
#include "session/value_view.hpp"
#include "value/classes.hpp"
#include "value/collections.hpp"
#include "value/print.hpp"

namespace chancel {

namespace {
// clojure.core/map means the library's map, whatever the program defines: sugar writes it so when
// it has to.
const Name* library_spelling(const Name* name) {
  return name->ns == "clojure.core" && !name->base.empty() ? intern(name->base) : nullptr;
}
// The name of the global that holds a prelude function.
const Name* library_name(const Name* name) { return intern("chancel.core", name->full); }

// What (defn name "doc" [a b & more] ...) or (defn name ([a] ...) ([a b] ...)) takes.
std::optional<GlobalNames::ArgumentCount> prelude_arity(std::string_view text) {
  SourceMap sources;
  DiagnosticSink sink;
  const std::uint32_t file = sources.add("<library>", std::string(text));
  const std::vector<Datum> forms = read_all(sources, file, sink);
  if (forms.empty() || !(forms[0].is_list_headed("defn") || forms[0].is_list_headed("defm")))
    return std::nullopt;
  std::optional<GlobalNames::ArgumentCount> all;
  const auto add = [&](const Datum& parameters) {
    int count = 0;
    bool rest = false;
    for (const Datum& parameter : parameters.items) {
      rest = rest || parameter.is_symbol("&");
      count += rest ? 0 : 1;
    }
    const int most = rest ? -1 : count;
    if (!all) all = GlobalNames::ArgumentCount{count, most};
    all->min = std::min(all->min, count);
    all->max = all->max < 0 || most < 0 ? -1 : std::max(all->max, most);
  };
  for (const Datum& item : forms[0].items) {
    if (item.is(DatumKind::Vector)) {
      add(item);
      break;
    }
    if (item.is(DatumKind::List) && !item.items.empty() && item.items[0].is(DatumKind::Vector))
      add(item.items[0]);
  }
  return all;
}
}  // namespace

Session::Session(std::size_t max_memory, std::uint64_t seed, MakeDoqueries make_doqueries)
    : max_memory_(max_memory), heap_(max_memory, std::make_shared<MemoryBudget>(max_memory)) {
  program_->budget = &kept_;
  name_ = StreamName{mix64(seed)};
  machine_ = std::make_unique<Machine>(*program_, program_->values.data(), heap_, false);
  machine_->set_run(&run_);
  run_.services = this;
  run_.at_top_level = true;
  machine_->stream.reset(name_.child(1, 0), 0, 0);
  program_->global(intern("%derived"));  // so that every image has a place for it
  machine_->extra_roots = [this](Evacuator& e) {
    for (Value& v : program_->values) e.visit(v);
    for (auto& [name, macro] : macros_) e.visit(macro);
    for (Value& v : kept_draws_) e.visit(v);
    if (doqueries_) doqueries_->visit(e);
  };
  if (make_doqueries) doqueries_ = make_doqueries(*this);
  if (doqueries_)
    for (const NativeDef& def : doqueries_->natives()) library_.add(def);
}

Session::~Session() {
  program_->budget = nullptr;  // runs may hold the program longer
}

void Session::extend(const std::vector<NativeFunction>& functions,
                     const std::vector<NativeDistribution>& distributions) {
  const auto add = [&](std::unique_ptr<HostExtension> extension) {
    const Name* name = intern(extension->def().name);
    if (known(name))
      throw_error(Code::U001, fmt::format("there is a function {} already", name->full),
                  "give the native another name", ExitCode::Usage);
    library_.add(extension->def());
    extensions_.push_back(std::move(extension));
  };
  for (const NativeFunction& function : functions) add(make_extension(function));
  for (const NativeDistribution& distribution : distributions) add(make_extension(distribution));
}

// --- names ---

bool Session::known(const Name* name) const {
  if (!library_spelling(name) && library_depth_ == 0 && defined_.contains(name)) return true;
  return in_library(name);
}

bool Session::in_library(const Name* name) const {
  const Name* base = library_spelling(name);
  if (base == nullptr) base = name;
  return library_.native(base) || library_.constant(base) || !library_.prelude(base).empty() ||
         base->full == "apply";
}

std::vector<std::string> Session::all() const {
  std::vector<std::string> names = library_.names();
  for (const Name* n : defined_) names.push_back(n->full);
  names.emplace_back("apply");
  std::erase_if(names, [](const std::string& n) { return n.starts_with('%'); });
  return names;
}

std::optional<GlobalNames::ArgumentCount> Session::arity(const Name* name) const {
  if (library_depth_ == 0 && defined_.contains(name)) return std::nullopt;
  if (const Name* base = library_spelling(name)) name = base;
  if (const NativeDef* def = library_.native(name))
    return ArgumentCount{def->min_args, def->max_args};
  if (const std::string_view text = library_.prelude(name); !text.empty() && library_depth_ == 0)
    return prelude_arity(text);
  return std::nullopt;
}

bool Session::is_distribution(const Name* name) const {
  if (library_depth_ == 0 && defined_.contains(name)) return false;
  if (const Name* base = library_spelling(name)) name = base;
  const NativeDef* def = library_.native(name);
  return def && def->dist;
}

bool Session::is_process(const Name* name) const {
  for (const ProcessType* type : all_processes())
    if (name->full == type->name) return true;
  return library_.prelude(name).starts_with("(defproc ");
}

bool Session::is_constant(const Name* name) const {
  const Name* base = library_spelling(name);
  return library_.constant(base ? base : name) != nullptr;
}

bool Session::is_macro(const Name* name) const {
  return library_depth_ == 0 && macros_.contains(name);
}

bool Session::top_level_only(const Name* name) const {
  const NativeDef* def = library_.native(name);
  return def && (def->flags & kTopLevelOnly);
}

void Session::declare(const Name* name, Span span) {
  if (library_depth_ > 0) return;
  // The library takes a place for each of its functions that is used.
  constexpr std::size_t kMaxDefinitions = Program::kMaxGlobals - 4096;
  if (defined_.size() >= kMaxDefinitions && !defined_.contains(name)) {
    if (!too_many_definitions_)
      sink_.error(Code::F008, span,
                  fmt::format("a program defines at most {} names", kMaxDefinitions),
                  "put the values into a vector or a map");
    too_many_definitions_ = true;
    return;
  }
  defined_.insert(name);
  program_->global(name);
}

const NativeDef* Session::native(const char* name) {
  const NativeDef* def = library_.native(intern(name));
  CHANCEL_ASSERT(def, name);
  return def;
}

Library::Meaning Session::resolve(const Name* name) {
  Meaning m;
  if (const Name* base = library_spelling(name)) {
    ++library_depth_;
    m = resolve(base);
    --library_depth_;
    return m;
  }
  if (library_depth_ == 0 && defined_.contains(name)) {
    m.variable = program_->global(name);
    return m;
  }
  if (const NativeDef* def = library_.native(name)) {
    m.kind = Meaning::Native;
    m.native = def;
    return m;
  }
  if (const Value* constant = library_.constant(name)) {
    m.kind = Meaning::Constant;
    m.constant = *constant;
    return m;
  }
  if (name->full == "apply") {  // as a value; calls are compiled to an instruction
    return resolve(intern("%apply"));
  }
  if (!library_.prelude(name).empty() && compile_library_function(name, &m.variable)) {
    m.library = library_depth_ == 0;
    return m;
  }
  m.variable = program_->global(name);
  return m;
}

bool Session::compile_library_function(const Name* name, std::uint32_t* variable) {
  if (const auto it = prelude_variables_.find(name); it != prelude_variables_.end()) {
    *variable = it->second;
    return true;
  }
  *variable = program_->global(library_name(name));
  // Before compiling: library functions may call themselves and each other. One that was stopped on
  // the way is as if it had not been asked for.
  prelude_variables_[name] = *variable;
  ++library_depth_;
  bool ok = false;
  const auto leave = [&](Session*) {
    --library_depth_;
    if (!ok) prelude_variables_.erase(name);
  };
  const std::unique_ptr<Session, decltype(leave)> guard(this, leave);
  const std::uint32_t file = program_->sources.add(fmt::format("<library {}>", name->full),
                                                   std::string(library_.prelude(name)));
  program_->mark_library_file(file);
  DiagnosticSink sink;
  {
    core::NodeArena nodes;
    FrontEnd front(Dialect::Clojure, *this, nodes, program_->constants(), sink, program_->sources);
    const std::vector<Datum> forms = read_all(program_->sources, file, sink);
    for (const Datum& form : forms) {
      for (TopLevel& item : front.translate(form)) {
        if (!item.node || item.node->kind != core::Kind::Def) continue;
        auto* def = static_cast<core::Def*>(item.node);
        if (!def->value) continue;
        // Besides the function itself a form may define what it leans on: the type and the methods
        // of a defproc.
        const bool is_function = def->name == name;
        const std::uint32_t slot = is_function ? *variable : program_->global(def->name);
        if (is_function && def->value->kind == core::Kind::Lambda &&
            !static_cast<core::Lambda*>(def->value)->name)
          static_cast<core::Lambda*>(def->value)->name = name;
        FunctionProto* proto = compile_top_level(def->value, nodes, *program_, *this, sink);
        if (!proto) continue;
        auto* c = program_->constants().make<Closure>(Tag::Closure, bytes_with<Closure>(1));
        c->function = proto;
        c->captured[0] = Value::nil();
        Value value;
        if (machine_->call(Value::object(c), nullptr, 0, &value)) {
          program_->values[slot] = program_->keep(value);
          ok = ok || is_function;
        } else {
          if (is_limit(machine_->failure().code)) throw RunStopped{machine_->failure()};
          sink.add(machine_->failure());
        }
      }
    }
  }
  if (!ok) {
    for (const Diagnostic& d : sink.list())
      if (d.code == Code::L001) throw MemoryLimit{max_memory_};
    std::string what = fmt::format("library function {} does not compile", name->full);
    for (const Diagnostic& d : sink.list()) what += "\n" + render(d, program_->sources);
    throw InternalError(what);
  }
  return true;
}

// --- macros ---

void Session::define_macro(const Name* name, core::Lambda* function) {
  if (const auto closure = closure_of(function, sink_)) macros_[name] = *closure;
}

std::optional<Value> Session::closure_of(core::Node* node, DiagnosticSink& sink) {
  FunctionProto* proto = compile_top_level(node, nodes_, *program_, *this, sink);
  if (!proto) return std::nullopt;
  auto* c = program_->constants().make<Closure>(Tag::Closure, bytes_with<Closure>(1));
  c->function = proto;
  c->captured[0] = Value::nil();
  Value out;
  if (!machine_->call(Value::object(c), nullptr, 0, &out)) {
    sink.add(machine_->failure());
    return std::nullopt;
  }
  return out;
}

std::optional<Datum> Session::expand(const Name* name, const Datum& form, DiagnosticSink& sink) {
  // Many short calls never ask the machine.
  if (checking_)
    if (auto stop = stop_requested(&run_)) return not_expanded(name, form, *stop, sink);
  Arena& arena = machine_->arena();
  std::vector<Value> args;
  for (std::size_t i = 1; i < form.items.size(); ++i)
    args.push_back(datum_to_value(form.items[i], arena));
  const Value list = make_list(arena, args.data(), args.size());
  // (apply macro list), through the library's %apply
  const Meaning apply = resolve(intern("%apply"));
  Value out;
  const Value call_args[2] = {macros_.at(name), list};
  if (!machine_->call(program_->values[apply.variable], call_args, 2, &out))
    return not_expanded(name, form, machine_->failure(), sink);
  // Lazy parts of what the macro gave.
  Value realised;
  const Meaning realise = resolve(intern("%realise"));
  if (!machine_->call(program_->values[realise.variable], &out, 1, &realised))
    return not_expanded(name, form, machine_->failure(), sink);
  std::optional<Datum> expansion = value_to_datum(realised, form.span, expansions_, object_namer());
  if (!expansion)
    sink.error(Code::F009, form.span,
               fmt::format("{}: the expansion is nested more than {} levels deep", name->full,
                           kMaxNesting));
  return expansion;
}

// Code may hold functions and other objects: each gets a global of its own.
ObjectNamer Session::object_namer() {
  return [this](const Value& object, Span span) {
    const std::string name = fmt::format("{}{}", kObjectName, ++objects_named_);
    define(intern(name), object);
    return make_symbol(name, span);
  };
}

std::optional<Datum> Session::not_expanded(const Name* macro, const Datum& form, Diagnostic why,
                                           DiagnosticSink& sink) {
  // What check denies to macros is not a mistake of the program.
  if (checking_ && (is_limit(why.code) || why.code == Code::R015 || why.code == Code::U002)) {
    if (!has_unexpanded_)
      sink.warning(Code::F009, form.span,
                   fmt::format("{}: check cannot expand this: {}", macro->full, why.message),
                   "check calls macros for a moment only, without files and without the values of "
                   "definitions; names that they define are not known to it");
    has_unexpanded_ = true;
    return std::nullopt;
  }
  why.notes.push_back({why.span, "the macro failed here"});
  why.code = Code::F009;
  why.message = fmt::format("{}: {}", macro->full, why.message);
  why.span = form.span;
  sink.add(std::move(why));
  return std::nullopt;
}

// --- loading ---

bool Session::load(std::string text, std::string name, std::optional<Dialect> dialect, Mode mode,
                   LoadResult* result, const LoadEvents& events) {
  bool ok = false;
  if (auto stopped = within_memory([&] {
        ok = load_text(std::move(text), std::move(name), dialect, mode, result, events);
      })) {
    sink_.add(std::move(*stopped));
    return false;
  }
  return ok;
}

bool Session::load_text(std::string text, std::string name, std::optional<Dialect> dialect,
                        Mode mode, LoadResult* result, const LoadEvents& events) {
  checking_ = mode == Mode::Check;
  mode_ = mode;
  loading_ = {{name, {}}};
  kept_.take(text.size());
  const std::uint32_t file = program_->sources.add(std::move(name), std::move(text));
  FrontBudget data(heap_, program_->constants().heap(), run_);
  std::vector<Datum> forms = read_all(program_->sources, file, sink_, &data);
  settle_namespace(forms);
  const Dialect used = dialect ? *dialect : detect_dialect(forms, mode == Mode::Script);
  if (result) {
    result->dialect = used;
  }
  const auto go_on = [&] { return checking_ || (events.failed && events.failed()); };
  if (sink_.has_errors() && !go_on()) return false;
  if (!front_ || front_dialect_ != used) {
    front_ = std::make_unique<FrontEnd>(used, *this, nodes_, program_->constants(), sink_,
                                        program_->sources);
    front_dialect_ = used;
  }
  front_->predeclare(forms);
  if (used == Dialect::Clojure) {
    for (const Datum& form : forms)
      if (!run_form(*front_, form, mode, result, events) && !go_on()) return false;
  } else {
    if (events.begins && !forms.empty())
      events.begins({file, forms.front().span.begin, forms.back().span.end});
    if (!run_items(front_->translate_program(forms), mode, result, events) && !go_on())
      return false;
  }
  if (has_unexpanded_) {  // names that nobody knows may be defined by what was not expanded
    std::vector<Diagnostic> all = sink_.list();
    sink_.clear();
    for (Diagnostic& d : all) {
      if (d.code == Code::F001) d.severity = Severity::Warning;
      sink_.add(std::move(d));
    }
  }
  return !sink_.has_errors();
}

bool Session::run_form(FrontEnd& front, const Datum& form, Mode mode, LoadResult* result,
                       const LoadEvents& events) {
  collect_if_needed();
  if (events.begins) events.begins(form.span);
  if (form.is_list_headed("load-file") || form.is_list_headed("load"))
    return load_file(front, form, mode);
  std::vector<TopLevel> items;
  {
    FrontBudget expansions(heap_, program_->constants().heap(), run_);
    const PaysForExpansions pays(expansions_, &expansions);
    items = front.translate(form);
  }
  return run_items(std::move(items), mode, result, events);
}

bool Session::run_items(std::vector<TopLevel> items, Mode mode, LoadResult* result,
                        const LoadEvents& events) {
  for (TopLevel& item : items) {
    if (!item.node) continue;
    if (rewrite) rewrite(item.node, nodes_);
    if (result) {
      result->core.push_back(item.node);
      if (item.query) result->queries.push_back(*item.query);
    }
    if (checking_) {
      check_form(item.node, result);
      continue;
    }
    if (sink_.has_errors()) return false;
    if (mode != Mode::Script && !item.is_definition) {
      FunctionProto* proto = compile_top_level(item.node, nodes_, *program_, *this, sink_);
      if (result && proto) result->code.push_back(proto);
      continue;
    }
    Value out = Value::nil();
    if (!evaluate(item.node, item.span, result, &out)) return false;
    if (events.evaluated && item.shown && !events.evaluated({out, item.span, item.is_definition}))
      return false;
  }
  return !sink_.has_errors();
}

// Functions are made (macros call them), and nothing of theirs runs; all else is only compiled.
void Session::check_form(core::Node* node, LoadResult* result) {
  if (doqueries_) doqueries_->check(node, sink_);
  const core::Node* value =
      node->kind == core::Kind::Def ? static_cast<core::Def*>(node)->value : node;
  const bool runs_nothing =
      value == nullptr || value->kind == core::Kind::Lambda || value->kind == core::Kind::Const;
  Value unused;
  if (node->kind == core::Kind::Def && !defined_.contains(static_cast<core::Def*>(node)->name))
    return;  // one too many
  if (node->kind == core::Kind::Def && runs_nothing) {
    evaluate(node, node->span, result, &unused);
    return;
  }
  if (sink_.has_errors()) return;
  FunctionProto* proto = compile_top_level(node, nodes_, *program_, *this, sink_);
  if (!proto) return;
  const std::string problem = verify(*proto);
  if (!problem.empty()) throw InternalError(problem);
  if (result) result->code.push_back(proto);
}

bool Session::evaluate(core::Node* node, Span, LoadResult* result, Value* out) {
  image_.reset();
  if (node->kind == core::Kind::Def) {
    const auto* def = static_cast<core::Def*>(node);
    definitions_[def->name] = def->value;
    hoisted_.clear();
  }
  FunctionProto* proto = compile_top_level(node, nodes_, *program_, *this, sink_);
  if (!proto) return false;
  if (result) result->code.push_back(proto);
  auto* c = program_->constants().make<Closure>(Tag::Closure, bytes_with<Closure>(1));
  c->function = proto;
  c->captured[0] = Value::nil();
  Execution execution = machine_->start(Value::object(c), nullptr, 0);
  execution.world = machine_->context().world;
  machine_->wants = {};
  const Checkpoint stop = machine_->resume(execution, Value::nil());
  image_.reset();
  if (stop.kind == Stop::Result) {
    *out = stop.value;
    return true;
  }
  sink_.add(machine_->failure());
  return false;
}

void Session::define(const Name* name, const Value& value) {
  image_.reset();
  declare(name, {});
  const std::uint32_t variable = program_->global(name);
  program_->values[variable] = program_->keep(value);
}

void Session::set_global(const Name* name, const Value& value) {
  image_.reset();
  declare(name, {});
  program_->values[program_->global(name)] = value;
}

Value Session::exception_of(const Diagnostic& failure) {
  const Value message = make_string(machine_->arena(), failure.message);
  auto* e = machine_->arena().make<Exception>(Tag::Exception);
  e->code = static_cast<std::uint64_t>(failure.code);
  e->type = class_of_code(failure.code);
  e->file = failure.span.file;
  e->begin = failure.span.begin;
  e->end = failure.span.end;
  e->unused = 0;
  e->message = message;
  e->cause = Value::nil();
  const bool newest =
      machine_->failure().code == failure.code && machine_->failure().message == failure.message;
  e->data = newest ? machine_->failure_payload() : Value::nil();
  return Value::object(e);
}

void Session::keep_draw(const Draw& draw) {
  Arena& arena = machine_->arena();
  const Heap* constants = &program_->constants().heap();
  const auto stays = [=](const Object* o) { return block_of(o)->heap == constants; };
  std::vector<Value> predicts;
  for (const Predict& p : draw.predicts) {
    // A label as it is printed: most often a keyword.
    const std::string_view text = p.label;
    const bool keyword = text.size() > 1 && text[0] == ':' && text.find(' ') == text.npos;
    const std::optional<Value> label =
        keyword ? Value::keyword(intern(text.substr(1))) : read_value(p.label, "<label>");
    const Value pair[2] = {label ? *label : make_string(arena, text),
                           deep_copy(Access::value(p.value), arena, stays)};
    predicts.push_back(make_vector(arena, pair, 2));
  }
  Value state = empty_map(arena);
  const auto add = [&](const char* key, const Value& v) {
    state = map_assoc(arena, state, Value::keyword(intern(key)), v);
  };
  add("log-weight", Value::real(draw.log_weight));
  add("result", deep_copy(Access::value(draw.result), arena, stays));
  add("predicts", make_vector(arena, predicts.data(), predicts.size()));
  kept_draws_.push_back(state);
}

Value Session::take_kept_draws() {
  const Value all = make_vector(machine_->arena(), kept_draws_.data(), kept_draws_.size());
  kept_draws_.clear();
  return all;
}

void Session::collect_if_needed() {
  // A collection finds the streams that nobody holds, with their engines.
  if (!heap_.wants_collection() && !(doqueries_ && doqueries_->wants_collection())) return;
  if (doqueries_) doqueries_->collecting();
  heap_.collect({&machine_->arena()}, [this](Evacuator& e) {
    if (machine_->context().world) e.visit(machine_->context().world);
    machine_->extra_roots(e);
  });
}

void Session::note(Diagnostic what) {
  constexpr std::size_t kMostNotes = 1000;  // a program may make up messages without end
  const std::lock_guard lock(notes_mutex_);
  if (noted_.size() >= kMostNotes) return;
  if (noted_.insert(fmt::format("{} {} {}", what.span.file, what.span.begin, what.message)).second)
    notes_.push_back(std::move(what));
}

std::vector<Diagnostic> Session::take_notes() {
  const std::lock_guard lock(notes_mutex_);
  std::vector<Diagnostic> out;
  out.swap(notes_);
  std::sort(out.begin(), out.end(), [](const Diagnostic& a, const Diagnostic& b) {
    return std::tie(a.span.file, a.span.begin, a.message) <
           std::tie(b.span.file, b.span.begin, b.message);
  });
  return out;
}

// --- values ---

std::optional<Value> Session::global_value(const Name* name) const {
  const int index = defined_.contains(name) ? program_->find_global(name) : -1;
  if (index < 0 || Program::is_unbound(program_->values[static_cast<std::size_t>(index)]))
    return std::nullopt;
  return program_->values[static_cast<std::size_t>(index)];
}

bool Session::is_free_of_draws(const Name* name) const {
  const Name* plain = library_spelling(name);
  return library_.is_free_of_draws(plain ? plain : name);
}

std::optional<Value> Session::read_value(std::string text, std::string name) {
  {  // Texts that messages point into are kept; this is for the others.
    SourceMap passing;
    DiagnosticSink unsaid;
    FrontBudget data(heap_, program_->constants().heap(), run_);
    const std::vector<Value> values =
        read_values(passing, passing.add(name, text), machine_->arena(), unsaid, &data);
    if (unsaid.list().empty() && values.size() == 1) return values[0];
  }
  const std::uint32_t file = program_->sources.add(std::move(name), std::move(text));
  FrontBudget data(heap_, program_->constants().heap(), run_);
  const std::vector<Value> values =
      read_values(program_->sources, file, machine_->arena(), sink_, &data);
  if (sink_.has_errors()) return std::nullopt;
  if (values.size() == 1) return values[0];
  sink_.error(Code::U003, {file, 0, 0}, fmt::format("expected one value, found {}", values.size()),
              "put several values into a vector: [1 2 3]");
  return std::nullopt;
}

std::optional<std::string> Session::print_value(const Value& v) {
  const Meaning m = resolve(intern("pr-str"));
  Value out;
  const Value f =
      m.kind == Meaning::Native ? Value::native_fn(m.native) : program_->values[m.variable];
  if (machine_->call(f, &v, 1, &out)) return std::string(string_view_of(out));
  sink_.add(machine_->failure());
  return std::nullopt;
}

bool Session::realise_for_show(const Value& v, bool* more) {
  ShownValue shown(*machine_, Value::native_fn(native("seq")));
  const bool ok = shown.realise(v);
  *more = shown.has_more();
  if (!ok) sink_.add(machine_->failure());
  return ok;
}

// --- runs ---

std::shared_ptr<Image> Session::image(const Value& query, const Value& argument) {
  std::vector<Value> roots = {query, argument};
  if (World* world = machine_->context().world) roots.push_back(Value::object(world));
  std::vector<bool> needed = needed_globals_.of(roots);
  const auto has = [](const std::vector<bool>& all, std::size_t i) {
    return i < all.size() && all[i];
  };
  bool there = image_ != nullptr && image_->globals.size() >= needed.size();
  for (std::size_t i = 0; there && i < needed.size(); ++i) there = !needed[i] || has(in_image_, i);
  if (there) return image_;
  // What earlier queries of the same form needed may be needed again.
  for (std::size_t i = 0; image_ && i < needed.size(); ++i)
    if (has(in_image_, i)) needed[i] = true;
  for (std::size_t i = 0; i < needed.size(); ++i)
    if (needed[i]) roots.push_back(program_->values[i]);
  work_out_lazy_values(roots);
  in_image_ = std::move(needed);
  return image_ = std::make_shared<Image>(program_, in_image_);
}

void Session::work_out_lazy_values(const std::vector<Value>& roots) {
  if (working_out_) return;  // a lazy value that asks for an inference: by whoever works it out
  working_out_ = true;
  const auto function = [this](const char* name) { return Value::native_fn(native(name)); };
  LazyValues(*machine_, program_->constants().heap(), function("seq"), function("force"))
      .work_out(roots);
  working_out_ = false;
}

Value Session::doquery(NativeContext& cx, const Value* args, std::uint32_t count) {
  if (!doqueries_) return cx.fail(Code::F010, "doquery: not available here", 0);
  return doqueries_->doquery(cx, args, count);
}

bool Session::next_of_stream(NativeContext& cx, Value& stream, Value* out) {
  return doqueries_ && doqueries_->next_of_stream(cx, stream, out);
}

bool Session::end_streams() {
  RunLimits& limits = *run_.limits;
  if (!limits.ends_streams_first) return false;
  limits.interrupted->store(false, std::memory_order_relaxed);
  limits.interrupted_since_ns = 0;
  limits.takes_draws.store(false, std::memory_order_relaxed);
  activity_.interrupted.store(true, std::memory_order_relaxed);
  return true;
}

void Session::form_begins() {
  run_.limits->takes_draws = false;
  run_.limits->interrupted_since_ns = 0;
  activity_.draws = 0;
  activity_.engine = nullptr;
  activity_.interrupted = false;
}

Value Session::compile(NativeContext& cx, const Value& form) {
  return compile_for(cx, form, nullptr);
}

Value Session::compile_for(NativeContext& cx, const Value& form, Image* image) {
  const std::lock_guard lock(compile_mutex_);
  DiagnosticSink sink;
  FunctionProto* proto = nullptr;
  // Code stays with the program: everything else ends here.
  auto stopped = within_memory([&] {
    FrontBudget data(cx.arena->heap(), program_->constants().heap(), run_);
    const PaysForExpansions pays(expansions_, &data);
    const std::optional<Datum> datum = value_to_datum(form, Span{}, &data, object_namer());
    if (!datum) {
      sink.error(Code::F002, Span{},
                 fmt::format("the form is nested more than {} levels deep", kMaxNesting));
      return;
    }
    core::NodeArena nodes(&data);
    FrontEnd front(front_dialect_ == Dialect::Venture ? Dialect::Venture : Dialect::Clojure, *this,
                   nodes, program_->constants(), sink, program_->sources);
    if (front_) front.take_names(*front_);
    core::Node* node = nullptr;
    for (TopLevel& item : front.translate(*datum)) node = item.node ? item.node : node;
    if (node && !sink.has_errors()) proto = compile_top_level(node, nodes, *program_, *this, sink);
  });
  if (stopped) return cx.fail(stopped->code, stopped->message, -1, stopped->hint);
  if (!proto) {
    for (const Diagnostic& d : sink.list())
      if (d.severity == Severity::Error) return cx.fail(d.code, "eval: " + d.message, 0, d.hint);
    return cx.fail(Code::F002, "eval: nothing to evaluate", 0);
  }
  auto* c = program_->constants().make<Closure>(Tag::Closure, bytes_with<Closure>(1));
  c->function = proto;
  c->captured[0] = Value::nil();
  // Library functions that came in just now are constants: the image may share them. Machines hold
  // the place of its globals, which therefore must not move.
  if (image) {
    if (program_->values.size() > image->globals.capacity())
      return cx.fail(Code::L001, "eval: too many new names in one run", 0);
    for (std::size_t i = image->globals.size(); i < program_->values.size(); ++i)
      image->globals.push_back(program_->values[i]);
  }
  return Value::object(c);
}

}  // namespace chancel
