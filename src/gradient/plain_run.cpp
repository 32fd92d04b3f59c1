// SPDX-License-Identifier: Apache-2.0
// See plain_run.hpp.
#include "gradient/plain_run.hpp"

#include "record/law_support.hpp"
#include "record/substitute.hpp"
#include "value/equality.hpp"

namespace chancel {

bool same_place(const DrawPlace& place, std::uint32_t site, const Value& id, std::uint32_t inputs) {
  return place.site == site && place.inputs == inputs &&
         (place.id.is_nil() ? id.is_nil() : equal(place.id, id));
}

PlainRun plain_run(Executor& machine, const Prefix& prefix, std::span<const DrawPlace> structure,
                   std::span<const DrawPlace> predictive, const double* q) {
  using Kind = PlainRun::Kind;
  PlainRun out;
  Execution x;
  Checkpoint stop;
  machine.wants = {true, false};
  machine.log_weight = prefix.log_weight;
  const auto ended = [&](Kind kind) {
    out.kind = kind;
    if (kind == Kind::Failed) out.failure = machine.failure().message;
    out.log_likelihood = machine.log_weight;
    return out;
  };
  if (!prefix.go_on(machine, x, stop)) return ended(Kind::Failed);
  std::size_t next = 0;
  for (; stop.kind == Stop::Sample; ++next) {
    Value value = Value::nil();
    if (next < structure.size()) {
      Graph scratch;
      const Transform t = transform_for(scratch, stop.dist, stop.dist);
      if (!same_place(structure[next], stop.site, stop.id, t.inputs()))
        return ended(Kind::Elsewhere);
      value = structure[next].held;
      if (t.inputs() > 0) {
        std::vector<NodeIndex> inputs, jacobians;
        for (std::uint32_t i = 0; i < t.inputs(); ++i) inputs.push_back(scratch.input(*q++));
        value =
            value_of_nodes(machine.arena(), scratch, t, constrain(scratch, t, inputs, jacobians));
        NativeContext cx(machine.arena());
        value = substitute(cx, value, [&](NodeIndex i) { return scratch.value(i); });
        for (const NodeIndex i : jacobians) out.jacobians.push_back(scratch.value(i));
      }
      double score = 0;
      if (is_scored(stop.dist) && !machine.score_for(x, stop.dist, value, &score))
        return ended(Kind::Failed);
      if (stop.dist.is(Tag::Dist) && stop.dist.as<Dist>()->type->fit && t.inputs() == 0) {
        Fit fit;
        if (!machine.fit_for(x, stop.dist, value, &fit)) return ended(Kind::Failed);
        if (fit.part != structure[next].part) return ended(Kind::Elsewhere);
        if (fit.part != kUsualPart) score = fit.log_prob;
      }
      out.scores.push_back(score);
    } else {
      const std::size_t i = next - structure.size();
      if (i >= predictive.size() || !same_place(predictive[i], stop.site, stop.id, 0)) {
        out.whole = false;
        return ended(Kind::Result);
      }
      value = predictive[i].held;
    }
    machine.resume(x, value, stop);
  }
  out.predicts = x.predicts;
  out.result = stop.value;
  return ended(stop.kind == Stop::Failed       ? Kind::Failed
               : stop.kind == Stop::Impossible ? Kind::Impossible
               : next >= structure.size()      ? Kind::Result
                                               : Kind::Elsewhere);
}

}  // namespace chancel
