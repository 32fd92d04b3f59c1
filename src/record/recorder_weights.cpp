// SPDX-License-Identifier: Apache-2.0
// Log densities of distributions over finitely many values as nodes (density.hpp: WeightsAre).
#include <bit>
#include <cmath>

#include "math/log_space.hpp"
#include "record/recorder.hpp"
#include "value/dist_object.hpp"

namespace chancel {

// What the constructor of the distribution requires of its parameters.
void Recorder::guard_order(NodeIndex a, double b) {
  a = graph_.shared(a);
  const double now = graph_.value(a);
  if (!graph_.is_constant(a))
    to_.guards.push_back({Guard::Kind::Order, a, graph_.constant(b),
                          now < b   ? -1
                          : now > b ? 1
                                    : 0,
                          0});
}

bool Recorder::weights_log_prob(const DistType* type, const Value* args, std::uint32_t count,
                                const Value& x, double present, NodeIndex* out) {
  const bool logs = type->wide_density->weights == WeightsAre::Logs;
  std::vector<Value> numbers;
  if (!x.is(Tag::Int) || !type->wide_density->parameters(args, count, &numbers)) return false;
  if (x.i < 0 || static_cast<std::size_t>(x.i) >= numbers.size()) return false;
  std::vector<NodeIndex> weights;
  for (const Value& v : numbers) {
    weights.push_back(node(v));
    if (weights_.insert(weights.back()).second) guard_order(weights.back(), logs ? kLogZero : 0);
  }
  const NodeIndex chosen = weights[static_cast<std::size_t>(x.i)];
  NodeIndex log_weight;
  if (logs) {
    NodeIndex high = weights[0];
    for (const NodeIndex w : weights) high = graph_.apply(GraphOp::Larger, {high, w});
    if (weights_.insert(high).second) guard_order(high, INFINITY);
    log_weight = graph_.apply(GraphOp::Subtract, {chosen, high});
    for (NodeIndex& w : weights)
      w = graph_.apply(GraphOp::Exp, {graph_.apply(GraphOp::Subtract, {w, high})});
  } else {
    log_weight = graph_.apply(GraphOp::Log, {chosen});
  }
  NodeIndex total = graph_.constant(0);
  for (const NodeIndex w : weights) total = graph_.apply(GraphOp::Add, {total, w});
  if (!logs && weights_.insert(total).second) guard_order(total, INFINITY);
  const NodeIndex result =
      graph_.apply(GraphOp::Subtract, {log_weight, graph_.apply(GraphOp::Log, {total})});
  if (std::bit_cast<std::uint64_t>(graph_.value(result)) != std::bit_cast<std::uint64_t>(present))
    return false;
  *out = result;
  return true;
}

}  // namespace chancel
