// SPDX-License-Identifier: Apache-2.0
// The summary as one JSON object; docs/summary.md has the schema. A statistic that is not defined
// is null.
#include <cmath>
#include <nlohmann/json.hpp>

#include "chancel/chancel.hpp"
#include "chancel/summary.hpp"
#include "report/command_to_repeat.hpp"
#include "report/statistic_fields.hpp"

namespace chancel {
namespace {

using Json = nlohmann::ordered_json;

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

const char* kind_name(Estimate::Kind kind) {
  switch (kind) {
    case Estimate::Kind::Real:
      return "real";
    case Estimate::Kind::Discrete:
      return "discrete";
    case Estimate::Kind::Structure:
      return "structure";
  }
  return "real";
}

Json estimate_json(const Estimate& row) {
  Json out;
  out["kind"] = kind_name(row.kind);
  out["presence"] = number(row.presence);
  constexpr const char* kChanges[] = {"yes", "no", "coalesced", "fixed"};
  out["changes"] = kChanges[static_cast<int>(row.change)];
  if (row.numeric) {
    out["mean"] = number(row.mean);
    out["sd"] = number(row.sd);
    out["mcse"] = number(row.mcse);
    out["mad"] = number(row.mad);
    out["quantiles"] = {{"5%", number(row.q5)}, {"50%", number(row.q50)}, {"95%", number(row.q95)}};
  }
  out["ess_bulk"] = number(row.ess_bulk);
  out["ess_tail"] = number(row.ess_tail);
  out["rhat"] = number(row.r_hat);
  if (row.kind != Estimate::Kind::Real) {
    out["distinct"] = row.distinct;
    Json support = Json::array();
    for (const Support& s : row.support) {
      support.push_back(
          {{"value", s.value}, {"p", number(s.probability)}, {"mcse", number(s.mcse)}});
    }
    out["support"] = support;
  }
  return out;
}

Json diagnostics_json(const Summary& summary, const RunStatistics& statistics) {
  Json out;
  out["draws"] = summary.draws;
  out["sweeps"] = summary.sweeps;
  out["chains"] = summary.chains;
  out["weighted"] = summary.weighted;
  out["weight_ess"] = number(summary.weight_ess);
  out["pareto_k"] = number(summary.pareto_k);
  out["interrupted"] = statistics.interrupted;
  for (const report::CountField& field : report::kStatisticCounts)
    out[field.name] = statistics.*field.member;
  for (const report::RealField& field : report::kStatisticReals)
    out[field.name] = number(statistics.*field.member);
  out["energy_fraction"] = number(summary.energy_fraction);
  out["divergence_places"] = report::divergence_places_json(statistics);
  out["chain_densities"] = report::chain_densities_json(statistics);
  out["improper_draws"] = statistics.improper_draws;
  out["other_engines"] = report::other_engines_json(statistics);
  out["sites"] = report::sites_json(statistics);
  return out;
}

}  // namespace

std::string json(const Summary& summary, const RunStatistics& statistics, const RunInfo& info) {
  Json out;
  out["chancel"] = version();
  out["program"] = info.program;
  out["query"] = info.query;
  out["algorithm"] = info.algorithm;
  out["engine"] = statistics.engine;
  out["family"] = statistics.family;
  out["choice"] = statistics.choice;
  out["stopped"] = statistics.stopped;
  out["rounds"] = statistics.rounds;
  out["options"] = {{"algorithm_options", print_engine_options(info.engine_options)},
                    {"value", info.value},
                    {"ess", report::optional_json(info.ess)},
                    {"rounds", report::optional_json(info.rounds)},
                    {"warmup", report::optional_json(info.warmup)},
                    {"burn", report::optional_json(info.burn)},
                    {"thin", info.thin},
                    {"thin_used", statistics.thin},
                    {"burn_used", statistics.burn},
                    {"chains", std::max(1u, summary.chains)}};
  out["seed"] = info.seed;
  out["samples"] = report::optional_json(info.samples);
  out["command"] = report::command_to_repeat(info, statistics);
  out["log_evidence"] = nullptr;
  if (statistics.log_evidence) {
    out["log_evidence"] = {
        {"value", number(*statistics.log_evidence)},
        {"se", statistics.log_evidence_se ? number(*statistics.log_evidence_se) : Json(nullptr)}};
  }
  if (statistics.left_out) out["left_out"] = number(*statistics.left_out);
  Json predicts = Json::object();
  for (const Estimate& row : summary.estimates) predicts[row.label()] = estimate_json(row);
  out["predicts"] = predicts;
  out["diagnostics"] = diagnostics_json(summary, statistics);
  Json warnings = Json::array();
  for (const Advice& advice : advise(summary, statistics)) {
    const char* words[] = {"grave", "doubt", "note"};
    warnings.push_back({{"weight", words[static_cast<int>(advice.weight)]},
                        {"code", advice.code},
                        {"message", advice.message},
                        {"hint", advice.hint}});
  }
  out["warnings"] = warnings;
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace chancel
