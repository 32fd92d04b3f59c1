// SPDX-License-Identifier: Apache-2.0
// See replay.hpp.
#include "infer/replay.hpp"

#include "infer/fit.hpp"
#include "math/log_space.hpp"

namespace chancel {

Diagnostic not_repeated() {
  return {Code::R014,
          Severity::Error,
          {},
          "an execution that was run again with the same draws did something else",
          "something beside sample is random: look for native functions, or leave out :rejuvenate",
          {}};
}

bool replay_path(Executor& machine, Execution x, const Prefix* prefix,
                 const std::vector<Value>& values, History* past, RetainedPath& path,
                 bool goes_on) {
  machine.wants = {true, true};
  Checkpoint stop;
  if (!prefix)
    stop = machine.resume(x, Value::nil());
  else if (!prefix->go_on(machine, x, stop))
    return false;
  std::vector<Value> draws;
  std::size_t at = 0;
  for (;;) {
    switch (stop.kind) {
      case Stop::Sample: {
        Value value = Value::nil();
        if (at < values.size()) {
          value = values[at++];
        } else if (!goes_on) {
          machine.failure() = not_repeated();
          return false;
        } else if (!draw_for(machine, x, stop.dist, &value)) {
          return false;
        }
        draws.insert(draws.end(), {Value::integer(stop.site), stop.dist, value, stop.id});
        stop = machine.resume(x, value);
        break;
      }
      case Stop::Observe:
        if (stop.log_prob == kLogZero) {
          machine.failure() = not_repeated();
          return false;
        }
        past = make_history(machine.arena(), past, x, stop.log_prob,
                            make_draws(machine.arena(), draws));
        path.steps.push_back(past);
        draws.clear();
        stop = machine.resume(x, Value::nil());
        break;
      case Stop::Result:
        path.last = x;
        path.result = stop.value;
        path.last_draws = make_draws(machine.arena(), draws);
        path.set = true;
        return true;
      default:
        return false;
    }
  }
}

bool future_parts(Executor& machine, const RetainedPath& path, std::size_t barrier,
                  std::vector<std::uint64_t>* parts) {
  parts->clear();
  for (std::size_t segment = barrier + 1; segment <= path.steps.size(); ++segment) {
    const ValueArray* draws = path.draws_before(segment);
    for (std::size_t k = 0; k < draw_count(draws); ++k) {
      const Value& dist = drawn_dist(draws, k);
      Fit fit{0, kUsualPart};
      const bool may_differ = !dist.is(Tag::Dist) || dist.as<Dist>()->type->fit;
      if (may_differ && can_score(dist) &&
          !fit_at(machine, path.last, dist, drawn_value(draws, k), &fit))
        return false;
      parts->push_back(fit.part);
    }
  }
  return true;
}

bool future_stretch(Executor& machine, Execution& x, const RetainedPath& path, std::size_t segment,
                    const std::uint64_t* parts, FutureDensity* out, bool* settled) {
  machine.wants = {true, true};
  *settled = true;
  const auto impossible = [&] {
    out->log_density = kLogZero;
    return true;
  };
  const auto unknown = [&] {
    out->unknown = true;
    return true;
  };
  const bool final = segment == path.steps.size();
  const ValueArray* draws = path.draws_before(segment);
  Checkpoint stop = machine.resume(x, Value::nil());
  for (std::size_t k = 0; k < draw_count(draws); ++k) {
    if (stop.kind == Stop::Failed) return false;
    if (stop.kind != Stop::Sample || Value::integer(stop.site).i != drawn_site(draws, k).i ||
        !same_dist_type(stop.dist, drawn_dist(draws, k)))
      return impossible();
    if (!can_score(stop.dist)) return unknown();
    Fit fit;
    if (!fit_at(machine, x, stop.dist, drawn_value(draws, k), &fit)) return false;
    // What is a density here and a mass there is nothing beside it.
    if (fit.log_prob == kLogZero || fit.part != parts[k]) return impossible();
    out->log_density += fit.log_prob;
    stop = machine.resume(x, drawn_value(draws, k));
  }
  if (stop.kind == Stop::Failed) return false;
  if (stop.kind != (final ? Stop::Result : Stop::Observe)) return impossible();
  if (!final) {
    if (stop.estimated) return unknown();
    if (stop.log_prob == kLogZero) return impossible();
    out->log_density += stop.log_prob;
  }
  *settled = final;
  return true;
}

bool future_density(Executor& machine, Execution x, const RetainedPath& path, std::size_t barrier,
                    const std::vector<std::uint64_t>& parts, FutureDensity* out) {
  *out = {};
  const bool goes_on = barrier < path.steps.size();
  if (x.ended() || !goes_on) {  // nothing is to come: fits only what has finished as well
    if (!x.ended() || goes_on) out->log_density = kLogZero;
    return true;
  }
  const std::uint64_t* part = parts.data();
  bool settled = false;
  for (std::size_t segment = barrier + 1; !settled; ++segment) {
    if (!future_stretch(machine, x, path, segment, part, out, &settled)) return false;
    part += draw_count(path.draws_before(segment));
  }
  return true;
}

}  // namespace chancel
