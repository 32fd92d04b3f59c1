// SPDX-License-Identifier: Apache-2.0
// The groups of ArviZ whose variables have a value for each chain and draw, for both formats that have
// groups. A run with --prior has the groups of the prior; they can also stand beside those of another
// run.
#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "report/exports.hpp"

namespace chancel::report {

struct ArvizGroup {
  std::string name;
  const TabledRun* run;
  bool main;  // posterior or prior: says where the draws come from
  std::vector<const Variable*> variables;
  std::optional<Variable> weights;

  template <class F>
  void each(const F& f) const {
    for (const Variable* v : variables) f(*v);
    if (weights) f(*weights);
  }
};

// `prior` may be null.
std::vector<ArvizGroup> arviz_groups(const TabledRun& run, const TabledRun* prior);
// What a main group says of its run: name and text.
std::vector<std::pair<std::string, std::string>> arviz_attributes(const RunRecord& run);

}  // namespace chancel::report
