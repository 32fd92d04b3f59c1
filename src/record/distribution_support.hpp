// SPDX-License-Identifier: Apache-2.0
// What recordings know of the distribution of a draw, which may be one that the program defines.
#pragma once
#include <optional>
#include <vector>

#include "record/transform.hpp"

namespace chancel {

// Whether its log density is known: those of programs need observe*.
bool is_scored(const Value& dist);
// The distribution whose support draws have: itself, or any component of a mixture whose components
// have the same support.
struct SupportDistribution {
  const Dist* given;
  const Dist* present;  // the same, without nodes
};
std::optional<SupportDistribution> support_distribution(const Value& given, const Value& present);
// All of them: the distribution itself, or all components of the mixture.
std::vector<SupportDistribution> support_distributions(const Value& given, const Value& present);
bool moves_along_gradient(const Value& dist);
// As for a Dist; of kind None where the support is not known.
Transform transform_for(Graph& graph, const Value& given, const Value& present);

}  // namespace chancel
