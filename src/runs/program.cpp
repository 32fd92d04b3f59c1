// SPDX-License-Identifier: Apache-2.0
// See program.hpp.
#include "runs/program.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <mutex>

#include "base/memory_pressure.hpp"
#include "project/program_files.hpp"
#include "runs/doqueries.hpp"
#include "runs/run_setup.hpp"
#include "session/messages.hpp"

namespace chancel {

const char* version() { return CHANCEL_VERSION; }

std::size_t memory_limit(const Limits& limits) {
  if (limits.max_memory) return limits.max_memory;
  const auto pages = static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES));
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGE_SIZE));
  return pages * page / 4 * 3 / 5 * 4;  // leaves room for the quarter that a collection may go over
}

std::optional<Dialect> dialect_of(const std::string& name) {
  if (name.empty()) return std::nullopt;
  for (const Dialect d : {Dialect::Clojure, Dialect::Venture, Dialect::Textbook})
    if (name == dialect_name(d)) return d;
  throw_error(Code::U001, fmt::format("unknown dialect {}", name),
              "the dialects are clojure, venture and textbook", ExitCode::Usage);
}

struct InterruptAccess {
  static const std::shared_ptr<std::atomic<bool>>& flag(const Interrupt& i) { return i.flag_; }
};

void apply_limits(Run& run, const Limits& limits, const Interrupt& interrupt) {
  forget_out_of_memory();  // of an earlier run
  auto fresh = std::make_shared<RunLimits>();
  fresh->interrupted = InterruptAccess::flag(interrupt);
  fresh->max_depth = limits.max_depth ? limits.max_depth : run.limits->max_depth;
  if (limits.timeout > 0) {
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    fresh->deadline_ns = std::chrono::duration_cast<std::chrono::nanoseconds>(now).count() +
                         static_cast<std::int64_t>(limits.timeout * 1e9);
  }
  run.limits = std::move(fresh);
}

namespace {

// What the program prints goes here, and counts for the model as a whole.
class Printer {
 public:
  Printer(std::function<void(std::string_view)> output, std::uint64_t most)
      : output_(std::move(output)), most_(most) {}
  bool write(std::string_view text) {
    const std::lock_guard lock(mutex_);
    if (most_ && written_ + text.size() > most_) return false;
    written_ += text.size();
    if (output_) output_(text);
    return true;
  }

 private:
  std::function<void(std::string_view)> output_;
  std::uint64_t most_;
  std::uint64_t written_ = 0;
  std::mutex mutex_;
};

Value read_form(Session& session, NativeContext& cx, std::string_view text) {
  SourceMap sources;
  DiagnosticSink sink;
  std::vector<Value> values;
  FrontBudget data(cx.arena->heap(), session.program()->constants().heap(), *cx.run);
  const std::uint32_t file = sources.add("<text>", std::string(text));
  const auto stopped =
      within_memory([&] { values = read_values(sources, file, *cx.arena, sink, &data); });
  if (stopped) return cx.fail(stopped->code, stopped->message, -1, stopped->hint);
  if (sink.has_errors())
    return cx.fail(sink.list().front().code, "read-string: " + sink.list().front().message, 0);
  if (values.empty()) return cx.fail(Code::R009, "read-string: nothing to read", 0);
  return values[0];
}

}  // namespace

std::unique_ptr<Session> make_session(const CompileOptions& options, std::uint64_t seed) {
  auto made = std::make_unique<Session>(memory_limit(options.limits), seed, make_doqueries);
  Session* const session = made.get();
  apply_limits(session->run(), options.limits, options.interrupt);
  const Tier tier = options.tier == Tier::Auto ? Tier::CHANCEL_TIER : options.tier;
  use_native_code(*session, tier == Tier::Vm        ? NativeUse::Never
                            : tier == Tier::Native  ? NativeUse::Always
                            : tier == Tier::Segment ? NativeUse::Evaluated
                                                    : NativeUse::WhereHot);
  auto printer = std::make_shared<Printer>(options.output, options.limits.max_output);
  SourceFiles sources;
  if (options.files)
    sources = options.folder.empty() ? SourceFiles(options.name) : SourceFiles::at(options.folder);
  session->run().host = std::make_shared<const Host>(
      Host{[printer](std::string_view text) { return printer->write(text); },
           files_of(sources, options.limits.max_output),
           [session](NativeContext& cx, std::string_view text) {
             return read_form(*session, cx, text);
           }});
  session->loader().sources = std::move(sources);
  session->extend(options.functions, options.distributions);
  return made;
}

void forbid_files(Session& session) {
  Host host = *session.run().host;
  host.files = nullptr;
  session.run().host = std::make_shared<const Host>(std::move(host));
}

LoadedProgram load_program(std::string text, CompileOptions options,
                           const std::function<void(Session&)>& prepare) {
  LoadedProgram program;
  program.session = make_session(options, 0);
  if (prepare) prepare(*program.session);
  program.source = text;
  const std::optional<Dialect> dialect = dialect_of(options.dialect);
  if (!memory_checked([&] {
        return program.session->load(std::move(text), options.name, dialect, LoadMode::Definitions,
                                     &program.loaded);
      }))
    throw_errors(program.session->diagnostics(), program.session->program()->sources,
                 options.colour);
  program.session->run().limits->deadline_ns = 0;  // runs have clocks of their own
  program.options = std::move(options);
  return program;
}

QueryInfo to_query_info(const QuerySignature& q, Session& session) {
  QueryInfo info;
  info.name = q.name->full;
  for (const QueryParameter& p : q.parameters)
    info.parameters.push_back(p.rest ? "& " + p.name : p.name);
  info.takes_whole_value = q.whole_value;
  if (q.span.known())
    info.line = session.program()->sources.position(q.span.file, q.span.begin).line;
  info.doc = q.doc;
  info.has_default_value = session.names().known(intern(q.name->full + "-value"));
  return info;
}

const QuerySignature& find_query(const LoadResult& loaded, std::string_view name) {
  std::vector<std::string> names;
  for (auto q = loaded.queries.rbegin(); q != loaded.queries.rend(); ++q) {  // the newest counts
    if (q->name->full == name) return *q;
    names.push_back(q->name->full);
  }
  std::reverse(names.begin(), names.end());
  std::string list;
  for (const std::string& n : names) list += (list.empty() ? "" : ", ") + n;
  const std::string guess = did_you_mean(name, names);
  throw_error(Code::F011, fmt::format("there is no query named {}", name),
              list.empty()    ? "the file defines no query"
              : guess.empty() ? "the queries are " + list
                              : fmt::format("did you mean {}? the queries are {}", guess, list),
              ExitCode::Usage);
}

// --- interrupts ---

Interrupt::Interrupt() : flag_(std::make_shared<std::atomic<bool>>(false)) {}
void Interrupt::request() const noexcept { flag_->store(true, std::memory_order_relaxed); }
void Interrupt::clear() const noexcept { flag_->store(false, std::memory_order_relaxed); }
bool Interrupt::requested() const noexcept { return flag_->load(std::memory_order_relaxed); }

}  // namespace chancel
