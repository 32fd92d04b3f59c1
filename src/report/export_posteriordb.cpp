// SPDX-License-Identifier: Apache-2.0
// A reference posterior of posteriordb: STEM.json is a list of chains, each an object from
// `states[1,2]` to its draws; STEM.info.json says how they were made and what the diagnostics are.
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "report/exports.hpp"
#include "report/run_file.hpp"

namespace chancel::report {

std::vector<std::string> export_posteriordb(const TabledRun& tabled, const TabledRun*,
                                            const std::string& stem) {
  const auto& [run, table] = tabled;
  using Json = nlohmann::ordered_json;
  const RunInfo& info = run.description.info;
  Json chains = Json::array();
  for (const auto& rows : table.chains) {
    Json chain = Json::object();
    for (const Variable& v : table.variables)
      for (std::size_t e = 0; e < v.elements(); ++e) {
        Json draws = Json::array();
        for (const std::size_t row : rows) {
          const double x = v.columns[e][row];
          draws.push_back(!std::isfinite(x) ? Json(nullptr)
                          : v.integer       ? Json(static_cast<std::int64_t>(x))
                                            : Json(x));
        }
        chain[v.name + element_suffix(v, e, true)] = std::move(draws);
      }
    if (table.weighted) {
      Json draws = Json::array();
      for (const std::size_t row : rows) draws.push_back(table.log_weights[row]);
      chain["log_weight__"] = std::move(draws);
    }
    chains.push_back(std::move(chain));
  }
  replace_file(stem + ".json", chains.dump() + "\n");

  const Summary summary = summarize_draws({run.draws_file}, run.statistics);
  Json diagnostics = {{"ndraws", table.length() * table.chains.size()},
                      {"nchains", table.chains.size()}};
  const auto collect = [&](double Estimate::*member) {
    Json all = Json::object();
    for (const Estimate& e : summary.estimates)
      all[e.label()] = std::isfinite(e.*member) ? Json(e.*member) : Json(nullptr);
    return all;
  };
  diagnostics["effective_sample_size_bulk"] = collect(&Estimate::ess_bulk);
  diagnostics["effective_sample_size_tail"] = collect(&Estimate::ess_tail);
  diagnostics["r_hat"] = collect(&Estimate::r_hat);
  const Json about = {
      {"name", info.query},
      {"inference",
       {{"method", run.statistics.engine},
        {"method_arguments",
         {{"options", print_engine_options(info.engine_options)},
          {"samples", table.chains.empty() ? 0 : table.chains.front().size()},
          {"warmup", run.statistics.warmup / std::max<std::size_t>(1, table.chains.size())},
          {"burn", run.statistics.burn},
          {"thin", info.thin},
          {"chains", table.chains.size()},
          {"seed", info.seed}}}}},
      {"diagnostics", diagnostics},
      {"weighted", table.weighted},
      {"versions", {{"chancel", run.version}}}};
  replace_file(stem + ".info.json",
               about.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
  return {stem + ".json", stem + ".info.json"};
}

}  // namespace chancel::report
