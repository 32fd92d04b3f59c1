// SPDX-License-Identifier: Apache-2.0
// From the real line to the support of a distribution, as nodes: exp for a lower or upper bound, the
// logistic function for an interval (bounds may be nodes), breaking a stick for a simplex. The logs
// of their derivatives are nodes too. These are Stan's transforms, so that coordinates mean the same.
#pragma once
#include <vector>

#include "record/graph.hpp"
#include "value/dist_object.hpp"

namespace chancel {

enum class TransformKind : std::uint8_t { None, Line, Lower, Upper, Interval, Simplex, Vector };

struct Transform {
  TransformKind kind = TransformKind::None;  // None: a draw cannot be moved along a gradient
  NodeIndex lower = 0, upper = 0;
  std::uint32_t numbers = 1;  // of the value
  std::uint32_t inputs() const {
    switch (kind) {
      case TransformKind::None:
        return 0;
      case TransformKind::Simplex:
        return numbers - 1;
      default:
        return numbers;
    }
  }
};

// The transform for draws from this type. `parameters`: nodes of a scalar law's parameters.
Transform transform_for(Graph& graph, const Dist* present, std::span<const NodeIndex> parameters);
// Whether draws from it can be moved along a gradient at all.
bool moves_along_gradient(const Dist* d);
// Numbers of the support for coordinates; Jacobians are added to `jacobians`.
std::vector<NodeIndex> constrain(Graph& graph, const Transform& t,
                                 std::span<const NodeIndex> coordinates,
                                 std::vector<NodeIndex>& jacobians);
// The other way.
void unconstrain(const Graph& graph, const Transform& t, std::span<const double> numbers,
                 double* coordinates);

}  // namespace chancel
