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
  const QuerySignature& find_query(std::string_view name) const;
};

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
