// SPDX-License-Identifier: Apache-2.0
// See failing_share.hpp.
#include "infer/failing_share.hpp"

#include "infer/walker.hpp"
#include "value/dist_object.hpp"

namespace chancel {

namespace {
constexpr unsigned kExecutions = 1000;
constexpr std::uint64_t kMostApplications = 2000000;  // of them together; at least ten are run
constexpr unsigned kLeast = 10;
constexpr std::uint64_t kFailingStream = 0x109;
}  // namespace

FailingShare find_failing_share(WorkerPool& workers) {
  FailingShare found;
  const RunSetup& setup = workers.setup();
  std::uint64_t applications = 0;
  for (unsigned i = 0; i < kExecutions && (i < kLeast || applications < kMostApplications); ++i) {
    workers.collect_if_due();
    Executor& machine = workers.machine();
    Prefix prefix;
    if (!prefix.run(machine, setup)) break;
    machine.wants = {true, false};
    machine.log_weight = 0;
    machine.stream.reset(setup.shared_name.child(kFailingStream, 0), i, 0);
    Walker walker(machine);
    walker.begin(prefix);
    walker.collecting();
    const auto from_proper_prior = [](Walker& w, Value* value) {
      const bool improper = w.stop.dist.is(Tag::Dist) && w.stop.dist.as<Dist>()->type->improper;
      return !improper && w.draw(value);
    };
    const Stop end = walker.run(from_proper_prior, pass);
    if (end == Stop::Sample) return {};  // there is no prior to draw executions from
    applications += walker.at.applications;
    if (end == Stop::Failed && is_limit(machine.failure().code)) break;
    ++found.executions;
    if (end != Stop::Failed) continue;
    ++found.failing;
    if (!found.first) found.first = machine.failure();
  }
  return found;
}

}  // namespace chancel
