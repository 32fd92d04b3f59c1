// SPDX-License-Identifier: Apache-2.0
// The transforms from the real line to the support of a distribution (transform.hpp).
#pragma once
#include <cstdint>

namespace chancel {

enum class TransformKind : std::uint8_t {
  None,
  Line,
  Lower,
  Upper,
  Interval,
  Simplex,
  Vector,
  Ordered,  // within the bounds, where they are finite
  CorrelationCholesky,
  Correlation,
  PositiveDefinite,
};

}  // namespace chancel
