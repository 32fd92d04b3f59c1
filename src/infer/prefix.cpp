// SPDX-License-Identifier: Apache-2.0
// See prefix.hpp.
#include "infer/prefix.hpp"

#include "math/log_space.hpp"

namespace chancel {

namespace {
// Notices that random numbers are taken (and gives some, so that what takes them comes to an end).
struct Watch final : Stream::Source {
  bool touched = false;
  Stream numbers;
  std::uint64_t next() override {
    touched = true;
    return numbers.next();
  }
};
}  // namespace

bool Prefix::run(Machine& machine, const RunSetup& setup) {
  const Execution begin = machine.start(setup.query, &setup.argument, 1);
  at = begin;
  Watch watch;
  watch.numbers.reset(setup.name, 1, 0);
  machine.stream.reset(setup.name, 0, 0);
  machine.stream.set_source(&watch);
  machine.wants = {true, true};
  Checkpoint stop;
  for (;;) {
    stop = machine.resume(at, Value::nil());
    if (watch.touched || stop.kind != Stop::Observe) break;
    ++observes;
    log_weight += stop.log_prob;
    if (stop.log_prob == kLogZero) {
      stop.kind = Stop::Impossible;
      break;
    }
  }
  machine.stream.reset(setup.name, 0, 0);
  machine.stream.set_source(setup.source);
  if (watch.touched) {
    *this = Prefix{};
    at = begin;
    return true;
  }
  if (stop.kind == Stop::Failed) return false;
  shared = true;
  kind = stop.kind;
  dist = stop.dist;
  site = stop.site;
  id = stop.id;
  result = stop.value;
  return true;
}

}  // namespace chancel
