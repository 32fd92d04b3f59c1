// SPDX-License-Identifier: Apache-2.0
// See transform.hpp.
#include "record/transform.hpp"

#include <algorithm>
#include <cmath>

#include "math/elementary.hpp"
#include "record/boundary_mass.hpp"
#include "value/collections.hpp"

namespace chancel {

namespace {
// Values at the very end of their support have no place on the line; they get one that is far out.
constexpr double kFar = 700;
double within_reach(double q) { return std::isnan(q) ? 0 : std::clamp(q, -kFar, kFar); }

// The rows of the Cholesky factor of a correlation matrix, and the logs of its diagonal. Each number
// below the diagonal is a partial correlation, tanh(q), times what is left of the row's length.
std::vector<NodeIndex> correlation_factor(Graph& graph, std::uint32_t rows,
                                          std::span<const NodeIndex> q,
                                          std::vector<NodeIndex>& jacobians,
                                          std::vector<NodeIndex>& log_diagonal) {
  std::vector<NodeIndex> x(std::size_t{rows} * rows, graph.constant(0));
  const NodeIndex half = graph.constant(0.5);
  const NodeIndex two = graph.constant(2);
  const NodeIndex log_four = graph.constant(math::log(4.0));
  x[0] = graph.constant(1);
  log_diagonal = {graph.constant(0)};
  std::size_t at = 0;
  for (std::uint32_t i = 1; i < rows; ++i) {
    NodeIndex log_left = graph.constant(0);  // of what is left of the length
    for (std::uint32_t j = 0; j < i; ++j, ++at) {
      const NodeIndex partial = graph.apply(GraphOp::Tanh, {q[at]});
      const NodeIndex left = graph.apply(GraphOp::Exp, {log_left});
      x[i * rows + j] = j == 0 ? partial : graph.apply(GraphOp::Multiply, {partial, left});
      // log(1 - tanh^2 q)
      const NodeIndex slope =
          graph.apply(GraphOp::LogLogisticSlope, {graph.apply(GraphOp::Multiply, {two, q[at]})});
      const NodeIndex log_rest = graph.apply(GraphOp::Add, {slope, log_four});
      jacobians.push_back(log_rest);
      if (j > 0) jacobians.push_back(log_left);
      log_left =
          graph.apply(GraphOp::Add, {log_left, graph.apply(GraphOp::Multiply, {half, log_rest})});
    }
    x[i * rows + i] = graph.apply(GraphOp::Exp, {log_left});
    log_diagonal.push_back(log_left);
  }
  return x;
}

// L L^T of a lower triangular L.
std::vector<NodeIndex> product_with_transpose(Graph& graph, std::uint32_t rows,
                                              const std::vector<NodeIndex>& factor) {
  std::vector<NodeIndex> x(factor.size());
  for (std::uint32_t i = 0; i < rows; ++i) {
    for (std::uint32_t j = 0; j <= i; ++j) {
      NodeIndex sum = graph.apply(GraphOp::Multiply, {factor[i * rows], factor[j * rows]});
      for (std::uint32_t k = 1; k <= j; ++k)
        sum = graph.apply(
            GraphOp::Add,
            {sum, graph.apply(GraphOp::Multiply, {factor[i * rows + k], factor[j * rows + k]})});
      x[i * rows + j] = x[j * rows + i] = sum;
    }
  }
  return x;
}

// The lower triangular factor of a matrix that has one.
std::vector<double> factor_of(std::span<const double> x, std::uint32_t rows) {
  std::vector<double> l(x.size());
  for (std::uint32_t i = 0; i < rows; ++i) {
    for (std::uint32_t j = 0; j <= i; ++j) {
      double sum = x[i * rows + j];
      for (std::uint32_t k = 0; k < j; ++k) sum -= l[i * rows + k] * l[j * rows + k];
      l[i * rows + j] = i == j ? std::sqrt(sum) : sum / l[j * rows + j];
    }
  }
  return l;
}
}  // namespace

namespace {
// The distribution that another one is made from: (truncated BASE lower upper), (ordered BASE n).
const Dist* base_of(const Dist* d) { return d->values[0].as<Dist>(); }

bool base_moves(const Dist* d) {
  const Dist* base = base_of(d);
  if (!base->type->density || base->type->discrete) return false;
  if (d->type->support != DistSupport::OrderedVector) return true;
  double lower, upper;  // ordered numbers are made from the first to the last
  base->type->bounds(base, &lower, &upper);
  return std::isfinite(lower) || !std::isfinite(upper);
}

struct Bounds {
  NodeIndex lower, upper;
};
// Of a distribution over numbers; `given` is `present` with nodes among its parameters.
Bounds bounds_of(Graph& graph, const Dist* given, const Dist* present) {
  if (const Density* density = present->type->density) {
    double lower = -INFINITY, upper = INFINITY;
    present->type->bounds(present, &lower, &upper);
    const auto bound = [&](int parameter, double otherwise) {
      return parameter >= 0 ? graph.node_of(given->values[parameter]) : graph.constant(otherwise);
    };
    return {bound(density->lower, lower), bound(density->upper, upper)};
  }
  const Bounds base = bounds_of(graph, base_of(given), base_of(present));
  const auto inner = [&](GraphOp op, NodeIndex outer, const Value& cut) {
    const NodeIndex at = graph.node_of(cut);
    return graph.is_constant(outer) && std::isinf(graph.value(outer))
               ? at
               : graph.apply(op, {outer, at});
  };
  return {inner(GraphOp::Larger, base.lower, given->values[1]),
          inner(GraphOp::Smaller, base.upper, given->values[2])};
}
}  // namespace

bool moves_along_gradient(const Dist* d) {
  const DistType& type = *d->type;
  if (type.discrete || has_boundary_mass(d)) return false;
  switch (type.support) {
    case DistSupport::Real:
    case DistSupport::Positive:
    case DistSupport::NonNegative:
    case DistSupport::UnitInterval:
      return type.density != nullptr;
    case DistSupport::Interval:
      return type.density != nullptr || (type.wide_density != nullptr && base_moves(d));
    case DistSupport::OrderedVector:
      return type.wide_density != nullptr && base_moves(d);
    case DistSupport::Simplex:
      return type.wide_density != nullptr && type.wide_density->size(d) > 1;
    case DistSupport::RealVector:
    case DistSupport::PositiveDefiniteMatrix:
    case DistSupport::CorrelationMatrix:
    case DistSupport::CorrelationCholesky:
      return type.wide_density != nullptr;
    default:
      return false;
  }
}

Transform transform_for(Graph& graph, const Dist* given, const Dist* present) {
  const DistType& type = *present->type;
  Transform t;
  t.lower = graph.constant(-INFINITY);
  t.upper = graph.constant(INFINITY);
  if (!moves_along_gradient(present)) return t;
  if (type.wide_density) {
    t.numbers = static_cast<std::uint32_t>(type.wide_density->size(present));
    t.rows = static_cast<std::uint32_t>(std::sqrt(t.numbers) + 0.5);
  }
  const auto take_bounds = [&](const Dist* distribution, const Dist* distribution_now) {
    const Bounds bounds = bounds_of(graph, distribution, distribution_now);
    t.lower = bounds.lower;
    t.upper = bounds.upper;
  };
  switch (type.support) {
    case DistSupport::Real:
      t.kind = TransformKind::Line;
      return t;
    case DistSupport::RealVector:
      t.kind = TransformKind::Vector;
      return t;
    case DistSupport::Simplex:
      t.kind = TransformKind::Simplex;
      return t;
    case DistSupport::OrderedVector:
      take_bounds(base_of(given), base_of(present));
      t.kind = TransformKind::Ordered;
      return t;
    case DistSupport::PositiveDefiniteMatrix:
      t.kind = TransformKind::PositiveDefinite;
      return t;
    case DistSupport::CorrelationMatrix:
      t.kind = TransformKind::Correlation;
      return t;
    case DistSupport::CorrelationCholesky:
      t.kind = TransformKind::CorrelationCholesky;
      return t;
    default:
      break;
  }
  take_bounds(given, present);
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
        const NodeIndex even = graph.constant(-math::log(static_cast<double>(t.numbers - 1 - k)));
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
    case TransformKind::Ordered: {
      const bool bounded = std::isfinite(graph.value(t.lower));
      for (std::uint32_t k = 0; k < t.numbers; ++k) {
        if (k == 0 && !bounded) {
          x.push_back(q[0]);
          continue;
        }
        if (std::isfinite(graph.value(t.upper))) {  // a part of what is left of the interval
          const NodeIndex before = k == 0 ? t.lower : x.back();
          const NodeIndex left = graph.apply(GraphOp::Subtract, {t.upper, before});
          const NodeIndex even = graph.constant(-math::log(static_cast<double>(t.numbers - k)));
          const NodeIndex at = graph.apply(GraphOp::Add, {q[k], even});
          const NodeIndex part = graph.apply(GraphOp::Logistic, {at});
          x.push_back(
              graph.apply(GraphOp::Add, {before, graph.apply(GraphOp::Multiply, {left, part})}));
          jacobians.push_back(graph.apply(GraphOp::LogLogisticSlope, {at}));
          jacobians.push_back(graph.apply(GraphOp::Log, {left}));
          continue;
        }
        const NodeIndex step = graph.apply(GraphOp::Exp, {q[k]});
        const NodeIndex before = k == 0 ? t.lower : x.back();
        x.push_back(is(before, 0) ? step : graph.apply(GraphOp::Add, {before, step}));
        jacobians.push_back(q[k]);
      }
      break;
    }
    case TransformKind::CorrelationCholesky: {
      std::vector<NodeIndex> log_diagonal;
      x = correlation_factor(graph, t.rows, q, jacobians, log_diagonal);
      break;
    }
    case TransformKind::Correlation: {
      std::vector<NodeIndex> log_diagonal;
      x = product_with_transpose(graph, t.rows,
                                 correlation_factor(graph, t.rows, q, jacobians, log_diagonal));
      for (std::uint32_t i = 0; i < t.rows; ++i) {
        x[i * t.rows + i] = graph.constant(1);
        if (i == 0 || i + 1 == t.rows) continue;
        const NodeIndex times = graph.constant(t.rows - 1 - i);
        jacobians.push_back(graph.apply(GraphOp::Multiply, {times, log_diagonal[i]}));
      }
      break;
    }
    case TransformKind::PositiveDefinite: {
      std::vector<NodeIndex> factor(t.numbers, graph.constant(0));
      std::size_t at = 0;
      for (std::uint32_t i = 0; i < t.rows; ++i) {
        for (std::uint32_t j = 0; j < i; ++j) factor[i * t.rows + j] = q[at++];
        factor[i * t.rows + i] = graph.apply(GraphOp::Exp, {q[at]});
        const NodeIndex times = graph.constant(t.rows + 1 - i);
        jacobians.push_back(graph.apply(GraphOp::Multiply, {times, q[at++]}));
      }
      jacobians.push_back(graph.constant(t.rows * math::log(2.0)));
      x = product_with_transpose(graph, t.rows, factor);
      break;
    }
  }
  return x;
}

Value value_of_nodes(Arena& arena, const Graph& graph, const Transform& t,
                     std::span<const NodeIndex> numbers) {
  std::vector<Value> items;
  for (const NodeIndex i : numbers)
    items.push_back(graph.is_constant(i) ? Value::real(graph.value(i)) : Value::node(i));
  switch (t.kind) {
    case TransformKind::Simplex:
    case TransformKind::Vector:
    case TransformKind::Ordered:
      return make_vector(arena, items.data(), items.size());
    case TransformKind::CorrelationCholesky:
    case TransformKind::Correlation:
    case TransformKind::PositiveDefinite: {
      std::vector<Value> rows;
      for (std::uint32_t i = 0; i < t.rows; ++i)
        rows.push_back(make_vector(arena, items.data() + std::size_t{i} * t.rows, t.rows));
      return make_vector(arena, rows.data(), rows.size());
    }
    default:
      return items[0];
  }
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
      q[0] = within_reach(math::log(x[0] - graph.value(t.lower)));
      break;
    case TransformKind::Upper:
      q[0] = within_reach(math::log(graph.value(t.upper) - x[0]));
      break;
    case TransformKind::Interval:
      q[0] = within_reach(
          logit((x[0] - graph.value(t.lower)) / (graph.value(t.upper) - graph.value(t.lower))));
      break;
    case TransformKind::Simplex: {
      double left = 1;
      for (std::uint32_t k = 0; k + 1 < t.numbers; ++k) {
        q[k] = within_reach(logit(x[k] / left) + math::log(static_cast<double>(t.numbers - 1 - k)));
        left -= x[k];
      }
      break;
    }
    case TransformKind::Ordered: {
      const double lower = graph.value(t.lower);
      const double upper = graph.value(t.upper);
      for (std::uint32_t k = 0; k < t.numbers; ++k) {
        const double before = k == 0 ? lower : x[k - 1];
        if (!std::isfinite(before))
          q[k] = x[k];
        else if (std::isfinite(upper))
          q[k] = within_reach(logit((x[k] - before) / (upper - before)) +
                              math::log(static_cast<double>(t.numbers - k)));
        else
          q[k] = within_reach(math::log(x[k] - before));
      }
      break;
    }
    case TransformKind::CorrelationCholesky:
    case TransformKind::Correlation: {
      const std::vector<double> l = t.kind == TransformKind::Correlation
                                        ? factor_of(x, t.rows)
                                        : std::vector<double>(x.begin(), x.end());
      std::size_t at = 0;
      for (std::uint32_t i = 1; i < t.rows; ++i) {
        double left = 1;  // of the squared length
        for (std::uint32_t j = 0; j < i; ++j) {
          const double number = l[i * t.rows + j];
          q[at++] = within_reach(std::atanh(number / std::sqrt(left)));
          left -= number * number;
        }
      }
      break;
    }
    case TransformKind::PositiveDefinite: {
      const std::vector<double> l = factor_of(x, t.rows);
      std::size_t at = 0;
      for (std::uint32_t i = 0; i < t.rows; ++i) {
        for (std::uint32_t j = 0; j < i; ++j) q[at++] = l[i * t.rows + j];
        q[at++] = within_reach(math::log(l[i * t.rows + i]));
      }
      break;
    }
  }
}

}  // namespace chancel
