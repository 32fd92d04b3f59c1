// SPDX-License-Identifier: Apache-2.0
// What belongs to one run of a program, and is shared by all its machines: the limits and the
// user's stop button, where printed text goes, how files and program text are read. The public API
// makes one for each compilation, script or inference; natives find it in their context, so runs in
// one process do not meet.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "value/native.hpp"
#include "vm/program_files.hpp"
#include "vm/run_limits.hpp"
#include "vm/stop.hpp"

namespace chancel {

// What natives may ask of the outside world. A function that is not set is a thing that this run
// cannot do. `write` may be called from several threads at once (println inside a query) and must
// be safe for that.
struct Host {
  // False when the text goes over the output limit. Empty text: send on what was held back.
  std::function<bool(std::string_view text)> write;
  std::shared_ptr<ProgramFiles> files;
  // First form of the text as a value; fails in cx. (The vm does not depend on the reader.)
  std::function<Value(NativeContext& cx, std::string_view text)> read_form;
};

class HostServices;  // vm/host_services.hpp

// Copies share their limits and their host: a run within a run (doquery) stops with it.
struct Run final : RunWatch {
  std::shared_ptr<RunLimits> limits = std::make_shared<RunLimits>();
  std::shared_ptr<const Host> host = std::make_shared<const Host>();
  HostServices* services = nullptr;  // eval, nested inference, streams; null: none of them
  bool at_top_level = false;         // the run of a script's forms, not of a query
  std::optional<Diagnostic> reason_to_stop() override {
    return stop_requested(*limits, at_top_level);
  }
};

}  // namespace chancel
