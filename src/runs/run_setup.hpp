// SPDX-License-Identifier: Apache-2.0
// What engines are given to run a query of a session's program: values in a heap of their own, the
// image of the globals, and how native code and delayed draws are made.
#pragma once
#include <optional>

#include "infer/engine.hpp"
#include "session/session.hpp"

namespace chancel {

// A query that waits to be run: values of the host's heap, and the program as it was.
struct QueryToRun {
  Value query, argument;
  World* world;  // what the top level remembered then, or null
  StreamName name;
  std::shared_ptr<Image> image;
};
// The observer sees the passes that prepare the query for this run.
RunSetup setup_run(Session& session, const QueryToRun& what, const PassObserver& observer = {});
// Of the named query, with the program as it is now. Nothing: see the session's diagnostics.
std::optional<RunSetup> setup_run(Session& session, const QuerySignature& query,
                                  const std::optional<Value>& argument, StreamName name,
                                  const PassObserver& observer = {});

// In runs, and in loops and functions of the top level.
void use_native_code(Session& session, NativeUse use);

}  // namespace chancel
