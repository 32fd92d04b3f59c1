// SPDX-License-Identifier: Apache-2.0
// Model and check of the public interface.
#include <fmt/format.h>

#include <algorithm>

#include "api/model_impl.hpp"
#include "base/read_file.hpp"
#include "native/compilation.hpp"
#include "runs/run_setup.hpp"
#include "runs/start.hpp"
#include "session/messages.hpp"

namespace chancel {

std::string native_compiler() { return native::system_compiler(); }

Model::Model(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Model::Model(Model&&) noexcept = default;
Model& Model::operator=(Model&&) noexcept = default;
Model::~Model() = default;

Model Model::compile(std::string text, CompileOptions options) {
  return Model(std::unique_ptr<Impl>(new Impl{load_program(std::move(text), std::move(options))}));
}

Inference Model::infer(std::string_view query, InferOptions options) {
  return InferenceAccess::start(*impl_, query, std::move(options));
}

namespace {
std::string read_file(const std::string& path) {
  std::string text, why;
  if (!read_whole_file(path, &text, &why, {}))
    throw_error(Code::U002, fmt::format("cannot read {}: {}", path, why),
                "check the path and its permissions", ExitCode::NoInput);
  return text;
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

namespace {
// What the macros of a check may use: enough for any that builds code from its arguments.
constexpr std::int64_t kCheckRounds = 60;  // of 16384 calls each
constexpr double kCheckSeconds = 10;       // without --timeout: natives count no calls
constexpr std::size_t kCheckMemory = std::size_t{512} << 20;
}  // namespace

CheckResult check(std::string text, CompileOptions options) {
  Limits& limits = options.limits;
  limits.max_memory = std::min(memory_limit(limits), kCheckMemory);
  if (limits.timeout <= 0) limits.timeout = kCheckSeconds;
  // Macros may not read data, but what the program is made of is read.
  const std::unique_ptr<Session> owned = make_session(options, 0);
  Session& session = *owned;
  forbid_files(session);
  session.run().limits->rounds_left = kCheckRounds;
  LoadResult loaded;
  CheckResult result;
  const std::optional<Dialect> dialect = dialect_of(options.dialect);
  result.ok = memory_checked([&] {
    return session.load(std::move(text), options.name, dialect, LoadMode::Check, &loaded);
  });
  result.dialect = dialect_name(loaded.dialect);
  result.messages = to_messages(session.diagnostics(), session.program()->sources, options.colour);
  for (const QuerySignature& q : loaded.queries)
    result.queries.push_back(to_query_info(q, session));
  return result;
}

}  // namespace chancel
