// SPDX-License-Identifier: Apache-2.0
// The engines that take a query, for advice about a run of another one: one engine of each family
// whose needs a few executions from the prior have shown to be met.
#pragma once
#include <vector>

#include "engines/survey.hpp"
#include "infer/engine.hpp"

namespace chancel {

struct OtherEngines {
  std::size_t continuous = 0, discrete = 0;  // draws of the largest execution
  bool improper = false;                     // some of them have an improper prior
  std::vector<const EngineDef*> engines;     // the most suitable first
};

// By a survey of the query. Engines of the family of `used` are left out: they share its trouble.
OtherEngines other_engines(const RunSetup& setup, const Survey& survey, const EngineDef& used);

}  // namespace chancel
