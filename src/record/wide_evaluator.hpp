// SPDX-License-Identifier: Apache-2.0
// What the evaluation of a graph asks of those who know the objects of a program: log densities of distributions over
// collections of numbers, and their derivatives in the operands of the node.
#pragma once

namespace chancel {

struct WideDistribution;

struct WideEvaluator {
  virtual ~WideEvaluator() = default;
  virtual double log_prob(const WideDistribution& distribution, const double* operands) = 0;
  virtual void gradient(const WideDistribution& distribution, const double* operands,
                        double* out) = 0;
};

}  // namespace chancel
