// SPDX-License-Identifier: Apache-2.0
// A program with the session that holds it, as models, scripts, checks and verification make them
// from the options of the public interface.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "chancel/chancel.hpp"
#include "session/session.hpp"

namespace chancel {

struct LoadedProgram {
  CompileOptions options;
  std::string source;
  std::unique_ptr<Session> session;
  LoadResult loaded;
};
// Loads the definitions of a text; `prepare` may change the session before. Throws Error.
LoadedProgram load_program(std::string text, CompileOptions options,
                           const std::function<void(Session&)>& prepare = {});

// A session under the limits of the options, with their output, interrupt and natives.
std::unique_ptr<Session> make_session(const CompileOptions& options, std::uint64_t seed);
// From now on its program reads no files.
void forbid_files(Session& session);
// New limits for the run, and its clock starts now. Runs that began before keep theirs.
void apply_limits(Run& run, const Limits& limits, const Interrupt& interrupt);
std::size_t memory_limit(const Limits& limits);
std::optional<Dialect> dialect_of(const std::string& name);

// Throws Error (F011) with the choices.
const QuerySignature& find_query(const LoadResult& loaded, std::string_view name);
QueryInfo to_query_info(const QuerySignature& q, Session& session);

}  // namespace chancel
