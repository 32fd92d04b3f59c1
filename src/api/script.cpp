// SPDX-License-Identifier: Apache-2.0
// Script: `chancel run` and the REPL over one session.
#include <algorithm>
#include <thread>

#include "api/model_impl.hpp"
#include "reader/reader.hpp"

namespace chancel {

struct Script::Impl {
  CompileOptions options;
  std::unique_ptr<Session> session;
};

Script::Script(CompileOptions options, std::uint64_t seed) : impl_(std::make_unique<Impl>()) {
  impl_->session = make_session(options, seed);
  impl_->session->threads = std::max(1u, std::thread::hardware_concurrency());
  impl_->options = std::move(options);
}
Script::Script(Script&&) noexcept = default;
Script& Script::operator=(Script&&) noexcept = default;
Script::~Script() = default;

void Script::evaluate(std::string text, const std::string& name,
                      const std::function<void(const Result&)>& each,
                      const std::function<void(const Error&)>& on_error) {
  Session& session = *impl_->session;
  session.diagnostics().clear();
  const auto fail = [&] {
    throw_errors(session.diagnostics(), session.program()->sources, impl_->options.colour);
  };
  // Forms come in the order of the text, so that their lines are counted once.
  std::uint32_t counted_to = 0;
  std::size_t line = 1;
  Session::LoadEvents events;
  events.evaluated = [&](const Session::Evaluated& e) {
    std::optional<std::string> printed = session.print_value(e.value);
    if (!printed) return false;
    if (!each) return true;
    Result r;
    r.text = std::move(*printed);
    r.is_definition = e.is_definition;
    if (e.span.known() && e.span.end >= counted_to) {
      const std::string_view text = session.program()->sources.text(e.span.file);
      line += static_cast<std::size_t>(
          std::count(text.begin() + counted_to, text.begin() + e.span.end, '\n'));
      counted_to = e.span.end;
    }
    if (e.span.known()) r.line = line;
    each(r);
    return true;
  };
  if (on_error)
    events.failed = [&] {
      if (stop_requested(&session.run())) return false;
      try {
        fail();
      } catch (const Error& error) {
        on_error(error);
      }
      session.diagnostics().clear();
      return true;
    };
  LoadResult loaded;
  std::optional<Dialect> dialect = dialect_of(impl_->options.dialect);
  if (!memory_checked([&] {
        return session.load(std::move(text), name, dialect, Session::Mode::Script, &loaded, events);
      }))
    fail();
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
