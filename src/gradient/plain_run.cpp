// SPDX-License-Identifier: Apache-2.0
// See plain_run.hpp.
#include "gradient/plain_run.hpp"

#include "infer/walker.hpp"
#include "record/distribution_support.hpp"
#include "record/substitute.hpp"

namespace chancel {

PlainRun plain_run(Executor& machine, const Prefix& prefix,
                   std::span<const StructureDraw> structure,
                   std::span<const StructureDraw> predictive, const double* q) {
  using Kind = PlainRun::Kind;
  PlainRun out;
  machine.wants = {true, false};
  machine.log_weight = prefix.log_weight;
  std::size_t next = 0;
  bool elsewhere = false;
  const auto go_elsewhere = [&] {
    elsewhere = true;
    return false;
  };
  const auto at_coordinates = [&](Walker& w, const StructureDraw& place, Value* value) {
    const Value dist = w.stop.dist;
    Graph scratch;
    const Transform t = transform_for(scratch, dist, dist);
    if (place.inputs != t.inputs() || !same_address(place, {w.stop.site, w.stop.id}))
      return go_elsewhere();
    *value = place.held;
    if (t.inputs() > 0) {
      std::vector<NodeIndex> inputs, jacobians;
      for (std::uint32_t i = 0; i < t.inputs(); ++i) inputs.push_back(scratch.input(*q++));
      *value =
          value_of_nodes(machine.arena(), scratch, t, constrain(scratch, t, inputs, jacobians));
      NativeContext cx(machine.arena());
      *value = substitute(cx, *value, [&](NodeIndex i) { return scratch.value(i); });
      for (const NodeIndex i : jacobians) out.jacobians.push_back(scratch.value(i));
    }
    double score = 0;
    if (is_scored(dist) && !machine.score_for(w.at, dist, *value, &score)) return w.failed();
    if (dist.is(Tag::Dist) && dist.as<Dist>()->type->fit && t.inputs() == 0) {
      Fit fit;
      if (!machine.fit_for(w.at, dist, *value, &fit)) return w.failed();
      if (fit.part != place.part) return go_elsewhere();
      if (fit.part != kUsualPart) score = fit.log_prob;
    }
    out.scores.push_back(score);
    return true;
  };
  const auto draw = [&](Walker& w, Value* value) {
    const std::size_t i = next++;
    if (i < structure.size()) return at_coordinates(w, structure[i], value);
    const std::size_t p = i - structure.size();
    out.whole = p < predictive.size() && predictive[p].inputs == 0 &&
                same_address(predictive[p], {w.stop.site, w.stop.id});
    if (out.whole) *value = predictive[p].held;
    return out.whole;
  };
  Walker walker(machine);
  walker.begin(prefix);
  const Stop end = walker.run(draw, pass);
  out.log_likelihood = machine.log_weight;
  out.kind = elsewhere                  ? Kind::Elsewhere
             : end == Stop::Failed      ? Kind::Failed
             : end == Stop::Impossible  ? Kind::Impossible
             : next >= structure.size() ? Kind::Result
                                        : Kind::Elsewhere;
  if (out.kind == Kind::Failed) out.failure = machine.failure().message;
  if (end == Stop::Result) {
    out.predicts = walker.at.predicts;
    out.result = walker.stop.value;
  }
  return out;
}

}  // namespace chancel
