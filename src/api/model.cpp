// SPDX-License-Identifier: Apache-2.0
// Model, check and the library lists of the public interface.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <mutex>
#include <sstream>

#include "api/model_impl.hpp"
#include "core/core.hpp"
#include "engines/registry.hpp"
#include "front/form_docs.hpp"
#include "infer/engine.hpp"
#include "library/host.hpp"
#include "library/registry.hpp"
#include "native/describe.hpp"
#include "native/library.hpp"
#include "value/print.hpp"

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

bool refuse_file(std::string_view, std::string*, std::string* error) {
  *error = "files are out of reach here (check, --no-files)";
  return false;
}

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
  auto made = std::make_unique<Session>(memory_limit(options.limits), seed);
  Session* const session = made.get();
  apply_limits(session->run(), options.limits, options.interrupt);
  const Tier tier = options.tier == Tier::Auto ? Tier::CHANCEL_TIER : options.tier;
  session->use_native_code(tier == Tier::Vm       ? NativeUse::Never
                           : tier == Tier::Native ? NativeUse::Always
                                                  : NativeUse::WhereHot);
  auto printer = std::make_shared<Printer>(options.output, options.limits.max_output);
  session->run().host = std::make_shared<const Host>(
      Host{[printer](std::string_view text) { return printer->write(text); },
           options.files ? read_file_from_disk : refuse_file,
           [session](NativeContext& cx, std::string_view text) {
             return read_form(*session, cx, text);
           }});
  if (options.files)
    session->sources =
        options.folder.empty() ? SourceFolder(options.name) : SourceFolder::at(options.folder);
  session->extend(options.functions, options.distributions);
  return made;
}

namespace {
void forbid_files(Session& session) {
  Host host = *session.run().host;
  host.read_file = refuse_file;
  session.run().host = std::make_shared<const Host>(std::move(host));
}
}  // namespace

std::string native_compiler() { return native::system_compiler(); }

QueryInfo to_query_info(const QuerySignature& q, Session& session) {
  QueryInfo info;
  info.name = q.name->full;
  for (const QueryParameter& p : q.parameters)
    info.parameters.push_back(p.rest ? "& " + p.name : p.name);
  info.takes_whole_value = q.whole_value;
  if (q.span.known())
    info.line = session.program()->sources.position(q.span.file, q.span.begin).line;
  info.doc = q.doc;
  info.has_default_value = session.known(intern(q.name->full + "-value"));
  return info;
}

Model::Model(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Model::Model(Model&&) noexcept = default;
Model& Model::operator=(Model&&) noexcept = default;
Model::~Model() = default;

Model Model::compile(std::string text, CompileOptions options) {
  return ModelAccess::compile(std::move(text), std::move(options), {});
}

Model ModelAccess::compile(std::string text, CompileOptions options,
                           const std::function<void(Session&)>& prepare) {
  auto impl = std::make_unique<Model::Impl>();
  impl->session = make_session(options, 0);
  if (prepare) prepare(*impl->session);
  impl->source = text;
  const std::optional<Dialect> dialect = dialect_of(options.dialect);
  if (!memory_checked([&] {
        return impl->session->load(std::move(text), options.name, dialect,
                                   Session::Mode::Definitions, &impl->loaded);
      }))
    throw_errors(impl->session->diagnostics(), impl->session->program()->sources, options.colour);
  impl->session->run().limits->deadline_ns = 0;  // runs have clocks of their own
  impl->options = std::move(options);
  return Model(std::move(impl));
}

namespace {
std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  if (in) text << in.rdbuf();
  if (!in || in.bad())
    throw_error(Code::U002, fmt::format("cannot read {}", path),
                "check the path and its permissions", ExitCode::NoInput);
  return text.str();
}
}  // namespace

Model Model::compile_file(const std::string& path, CompileOptions options) {
  options.name = path;
  return compile(read_file(path), std::move(options));
}

std::string Model::dialect() const { return dialect_name(impl_->loaded.dialect); }
const std::string& Model::source() const { return impl_->source; }

std::vector<QueryInfo> Model::queries() const {
  std::vector<QueryInfo> out;
  for (const QuerySignature& q : impl_->loaded.queries)
    out.push_back(to_query_info(q, *impl_->session));
  return out;
}

std::vector<Message> Model::warnings() const {
  return to_messages(impl_->session->diagnostics(), impl_->session->program()->sources,
                     impl_->options.colour);
}

std::string Model::default_query() const {
  const auto& queries = impl_->loaded.queries;
  if (queries.empty())
    throw_error(Code::F011, fmt::format("{} defines no query", impl_->options.name),
                "write (defquery name [parameters] body ...)", ExitCode::BadInput);
  if (queries.size() == 1) return queries[0].name->full;
  const std::size_t slash = impl_->options.name.find_last_of('/');
  std::string stem =
      slash == std::string::npos ? impl_->options.name : impl_->options.name.substr(slash + 1);
  stem = stem.substr(0, stem.find('.'));
  std::string names;
  for (const QuerySignature& q : queries) {
    if (q.name->full == stem) return stem;
    names += (names.empty() ? "" : ", ") + q.name->full;
  }
  throw_error(Code::F011, fmt::format("{} defines several queries: say which", impl_->options.name),
              "the queries are " + names, ExitCode::Usage);
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

std::string Model::dump(std::string_view stage) const {
  std::string out;
  if (stage == "read") {
    SourceMap sources;
    DiagnosticSink sink;
    for (const Datum& d : read_all(sources, sources.add("", impl_->source), sink))
      out += to_text(d) + "\n";
  } else if (stage == "core") {
    for (const core::Node* n : impl_->loaded.core) out += core::print(n) + "\n";
  } else if (stage == "code") {
    for (const FunctionProto* f : impl_->loaded.code) out += disassemble(*f);
  } else if (stage == "hoist") {
    for (const QuerySignature& q : impl_->loaded.queries)
      if (const core::Lambda* query = impl_->session->hoisted_core(q.name))
        out += core::print(query) + "\n";
  } else if (stage == "segments" || stage == "machine") {
    for (const QuerySignature& q : impl_->loaded.queries) {
      const auto argument = impl_->session->global_value(intern(q.name->full + "-value"));
      if (const auto setup = impl_->session->setup_run(q, argument, StreamName{}))
        out += fmt::format("query {}\n{}", q.name->full,
                           native::describe_segments(*setup, stage == "machine"));
    }
  } else {
    throw_error(Code::U001, fmt::format("there is no stage {}", stage),
                "the stages are read, core, code, hoist, segments and machine", ExitCode::Usage);
  }
  return out;
}

namespace {
// What the macros of a check may use: enough for any that builds code from its arguments.
constexpr std::int64_t kCheckRounds = 60;  // of 16384 calls each
constexpr double kCheckSeconds = 0.8;      // natives count no calls
constexpr std::size_t kCheckMemory = std::size_t{512} << 20;
}  // namespace

CheckResult check(std::string text, CompileOptions options) {
  Limits& limits = options.limits;
  limits.max_memory = std::min(memory_limit(limits), kCheckMemory);
  limits.timeout = limits.timeout > 0 ? std::min(limits.timeout, kCheckSeconds) : kCheckSeconds;
  // Macros may not read data, but what the program is made of is read.
  const std::unique_ptr<Session> owned = make_session(options, 0);
  Session& session = *owned;
  forbid_files(session);
  session.run().limits->rounds_left = kCheckRounds;
  LoadResult loaded;
  CheckResult result;
  const std::optional<Dialect> dialect = dialect_of(options.dialect);
  result.ok = memory_checked([&] {
    return session.load(std::move(text), options.name, dialect, Session::Mode::Check, &loaded);
  });
  result.dialect = dialect_name(loaded.dialect);
  result.messages = to_messages(session.diagnostics(), session.program()->sources, options.colour);
  for (const QuerySignature& q : loaded.queries)
    result.queries.push_back(to_query_info(q, session));
  return result;
}

std::vector<EngineInfo> engines() {
  std::vector<EngineInfo> out;
  for (const EngineDef& e : all_engines()) {
    EngineInfo info{e.name, e.summary, e.adapts && !e.adapts_with, {}};
    for (const OptionDef& o : e.options)
      info.options.push_back({o.name, o.type_name(), o.values_text(), o.default_text(), o.doc});
    out.push_back(std::move(info));
  }
  return out;
}

namespace {
struct PreludeDoc {
  std::string text, signature;
};
// Of (defn name "doc" [params] ...) or (defn name "doc" ([params] ...) ([params] ...)), (def name
// "doc" value).
PreludeDoc prelude_doc(std::string_view text) {
  SourceMap sources;
  DiagnosticSink sink;
  const std::uint32_t file = sources.add("<library>", std::string(text));
  const std::vector<Datum> forms = read_all(sources, file, sink);
  PreludeDoc out;
  if (forms.empty()) return out;
  const std::vector<Datum>& items = forms[0].items;
  std::size_t at = 2;
  if (at + 1 < items.size() && items[at].is(DatumKind::String)) out.text = items[at++].text;
  if (forms[0].is_list_headed("def")) return out;
  const auto add = [&](const Datum& parameters) {
    out.signature += (out.signature.empty() ? "" : " ") + to_text(parameters);
  };
  if (at < items.size() && items[at].is(DatumKind::Vector)) {
    add(items[at]);
    return out;
  }
  for (; at < items.size(); ++at)
    if (items[at].is(DatumKind::List) && !items[at].items.empty()) add(items[at].items[0]);
  return out;
}
}  // namespace

std::vector<FunctionInfo> library() {
  const LibraryIndex index;
  std::vector<FunctionInfo> out;
  for (const NativeDef* def : index.natives()) {
    if (def->name[0] == '%') continue;
    out.push_back({def->name, def->signature, def->doc, def->dist ? "distribution" : "function"});
  }
  for (const auto& [name, text] : index.prelude_definitions()) {
    if (name->full[0] == '%') continue;
    const bool value = text.starts_with("(def ");
    FunctionInfo info{name->full, "", "", value ? "constant" : "function"};
    const PreludeDoc doc = prelude_doc(text);
    info.doc = doc.text;
    info.signature = doc.signature;
    out.push_back(std::move(info));
  }
  for (const ConstantDef& c : constants()) out.push_back({c.name, "", c.doc, "constant"});
  for (const front::FormDoc& f : front::form_docs())
    out.push_back({f.name, f.shape, f.doc, "form"});
  std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return out;
}

// --- interrupts ---

Interrupt::Interrupt() : flag_(std::make_shared<std::atomic<bool>>(false)) {}
void Interrupt::request() const noexcept { flag_->store(true, std::memory_order_relaxed); }
void Interrupt::clear() const noexcept { flag_->store(false, std::memory_order_relaxed); }
bool Interrupt::requested() const noexcept { return flag_->load(std::memory_order_relaxed); }

}  // namespace chancel
