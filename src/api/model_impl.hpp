// SPDX-License-Identifier: Apache-2.0
// The state of a Model, shared with Inference.
#pragma once
#include "api/messages.hpp"
#include "api/session.hpp"
#include "chancel/chancel.hpp"

namespace chancel {

struct Model::Impl {
  CompileOptions options;
  std::string source;
  std::unique_ptr<Session> session;
  LoadResult loaded;
};

// A run of a query that has been loaded into the session.
struct InferenceAccess {
  static Inference start(Session& session, const LoadResult& loaded, const CompileOptions& compiled,
                         std::string_view query, InferOptions options);
};

// Throws Error (F011) with the choices.
const QuerySignature& find_query(const LoadResult& loaded, std::string_view name);

struct ModelAccess {
  // Model::compile, with something to do to the session before the text is loaded.
  static Model compile(std::string text, CompileOptions options,
                       const std::function<void(Session&)>& prepare);
  static Session& session_of(Model& model) { return *model.impl_->session; }
};

std::size_t memory_limit(const Limits& limits);
std::optional<Dialect> dialect_of(const std::string& name);
// New limits for the run, and its clock starts now. Runs that began before keep theirs.
void apply_limits(Run& run, const Limits& limits, const Interrupt& interrupt);
// A session under the limits of the options, with their output, interrupt and natives.
std::unique_ptr<Session> make_session(const CompileOptions& options, std::uint64_t seed);
QueryInfo to_query_info(const QuerySignature& q, Session& session);

}  // namespace chancel
