// SPDX-License-Identifier: Apache-2.0
// Script: `chancel run` and the REPL over one session.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "api/model_impl.hpp"
#include "api/value_view.hpp"
#include "reader/reader.hpp"

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
}  // namespace

struct Script::Impl {
  CompileOptions options;
  std::shared_ptr<PrintedText> capture = std::make_shared<PrintedText>();
  std::unique_ptr<Session> session;
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
}
Script::Script(Script&&) noexcept = default;
Script& Script::operator=(Script&&) noexcept = default;
Script::~Script() = default;

void Script::evaluate(std::string text, const std::string& name,
                      const std::function<void(const Result&)>& each) {
  Session& session = *impl_->session;
  session.diagnostics().clear();
  Session::LoadEvents events;
  events.evaluated = [&](const Session::Evaluated& e) {
    std::optional<std::string> printed = session.print_value(e.value);
    if (!printed) return false;
    if (!each) return true;
    Result r;
    r.text = std::move(*printed);
    r.is_definition = e.is_definition;
    if (e.span.known()) r.line = session.program()->sources.position(e.span.file, e.span.end).line;
    each(r);
    return true;
  };
  LoadResult loaded;
  const std::optional<Dialect> dialect = dialect_of(impl_->options.dialect);
  if (!memory_checked([&] {
        return session.load(std::move(text), name, dialect, Session::Mode::Script, &loaded, events);
      }))
    throw_errors(session.diagnostics(), session.program()->sources, impl_->options.colour);
}

void Script::evaluate_forms(std::string text, const std::string& name,
                            const std::function<bool(const Form&)>& each) {
  using Clock = std::chrono::steady_clock;
  Session& session = *impl_->session;
  session.diagnostics().clear();
  impl_->capture->take();
  Span open;  // of the form that has begun and has not been told about
  Clock::time_point begun = Clock::now();
  const auto tell = [&](const Session::Evaluated& e, bool has_more) {
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
    for (const Diagnostic& d : session.diagnostics().list())
      if (d.severity == Severity::Error && !form.failed()) {
        form.exit_code = exit_code_of(d.code);
        form.errors = to_messages(session.diagnostics(), sources, impl_->options.colour);
      }
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
    const bool go_on = tell({Value::nil(), open, false}, false);
    told = true;
    if (!go_on || stop_requested(&session.run())) return false;
    session.diagnostics().clear();
    told = false;
    return true;
  };
  Session::LoadEvents events;
  events.begins = [&](Span span) {
    close();
    open = span;
    begun = Clock::now();
  };
  events.evaluated = [&](const Session::Evaluated& e) {
    bool has_more = false;
    if (!session.realise_for_show(e.value, &has_more)) return false;
    tell({e.value, open.known() ? open : e.span, e.is_definition}, has_more);
    return true;
  };
  events.failed = failed;
  LoadResult loaded;
  const std::optional<Dialect> dialect = dialect_of(impl_->options.dialect);
  const bool ok = memory_checked([&] {
    return session.load(std::move(text), name, dialect, Session::Mode::Script, &loaded, events);
  });
  if (ok) {
    close();
  } else if (!told && session.diagnostics().has_errors()) {
    failed();
  }
}

std::vector<std::string> Script::completions(std::string_view prefix) const {
  std::vector<std::string> out;
  for (std::string& name : impl_->session->all())
    if (name.starts_with(prefix)) out.push_back(std::move(name));
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

std::string Script::documentation(std::string_view name) const {
  for (const FunctionInfo& f : library())
    if (f.name == name) return f.name + " " + f.signature + "\n  " + f.doc;
  return {};
}

bool Script::is_complete(std::string_view text) { return chancel::is_complete(text); }

}  // namespace chancel
