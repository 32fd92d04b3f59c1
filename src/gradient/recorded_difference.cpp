// SPDX-License-Identifier: Apache-2.0
// In what a recording differs from a plain execution at the same draws, bit by bit: for debug builds
// and tests.
#include <bit>
#include <cmath>

#include "fmt/format.h"
#include "gradient/recorded_path.hpp"
#include "value/print.hpp"

namespace chancel {

namespace {

bool same_bits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b) ||
         (std::isnan(a) && std::isnan(b));
}
std::string text_of(const Value& v) { return show(v, true, ~std::size_t{0}); }

}  // namespace

std::string RecordedDensity::difference(const Eigen::VectorXd& q) {
  return difference(path_at(q), q);
}

std::string RecordedDensity::difference(const Path* path, const Eigen::VectorXd& q) {
  using Kind = PlainRun::Kind;
  if (!q.allFinite()) return path ? "a recording has a density where there is no point" : "";
  Executor& machine = workers_.machine(worker_);
  NativeContext cx(machine.arena());
  cx.in_query = true;
  std::vector<StructureDraw> predictive;
  if (path) {
    path->batches->forward_outputs();
    for (std::size_t i = path->recorded.draws_observed; i < path->recorded.draws.size(); ++i) {
      const RecordedDraw& d = path->recorded.draws[i];
      predictive.push_back({d.site, d.id, 0, concrete(cx, d.value), Value::nil()});
    }
  }
  const PlainRun plain = plain_run(machine, *prefix_, std::span(structure_).first(observed_draws_),
                                   predictive, q.data());
  if (!path && other_part_) return "";  // a plain execution does not tell
  if (!path) {
    double sum = plain.log_likelihood;
    for (const double score : plain.scores) sum += score;
    return plain.kind == Kind::Result && plain.whole && std::isfinite(sum)
               ? "the program has a density where the recording has none"
               : "";
  }
  if (plain.kind == Kind::Elsewhere) return "the program has other draws than the recording";
  if (plain.kind != Kind::Result)
    return !std::isfinite(path->log_density)
               ? ""
               : fmt::format(
                     "the recording has a density where the program {}",
                     plain.kind == Kind::Failed ? "fails: " + plain.failure : "is impossible");
  const auto differs = [](const std::string& what, double ours, double theirs) {
    return fmt::format("{} is {:.17g} in the recording, {:.17g} in the program", what, ours,
                       theirs);
  };
  const Recorded& r = path->recorded;
  const std::vector<double> of_draws = draw_scores(*path);
  for (std::size_t i = 0; i < r.draws_observed; ++i) {
    const double ours = of_draws[i];
    if (!same_bits(ours, plain.scores[i]))
      return differs(fmt::format("the score of draw {}", i), ours, plain.scores[i]);
  }
  if (jacobians_ && r.jacobians.size() != plain.jacobians.size())
    return "the transforms are others";
  for (std::size_t i = 0; i < r.jacobians.size(); ++i) {
    const double ours = path->batches->value(r.graph.resolved(r.jacobians[i]));
    if (!same_bits(ours, plain.jacobians[i]))
      return differs(fmt::format("Jacobian {}", i), ours, plain.jacobians[i]);
  }
  double ours = r.log_weight_before;  // in the order of the program
  for (const double score : observe_scores(*path)) ours += score;
  if (!same_bits(ours, plain.log_likelihood))
    return differs("the likelihood", ours, plain.log_likelihood);
  const double sum = log_likelihood(*path), most = 1e-9 * std::max(1.0, std::fabs(ours));
  if (std::isfinite(ours) && !(std::fabs(sum - ours) <= most * std::sqrt(1.0 + r.observes.size())))
    return differs("the sum of the scores of observes", sum, ours);
  // What comes after the last observe may have taken another path, and is then run again.
  if (!guards_hold(*path, r.guards_observed, r.guards.size())) return "";
  if (!plain.whole) return "the program has other predictive draws than the recording";
  const auto compare = [&](const std::string& what, const Value& recorded, const Value& theirs) {
    const std::string mine = text_of(concrete(cx, recorded)), its = text_of(theirs);
    return mine == its
               ? ""
               : fmt::format("{} is {} in the recording, {} in the program", what, mine, its);
  };
  const Predicts* theirs = plain.predicts;
  const Predicts* mine = r.predicts;
  for (; mine && theirs; mine = mine->previous, theirs = theirs->previous) {
    std::string wrong = compare("a label", mine->label, theirs->label);
    if (wrong.empty()) wrong = compare(text_of(mine->label), mine->value, theirs->value);
    if (!wrong.empty()) return wrong;
  }
  if (mine || theirs) return "the recording has another number of predicts";
  return compare("the result", r.result, plain.result);
}

}  // namespace chancel
