// SPDX-License-Identifier: Apache-2.0
// See transform.hpp.
#include "record/transform.hpp"

#include <algorithm>
#include <cmath>

#include "math/elementary.hpp"

namespace chancel {

namespace {
// Values at the very end of their support have no place on the line; they get one that is far out.
constexpr double kFar = 700;
double within_reach(double q) { return std::isnan(q) ? 0 : std::clamp(q, -kFar, kFar); }
}  // namespace

bool moves_along_gradient(const Dist* d) {
  const DistType& type = *d->type;
  if (type.discrete) return false;
  switch (type.support) {
    case Support::Real:
    case Support::Positive:
    case Support::NonNegative:
    case Support::UnitInterval:
    case Support::Interval:
      return type.density != nullptr;
    case Support::RealVector:
    case Support::Simplex:
      return type.wide_density != nullptr;
    default:
      return false;
  }
}

Transform transform_for(Graph& graph, const Dist* present, std::span<const NodeIndex> parameters) {
  const DistType& type = *present->type;
  Transform t;
  if (!moves_along_gradient(present)) return t;
  if (type.wide_density) {
    t.numbers = static_cast<std::uint32_t>(type.wide_density->size(present));
    if (type.support == Support::RealVector)
      t.kind = TransformKind::Vector;
    else if (t.numbers > 1)
      t.kind = TransformKind::Simplex;
    return t;
  }
  const auto bound = [&](int parameter, double otherwise) {
    return parameter >= 0 ? parameters[static_cast<std::size_t>(parameter)]
                          : graph.constant(otherwise);
  };
  double lower = -INFINITY, upper = INFINITY;
  if (type.support == Support::Real) {
    t.kind = TransformKind::Line;
    return t;
  }
  type.bounds(present, &lower, &upper);
  t.lower = bound(type.density->lower, lower);
  t.upper = bound(type.density->upper, upper);
  const bool has_lower = std::isfinite(graph.value(t.lower));
  const bool has_upper = std::isfinite(graph.value(t.upper));
  t.kind = has_lower && has_upper ? TransformKind::Interval
           : has_lower            ? TransformKind::Lower
           : has_upper            ? TransformKind::Upper
                                  : TransformKind::Line;
  return t;
}

std::vector<NodeIndex> constrain(Graph& graph, const Transform& t, std::span<const NodeIndex> q,
                                 std::vector<NodeIndex>& jacobians) {
  const auto is = [&](NodeIndex node, double number) {
    return graph.is_constant(node) && graph.value(node) == number;
  };
  std::vector<NodeIndex> x;
  switch (t.kind) {
    case TransformKind::None:
      break;
    case TransformKind::Line:
    case TransformKind::Vector:
      x.assign(q.begin(), q.end());
      break;
    case TransformKind::Lower: {
      const NodeIndex above = graph.apply(GraphOp::Exp, {q[0]});
      x = {is(t.lower, 0) ? above : graph.apply(GraphOp::Add, {above, t.lower})};
      jacobians.push_back(q[0]);
      break;
    }
    case TransformKind::Upper:
      x = {graph.apply(GraphOp::Subtract, {t.upper, graph.apply(GraphOp::Exp, {q[0]})})};
      jacobians.push_back(q[0]);
      break;
    case TransformKind::Interval: {
      const NodeIndex part = graph.apply(GraphOp::Logistic, {q[0]});
      jacobians.push_back(graph.apply(GraphOp::LogLogisticSlope, {q[0]}));
      if (is(t.lower, 0) && is(t.upper, 1)) {
        x = {part};
        break;
      }
      const NodeIndex width = graph.apply(GraphOp::Subtract, {t.upper, t.lower});
      x = {graph.apply(GraphOp::Add, {t.lower, graph.apply(GraphOp::Multiply, {width, part})})};
      jacobians.push_back(graph.apply(GraphOp::Log, {width}));
      break;
    }
    case TransformKind::Simplex: {
      NodeIndex left = graph.constant(1);
      for (std::uint32_t k = 0; k + 1 < t.numbers; ++k) {
        const NodeIndex even = graph.constant(-std::log(static_cast<double>(t.numbers - 1 - k)));
        const NodeIndex at = graph.apply(GraphOp::Add, {q[k], even});
        const NodeIndex part = graph.apply(GraphOp::Logistic, {at});
        x.push_back(graph.apply(GraphOp::Multiply, {left, part}));
        jacobians.push_back(graph.apply(GraphOp::LogLogisticSlope, {at}));
        if (k > 0) jacobians.push_back(graph.apply(GraphOp::Log, {left}));
        left = graph.apply(GraphOp::Subtract, {left, x.back()});
      }
      x.push_back(left);
      break;
    }
  }
  return x;
}

void unconstrain(const Graph& graph, const Transform& t, std::span<const double> x, double* q) {
  switch (t.kind) {
    case TransformKind::None:
      break;
    case TransformKind::Line:
    case TransformKind::Vector:
      std::copy(x.begin(), x.end(), q);
      break;
    case TransformKind::Lower:
      q[0] = within_reach(std::log(x[0] - graph.value(t.lower)));
      break;
    case TransformKind::Upper:
      q[0] = within_reach(std::log(graph.value(t.upper) - x[0]));
      break;
    case TransformKind::Interval:
      q[0] = within_reach(
          logit((x[0] - graph.value(t.lower)) / (graph.value(t.upper) - graph.value(t.lower))));
      break;
    case TransformKind::Simplex: {
      double left = 1;
      for (std::uint32_t k = 0; k + 1 < t.numbers; ++k) {
        q[k] = within_reach(logit(x[k] / left) + std::log(static_cast<double>(t.numbers - 1 - k)));
        left -= x[k];
      }
      break;
    }
  }
}

}  // namespace chancel
