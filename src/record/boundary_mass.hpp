// SPDX-License-Identifier: Apache-2.0
// Draws that would lie beyond the doubles of the support are moved to the last one, which then carries
// their mass: a point that no trajectory on the real line meets. Draws of such distributions
// are held. Whether that is so depends on the parameters, and a recording is valid only where the
// answer is the same. It is the same in a box of parameters around the present ones if it is the
// same at the corners of the box: the mass is monotone in each parameter.
#pragma once
#include <optional>
#include <vector>

#include "value/dist_object.hpp"

namespace chancel {

// Whether the mass at a last double is notable.
bool has_boundary_mass(const Dist* d);
// Whether that depends on the parameters.
bool may_have_boundary_mass(const DistType& type);

struct ParameterRange {
  std::uint32_t parameter;
  double lower, upper;
};
// Ranges of those parameters of `given` that are nodes; `present` has numbers for them. Nothing: the
// present values lie at the border.
std::optional<std::vector<ParameterRange>> boundary_mass_box(NativeContext& cx, const Dist* given,
                                                             const Dist* present);

}  // namespace chancel
