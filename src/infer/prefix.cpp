// SPDX-License-Identifier: Apache-2.0
// See prefix.hpp.
#include "infer/prefix.hpp"

#include "math/log_space.hpp"

namespace chancel {

bool Prefix::run(Executor& machine, const RunSetup& setup) {
  const Execution begin = machine.start(setup.query, &setup.argument, 1);
  *this = Prefix{};
  at = begin;
  machine.wants = {true, true};
  const Stream before = machine.stream;
  const HiddenDraws hidden_draws = machine.treat_hidden_draws(HiddenDraws::Allowed);
  machine.stream.reset(setup.shared_name.child(kPrefixStream, 0), 0, 0);
  Checkpoint stop = machine.resume(at, Value::nil());
  machine.treat_hidden_draws(hidden_draws);
  machine.stream.reset(setup.name, 0, 0);
  if (stop.kind == Stop::Observe && stop.estimated) {  // every execution estimates for itself
    at = begin;
    kind = Stop::Observe;
    machine.stream = before;
    return true;
  }
  while (stop.kind == Stop::Observe) {
    ++observes;
    log_weight += stop.log_prob;
    if (setup.pointwise) scores.push_back({stop.site, stop.log_prob});
    if (stop.log_prob == kLogZero) {
      stop.kind = Stop::Impossible;
      break;
    }
    const Execution here = at;
    stop = machine.resume(at, Value::nil());
    if (!machine.stream.untouched()) {  // hidden draws after an observe are the execution's own
      at = here;
      kind = Stop::Observe;
      machine.stream = before;
      return true;
    }
  }
  machine.stream = before;
  if (stop.kind == Stop::Failed) return false;
  kind = stop.kind;
  dist = stop.dist;
  site = stop.site;
  id = stop.id;
  result = stop.value;
  return true;
}

}  // namespace chancel
