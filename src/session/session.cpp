// SPDX-License-Identifier: Apache-2.0
#include "session/session.hpp"

#include <fmt/format.h>

#include "session/messages.hpp"

namespace chancel {

Session::Session(std::size_t max_memory, std::uint64_t seed, MakeDoqueries make_doqueries)
    : evaluator_(max_memory, StreamName{mix64(seed)}, services_), services_(*this, make_doqueries) {
  evaluator_.machine.extra_roots = [this](Evacuator& e) {
    for (Value& v : evaluator_.program->values) e.visit(v);
    macros_.visit(e);
    kept_draws_.visit(e);
    if (services_.doqueries()) services_.doqueries()->visit(e);
  };
  if (services_.doqueries())
    for (const NativeDef& def : services_.doqueries()->natives()) library_.add(def);
}

Session::~Session() = default;

bool Session::load(std::string text, std::string name, std::optional<Dialect> dialect,
                   LoadMode mode, LoadResult* result, const LoadEvents& events) {
  return loader_.load(std::move(text), std::move(name), dialect, mode, result, events);
}

void Session::extend(const std::vector<NativeFunction>& functions,
                     const std::vector<NativeDistribution>& distributions) {
  const auto add = [&](std::unique_ptr<HostExtension> extension) {
    const Name* name = intern(extension->def().name);
    if (names_.known(name))
      throw_error(Code::U001, fmt::format("there is a function {} already", name->full),
                  "give the native another name", ExitCode::Usage);
    library_.add(extension->def());
    extensions_.push_back(std::move(extension));
  };
  for (const NativeFunction& function : functions) add(make_extension(function));
  for (const NativeDistribution& distribution : distributions) add(make_extension(distribution));
}

void Session::collect_if_needed() {
  // A collection finds the streams that the program no longer holds, with their engines.
  Doqueries* doqueries = services_.doqueries();
  Heap& heap = evaluator_.heap;
  Machine& machine = evaluator_.machine;
  if (!heap.wants_collection() && !(doqueries && doqueries->wants_collection())) return;
  if (doqueries) doqueries->collecting();
  heap.collect({&machine.arena()}, [&](Evacuator& e) {
    if (machine.context().world) e.visit(machine.context().world);
    machine.extra_roots(e);
  });
}

}  // namespace chancel
