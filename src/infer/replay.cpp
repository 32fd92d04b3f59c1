// SPDX-License-Identifier: Apache-2.0
// See replay.hpp.
#include "infer/replay.hpp"

#include "infer/rescoring.hpp"
#include "infer/walker.hpp"
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
  Walker walker(machine);
  if (prefix)
    walker.begin(*prefix);
  else
    walker.begin(x);
  std::vector<Value> draws;
  std::size_t next = 0;
  const auto given = [&](Walker& w, Value* value) {
    if (next < values.size())
      *value = values[next++];
    else if (!(goes_on ? w.draw(value) : w.fail(not_repeated())))
      return false;
    draws.insert(draws.end(), {Value::integer(w.stop.site), w.stop.dist, *value, w.stop.id});
    return true;
  };
  const auto keep_state = [&](Walker& w) {
    if (w.stop.log_prob == kLogZero) return w.fail(not_repeated());
    past = make_history(machine.arena(), past, w.at, w.stop.log_prob,
                        make_draws(machine.arena(), draws));
    path.steps.push_back(past);
    draws.clear();
    return true;
  };
  if (walker.run(given, keep_state) != Stop::Result) return false;
  path.last = walker.at;
  path.result = walker.stop.value;
  path.last_draws = make_draws(machine.arena(), draws);
  path.set = true;
  return true;
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
                    const std::uint64_t* parts, FutureDensity* out, bool* finished) {
  machine.wants = {true, true};
  *finished = true;
  const bool final = segment == path.steps.size();
  const ValueArray* draws = path.draws_before(segment);
  std::size_t k = 0;
  bool possible = true;
  const auto scored = [&](Walker& w, Value* value) {
    possible = k < draw_count(draws) && Value::integer(w.stop.site).i == drawn_site(draws, k).i &&
               same_dist_type(w.stop.dist, drawn_dist(draws, k));
    if (!possible) return false;
    if (!can_score(w.stop.dist)) {
      out->unknown = true;
      return false;
    }
    Fit fit;
    *value = drawn_value(draws, k);
    if (!fit_at(machine, w.at, w.stop.dist, *value, &fit)) return w.failed();
    // What is a density here and a mass there is nothing beside it.
    possible = fit.log_prob != kLogZero && fit.part == parts[k++];
    out->log_density += fit.log_prob;
    return possible;
  };
  Walker walker(machine);
  walker.begin(x);
  const Stop end = walker.run(scored, leave);
  x = walker.at;
  if (end == Stop::Failed) return false;
  if (out->unknown) return true;
  possible = possible && k == draw_count(draws) && end == (final ? Stop::Result : Stop::Observe);
  if (possible && !final) {
    if (walker.stop.estimated) {
      out->unknown = true;
      return true;
    }
    possible = walker.stop.log_prob != kLogZero;
    out->log_density += walker.stop.log_prob;
  }
  if (!possible) {
    out->log_density = kLogZero;
    return true;
  }
  *finished = final;
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
  bool finished = false;
  for (std::size_t segment = barrier + 1; !finished; ++segment) {
    if (!future_stretch(machine, x, path, segment, part, out, &finished)) return false;
    part += draw_count(path.draws_before(segment));
  }
  return true;
}

}  // namespace chancel
