// SPDX-License-Identifier: Apache-2.0
// The distributions for which delayed sampling has rules.
#pragma once
#include "dist/distribution.hpp"

namespace chancel {

struct KnownDistributions {
  const DistType* normal = find_distribution("normal");
  const DistType* mvn = find_distribution("mvn");
  const DistType* gamma = find_distribution("gamma");
  const DistType* exponential = find_distribution("exponential");
  const DistType* inverse_gamma = find_distribution("inverse-gamma");
  const DistType* beta = find_distribution("beta");
  const DistType* uniform = find_distribution("uniform-continuous");
  const DistType* flip = find_distribution("flip");
  const DistType* bernoulli = find_distribution("bernoulli");
  const DistType* binomial = find_distribution("binomial");
  const DistType* geometric = find_distribution("geometric");
  const DistType* poisson = find_distribution("poisson");
  const DistType* dirichlet = find_distribution("dirichlet");
  const DistType* discrete = find_distribution("discrete");
  const DistType* categorical = find_distribution("categorical");
  const DistType* seating = find_distribution("categorical-crp");
};

inline const KnownDistributions& known_distributions() {
  static const KnownDistributions known;
  return known;
}

}  // namespace chancel
