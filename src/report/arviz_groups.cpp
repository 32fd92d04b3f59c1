// SPDX-License-Identifier: Apache-2.0
#include "report/arviz_groups.hpp"

#include <fmt/format.h>

#include "report/predictive.hpp"

namespace chancel::report {
namespace {

void add_groups(const TabledRun& run, std::vector<ArvizGroup>& out) {
  const DrawTable& table = run.table;
  const bool prior = run.run.description.info.prior;
  ArvizGroup draws{prior ? "prior" : "posterior", &run, true, {}, {}};
  ArvizGroup predictive{draws.name + "_predictive", &run, false, {}, {}};
  for (const Variable& v : table.variables)
    (is_predictive(v.label, run.run.statistics) ? predictive : draws).variables.push_back(&v);
  ArvizGroup stats{prior ? "sample_stats_prior" : "sample_stats", &run, false, {}, {}};
  for (const Variable& v : table.sampler) stats.variables.push_back(&v);
  if (table.weighted) {
    Variable& weights = stats.weights.emplace();
    weights.name = "log_weight";
    weights.label = "log weight of the draw";
    weights.integer = false;
    weights.columns = {table.log_weights};
  }
  ArvizGroup likelihood{"log_likelihood", &run, false, {}, {}};
  for (const Variable& v : table.log_likelihood) likelihood.variables.push_back(&v);
  out.push_back(std::move(draws));
  for (ArvizGroup* group : {&predictive, &stats, &likelihood})
    if (!group->variables.empty() || group->weights) out.push_back(std::move(*group));
}

}  // namespace

std::vector<ArvizGroup> arviz_groups(const TabledRun& run, const TabledRun* prior) {
  std::vector<ArvizGroup> out;
  add_groups(run, out);
  if (prior) add_groups(*prior, out);
  return out;
}

std::vector<std::pair<std::string, std::string>> arviz_attributes(const RunRecord& run) {
  const RunInfo& info = run.description.info;
  return {{"inference_library", "chancel"},
          {"inference_library_version", run.version},
          {"algorithm", info.algorithm},
          {"program", info.program},
          {"query", info.query},
          {"seed", fmt::format("{}", info.seed)}};
}

}  // namespace chancel::report
