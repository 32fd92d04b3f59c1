// SPDX-License-Identifier: Apache-2.0
// Script: `chancel run` and the REPL over one session.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "core/children.hpp"
#include "reader/reader.hpp"
#include "runs/program.hpp"
#include "runs/start.hpp"
#include "session/host_values.hpp"
#include "session/messages.hpp"
#include "session/value_view.hpp"

namespace chancel {

namespace {
constexpr std::size_t kMostOutput = std::size_t{256} << 10;  // of a form, that is kept

// What the form that is being evaluated has printed. Called by one thread at a time.
struct PrintedText {
  std::string text;
  std::size_t left_out = 0;
  void add(std::string_view more) {
    const std::size_t room = kMostOutput - std::min(kMostOutput, text.size());
    text += more.substr(0, room);
    left_out += more.size() - std::min(room, more.size());
  }
  std::string take() {
    std::string out = std::move(text);
    if (left_out > 0) out += fmt::format("\n… {} more bytes\n", left_out);
    *this = {};
    return out;
  }
};

// An observe that the top level itself makes: not one of a function or query.
const core::Node* observe_outside_functions(core::Node* root) {
  std::vector<core::Node*> open = {root};
  while (!open.empty()) {
    core::Node* node = open.back();
    open.pop_back();
    if (node->kind == core::Kind::Observe) return node;
    if (node->kind == core::Kind::Lambda) continue;
    core::each_child(node, [&](core::Node*& child) { open.push_back(child); });
  }
  return nullptr;
}
}  // namespace

// `loaded` has the queries, and the core of all definitions, as they are now.
struct Script::Impl : LoadedProgram {
  std::shared_ptr<PrintedText> capture = std::make_shared<PrintedText>();

  void begin() {
    session->diagnostics().clear();
    if (!options.interactive) return;
    apply_limits(session->run(), options.limits, options.interrupt);
    session->run().limits->ends_streams_first = true;
  }
  // What a text has defined replaces what was there under the same names.
  void take(LoadResult&& more) {
    loaded.dialect = more.dialect;
    const auto name_of = [](const core::Node* n) {
      return n->kind == core::Kind::Def ? static_cast<const core::Def*>(n)->name : nullptr;
    };
    for (core::Node* node : more.core) {
      const Name* name = name_of(node);
      if (name == nullptr) continue;
      std::erase_if(loaded.core, [&](const core::Node* old) { return name_of(old) == name; });
      std::erase_if(loaded.queries, [&](const QuerySignature& q) { return q.name == name; });
      loaded.core.push_back(node);
    }
    for (QuerySignature& q : more.queries) {
      std::erase_if(loaded.queries, [&](const QuerySignature& old) { return old.name == q.name; });
      loaded.queries.push_back(std::move(q));
    }
  }
  // *1 is the value, *2 what *1 was, *3 what *2 was.
  void remember(const Value& value) {
    if (!options.interactive) return;
    const auto now = [&](const char* name) {
      return session->globals().value(intern(name)).value_or(Value::nil());
    };
    const Value first = now("*1"), second = now("*2");
    session->globals().set(intern("*3"), second);
    session->globals().set(intern("*2"), first);
    session->globals().set(intern("*1"), value);
  }
  std::vector<Message> warnings() {
    std::vector<Message> out;
    for (const Diagnostic& note : session->services().take_notes())
      out.push_back(to_message(note, session->program()->sources, options.colour));
    return out;
  }
  // At a prompt: the form that was evaluated observes.
  void note_observe(const LoadResult& now) {
    if (!options.interactive || now.core.empty()) return;
    const core::Node* found = observe_outside_functions(now.core.back());
    if (found == nullptr) return;
    session->services().note(
        {Code::F013,
         Severity::Warning,
         found->span,
         "observe has no effect outside a query: its value is the log-probability, and that is all",
         "put it into a query, (defquery name [] ... (observe ...) ...), and infer that: :infer "
         "name",
         {}});
  }
  void remember_error() {
    if (!options.interactive) return;
    for (const Diagnostic& d : session->diagnostics().list()) {
      if (d.severity != Severity::Error) continue;
      session->globals().set(intern("*e"), exception_of(*session, d));
      return;
    }
  }
};

Script::Script(CompileOptions options, std::uint64_t seed) : impl_(std::make_unique<Impl>()) {
  options.output = [capture = impl_->capture,
                    output = std::move(options.output)](std::string_view text) {
    capture->add(text);
    if (output) output(text);
  };
  impl_->session = make_session(options, seed);
  impl_->session->threads = std::max(1u, std::thread::hardware_concurrency());
  impl_->options = std::move(options);
  if (impl_->options.interactive)
    for (const char* name : {"*1", "*2", "*3", "*e"})
      impl_->session->globals().set(intern(name), Value::nil());
}
Script::Script(Script&&) noexcept = default;
Script& Script::operator=(Script&&) noexcept = default;
Script::~Script() = default;

void Script::evaluate(std::string text, const std::string& name,
                      const std::function<void(const Result&)>& each) {
  Session& session = *impl_->session;
  impl_->begin();
  LoadEvents events;
  events.evaluated = [&](const LoadEvents::Evaluated& e) {
    std::optional<std::string> printed = print_value(session, e.value);
    if (!printed) return false;
    if (!each) return true;
    Result r;
    r.text = std::move(*printed);
    r.is_definition = e.is_definition;
    if (e.span.known()) r.line = session.program()->sources.position(e.span.file, e.span.end).line;
    r.warnings = impl_->warnings();
    each(r);
    return true;
  };
  LoadResult loaded;
  const std::optional<Dialect> dialect = dialect_of(impl_->options.dialect);
  if (!memory_checked([&] {
        return session.load(std::move(text), name, dialect, LoadMode::Script, &loaded, events);
      })) {
    impl_->take(std::move(loaded));
    throw_errors(session.diagnostics(), session.program()->sources, impl_->options.colour);
  }
  impl_->take(std::move(loaded));
}

void Script::evaluate_forms(std::string text, const std::string& name,
                            const std::function<bool(const Form&)>& each,
                            const std::string& dialect_name) {
  using Clock = std::chrono::steady_clock;
  Session& session = *impl_->session;
  impl_->begin();
  impl_->capture->take();
  Span open;  // of the form that has begun and has not been reported
  Clock::time_point begun = Clock::now();
  const auto tell = [&](const LoadEvents::Evaluated& e, bool has_more) {
    const SourceMap& sources = session.program()->sources;
    Form form;
    if (e.span.known()) {
      const Position at = sources.position(e.span.file, e.span.begin);
      form.source = sources.text(e.span);
      form.begin = e.span.begin;
      form.end = e.span.end;
      form.line = at.line;
      form.column = at.column;
    }
    form.value = Access::view(e.value);
    form.has_more = has_more;
    form.is_definition = e.is_definition;
    form.output = impl_->capture->take();
    form.seconds = std::chrono::duration<double>(Clock::now() - begun).count();
    const Services::Activity& activity = session.services().activity();
    if (activity.interrupted) form.interrupted_after = activity.draws;
    for (const Diagnostic& d : session.diagnostics().list())
      if (d.severity == Severity::Error && !form.failed()) {
        form.exit_code = exit_code_of(d.code);
        form.errors = to_messages(session.diagnostics(), sources, impl_->options.colour);
      }
    form.warnings = impl_->warnings();
    open = {};
    begun = Clock::now();
    return each(form);
  };
  // A form that gives no value (ns, comment) counts as a definition.
  const auto close = [&] {
    if (open.known()) tell({Value::nil(), open, true}, false);
  };
  bool told = false;  // about what the diagnostics hold
  const auto failed = [&] {
    impl_->remember_error();
    const bool go_on = tell({Value::nil(), open, false}, false);
    told = true;
    if (!go_on || stop_requested(&session.run())) return false;
    session.diagnostics().clear();
    told = false;
    return true;
  };
  LoadResult loaded;
  LoadEvents events;
  events.begins = [&](Span span) {
    close();
    open = span;
    begun = Clock::now();
    session.services().form_begins();
  };
  events.evaluated = [&](const LoadEvents::Evaluated& e) {
    bool has_more = false;
    if (!realise_for_show(session, e.value, &has_more)) return false;
    if (!e.is_definition) impl_->remember(e.value);
    impl_->note_observe(loaded);
    tell({e.value, open.known() ? open : e.span, e.is_definition}, has_more);
    return true;
  };
  events.failed = failed;
  const std::optional<Dialect> dialect =
      dialect_of(dialect_name.empty() ? impl_->options.dialect : dialect_name);
  const bool ok = memory_checked([&] {
    return session.load(std::move(text), name, dialect, LoadMode::Script, &loaded, events);
  });
  impl_->take(std::move(loaded));
  if (ok) {
    close();
  } else if (!told && session.diagnostics().has_errors()) {
    failed();
  }
}

TestCounts Script::run_tests() {
  TestRecord& tests = impl_->session->tests();
  if (!tests.were_run) evaluate("(clojure.test/run-tests)", "<tests>");
  return tests.counts;
}

std::vector<std::string> Script::completions(std::string_view prefix) const {
  std::vector<std::string> out;
  for (std::string& name : impl_->session->names().all())
    if (name.starts_with(prefix)) out.push_back(std::move(name));
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

namespace {
// (defn name "doc" [a b] ...), also with several ([a] ...): its signatures and doc string.
std::string described(const Datum& form) {
  std::string signatures, doc;
  if (form.is_list_headed("def")) return {};
  for (std::size_t i = 2; i < form.items.size(); ++i) {
    const Datum& item = form.items[i];
    if (item.is(DatumKind::String) && i == 2 && form.items.size() > 3) doc = item.text;
    const Datum* parameters =
        item.is(DatumKind::Vector) ? &item
        : item.is(DatumKind::List) && !item.items.empty() && item.items[0].is(DatumKind::Vector)
            ? &item.items[0]
            : nullptr;
    if (parameters != nullptr) signatures += (signatures.empty() ? "" : " ") + to_text(*parameters);
    if (item.is(DatumKind::Vector)) break;
  }
  return signatures + (doc.empty() ? "" : "\n  " + doc);
}
}  // namespace

std::string Script::documentation(std::string_view name) const {
  if (const std::string text = definition(name); !text.empty()) {
    SourceMap sources;
    DiagnosticSink sink;
    const std::vector<Datum> forms = read_all(sources, sources.add("<text>", text), sink);
    const std::string known = forms.empty() ? "" : described(forms[0]);
    if (known.empty()) return std::string(name) + "\n  A definition of the program.";
    return std::string(name) + (known[0] == '\n' ? "" : " ") + known;
  }
  for (const FunctionInfo& f : library())
    if (f.name == name) return f.name + " " + f.signature + "\n  " + f.doc;
  return {};
}

std::string Script::definition(std::string_view name) const {
  const Name* wanted = intern(name);
  const SourceMap& sources = impl_->session->program()->sources;
  for (const core::Node* node : impl_->loaded.core)
    if (node->kind == core::Kind::Def && static_cast<const core::Def*>(node)->name == wanted &&
        node->span.known())
      return std::string(sources.text(node->span));
  return {};
}

Inference Script::infer(std::string_view query, InferOptions options) {
  return InferenceAccess::start(*impl_, query, std::move(options));
}

std::vector<QueryInfo> Script::queries() const {
  std::vector<QueryInfo> out;
  for (const QuerySignature& q : impl_->loaded.queries)
    out.push_back(to_query_info(q, *impl_->session));
  return out;
}

void Script::keep(const Draw& draw) {
  memory_checked([&] {
    impl_->session->kept_draws().keep(draw);
    return true;
  });
}
void Script::define_kept(std::string_view name) {
  memory_checked([&] {
    impl_->session->globals().set(intern(name), impl_->session->kept_draws().take());
    return true;
  });
}

Script::Activity Script::activity() const {
  const Services::Activity& now = impl_->session->services().activity();
  const char* engine = now.engine.load(std::memory_order_relaxed);
  return {now.draws.load(std::memory_order_relaxed), engine != nullptr ? engine : ""};
}

bool Script::is_complete(std::string_view text) { return chancel::is_complete(text); }

}  // namespace chancel
