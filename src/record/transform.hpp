// SPDX-License-Identifier: Apache-2.0
// From the real line to the support of a distribution, as nodes: exp for a lower or upper bound, the
// logistic function for an interval (bounds may be nodes), breaking a stick for a simplex, positive
// steps for ordered numbers, partial correlations for correlation matrices, Cholesky factors for
// positive definite ones. The logs of their derivatives are nodes too. These are Stan's transforms, so
// that coordinates mean the same.
#pragma once
#include <vector>

#include "record/graph.hpp"
#include "record/transform_kind.hpp"
#include "value/dist_object.hpp"

namespace chancel {

struct Transform {
  TransformKind kind = TransformKind::None;  // None: a draw cannot be moved along a gradient
  NodeIndex lower = 0, upper = 0;            // infinite: none
  std::uint32_t numbers = 1;                 // of the value
  std::uint32_t rows = 0;                    // of a matrix
  std::uint32_t inputs() const {
    switch (kind) {
      case TransformKind::None:
        return 0;
      case TransformKind::Simplex:
        return numbers - 1;
      case TransformKind::CorrelationCholesky:
      case TransformKind::Correlation:
        return rows * (rows - 1) / 2;
      case TransformKind::PositiveDefinite:
        return rows * (rows + 1) / 2;
      default:
        return numbers;
    }
  }
};

// The transform for draws from `present`; `given` is the same distribution with nodes among its
// parameters.
Transform transform_for(Graph& graph, const Dist* given, const Dist* present);
// The value that has these numbers: a number, a vector or a vector of rows.
Value value_of_nodes(Arena& arena, const Graph& graph, const Transform& t,
                     std::span<const NodeIndex> numbers);
// Whether draws from it can be moved along a gradient at all; if so, it has a transform.
bool moves_along_gradient(const Dist* d);
// Numbers of the support for coordinates; Jacobians are added to `jacobians`.
std::vector<NodeIndex> constrain(Graph& graph, const Transform& t,
                                 std::span<const NodeIndex> coordinates,
                                 std::vector<NodeIndex>& jacobians);
// The other way.
void unconstrain(const Graph& graph, const Transform& t, std::span<const double> numbers,
                 double* coordinates);

}  // namespace chancel
