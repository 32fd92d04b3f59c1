// SPDX-License-Identifier: Apache-2.0
// See intervals.hpp.
#include "record/intervals.hpp"

#include <algorithm>
#include <cmath>

namespace chancel {

namespace {

constexpr NodeRange kLine{-INFINITY, INFINITY};

// A bound that no rule gives (0 times infinity) is none.
NodeRange bounds(double lower, double upper) {
  return {std::isnan(lower) ? -INFINITY : lower, std::isnan(upper) ? INFINITY : upper};
}

NodeRange product(const NodeRange& x, const NodeRange& y) {
  double lower = INFINITY, upper = -INFINITY;
  for (const double a : {x.lower, x.upper})
    for (const double b : {y.lower, y.upper}) {
      const double ab = a == 0 || b == 0 ? 0 : a * b;  // a bound of zero is not reached
      lower = std::min(lower, ab);
      upper = std::max(upper, ab);
    }
  return {lower, upper};
}

NodeRange absolute(const NodeRange& x) {
  if (x.lower >= 0) return x;
  if (x.upper <= 0) return {-x.upper, -x.lower};
  return {0, std::max(-x.lower, x.upper)};
}

// A function that rises everywhere on the part of the line where it is defined.
NodeRange rising(GraphOp op, const NodeRange& x, double least) {
  const double ends[2] = {std::max(x.lower, least), std::max(x.upper, least)};
  return bounds(graph_value(op, {&ends[0], 1}), graph_value(op, {&ends[1], 1}));
}

NodeRange unary(GraphOp op, const NodeRange& x) {
  switch (op) {
    case GraphOp::Negate:
      return {-x.upper, -x.lower};
    case GraphOp::Abs:
      return absolute(x);
    case GraphOp::Exp:
    case GraphOp::Expm1:
    case GraphOp::Logistic:
    case GraphOp::Tanh:
    case GraphOp::Atan:
    case GraphOp::Erf:
    case GraphOp::Relu:
    case GraphOp::CubeRoot:
    case GraphOp::Floor:
    case GraphOp::Ceil:
      return rising(op, x, -INFINITY);
    case GraphOp::Sqrt:
    case GraphOp::Log:
    case GraphOp::Log10:
    case GraphOp::Log2:
      return rising(op, x, 0);
    case GraphOp::Log1p:
      return rising(op, x, -1);
    case GraphOp::LogLogisticSlope:
      return {-INFINITY, 0};
    case GraphOp::Sin:
    case GraphOp::Cos:
    case GraphOp::Signum:
      return {-1, 1};
    default:
      return kLine;
  }
}

NodeRange binary(GraphOp op, const NodeRange& x, const NodeRange& y, bool same) {
  switch (op) {
    case GraphOp::Add:
      return bounds(x.lower + y.lower, x.upper + y.upper);
    case GraphOp::Subtract:
      return bounds(x.lower - y.upper, x.upper - y.lower);
    case GraphOp::Multiply: {
      if (!same) return product(x, y);
      const NodeRange size = absolute(x);
      return product(size, size);
    }
    case GraphOp::Divide:
      if (y.lower < 0 && y.upper > 0) return kLine;
      return product(x, y.lower >= 0
                            ? NodeRange{1 / y.upper, y.lower == 0 ? INFINITY : 1 / y.lower}
                            : NodeRange{y.upper == 0 ? -INFINITY : 1 / y.upper, 1 / y.lower});
    case GraphOp::Pow:
      return x.lower >= 0 ? NodeRange{0, INFINITY} : kLine;
    case GraphOp::Hypot:
      return {0, INFINITY};
    case GraphOp::Larger:
      return {std::max(x.lower, y.lower), std::max(x.upper, y.upper)};
    case GraphOp::Smaller:
      return {std::min(x.lower, y.lower), std::min(x.upper, y.upper)};
    default:
      return kLine;
  }
}

}  // namespace

std::vector<NodeRange> node_ranges(const Graph& graph) {
  std::vector<NodeRange> out;
  out.reserve(graph.size());
  for (NodeIndex i = 0; i < graph.size(); ++i) {
    const auto operands = graph.operands(i);
    if (graph.is_constant(i))
      out.push_back(bounds(graph.value(i), graph.value(i)));
    else if (operands.size() == 1)
      out.push_back(unary(graph.node(i).op, out[operands[0]]));
    else if (operands.size() == 2)
      out.push_back(
          binary(graph.node(i).op, out[operands[0]], out[operands[1]], operands[0] == operands[1]));
    else
      out.push_back(kLine);
  }
  return out;
}

}  // namespace chancel
