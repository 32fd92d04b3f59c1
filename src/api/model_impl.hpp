// SPDX-License-Identifier: Apache-2.0
// The state behind Model, shared with Inference.
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

std::size_t memory_limit(const Limits& limits);
std::optional<Dialect> dialect_of(const std::string& name);
void apply_limits(Session& session, const Limits& limits);
// Where the program's printing goes, with its limit (see library/host.hpp).
void direct_output(const CompileOptions& options, Session* session);
QueryInfo to_query_info(const QuerySignature& q, Session& session);

}  // namespace chancel
