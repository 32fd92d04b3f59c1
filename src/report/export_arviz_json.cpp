// SPDX-License-Identifier: Apache-2.0
// What arviz.from_json reads: groups of variables as nested arrays (chain, draw, the variable's own
// dimensions). Not-a-number is NaN, as Python's json has it.
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "report/exports.hpp"
#include "report/run_file.hpp"

namespace chancel::report {
namespace {

std::string number(double x, bool integer) {
  if (std::isnan(x)) return "NaN";
  if (std::isinf(x)) return x > 0 ? "Infinity" : "-Infinity";
  return integer ? fmt::format("{}", static_cast<std::int64_t>(x)) : fmt::format("{}", x);
}

// The elements from `first` on, nested by the dimensions from `depth` on.
void append_nested(std::string& out, const Variable& v, std::size_t row, std::size_t depth,
                   std::size_t first, std::size_t stride) {
  if (depth == v.shape.size()) {
    out += number(v.columns[first][row], v.integer);
    return;
  }
  stride /= v.shape[depth];
  out += '[';
  for (std::size_t i = 0; i < v.shape[depth]; ++i) {
    if (i > 0) out += ',';
    append_nested(out, v, row, depth + 1, first + i * stride, stride);
  }
  out += ']';
}

template <class Element>
void append_by_chain(std::string& out, const DrawTable& table, const Element& element) {
  out += '[';
  for (std::size_t c = 0; c < table.chains.size(); ++c) {
    out += c > 0 ? ",[" : "[";
    for (std::size_t i = 0; i < table.length(); ++i) {
      if (i > 0) out += ',';
      element(table.chains[c][i]);
    }
    out += ']';
  }
  out += ']';
}

}  // namespace

std::vector<std::string> export_arviz_json(const DrawTable& table, const RunRecord& run,
                                           const std::string& stem) {
  using Json = nlohmann::ordered_json;
  const RunInfo& info = run.description.info;
  std::string out;
  const auto add_group = [&](const char* name, const std::vector<Variable>& variables) {
    out += fmt::format("{}\"{}\":{{", out.empty() ? "{" : ",", name);
    for (const Variable& v : variables) {
      out += fmt::format("{}\"{}\":", &v == variables.data() ? "" : ",", v.name);
      append_by_chain(out, table,
                      [&](std::size_t row) { append_nested(out, v, row, 0, 0, v.elements()); });
    }
    out += "}";
  };
  add_group(info.prior ? "prior" : "posterior", table.variables);
  std::string stats;
  const auto add_statistic = [&](const std::string& name, const std::vector<double>& column,
                                 bool integer) {
    stats += fmt::format("{}\"{}\":", stats.empty() ? "" : ",", name);
    append_by_chain(stats, table, [&](std::size_t row) { stats += number(column[row], integer); });
  };
  for (const Variable& v : table.sampler) add_statistic(v.name, v.columns[0], v.integer);
  if (table.weighted) add_statistic("log_weight", table.log_weights, false);
  if (!stats.empty())
    out += fmt::format(",\"{}\":{{{}}}", info.prior ? "sample_stats_prior" : "sample_stats", stats);
  const std::vector<Variable> data = observed_data(run.description);
  for (const Variable& v : data) {
    out += fmt::format("{}\"{}\":", &v == data.data() ? ",\"observed_data\":{" : ",", v.name);
    append_nested(out, v, 0, 0, 0, v.elements());
  }
  if (!data.empty()) out += "}";
  if (!table.log_likelihood.empty()) add_group("log_likelihood", table.log_likelihood);
  Json attributes = {{"inference_library", "chancel"}, {"inference_library_version", run.version},
                     {"algorithm", info.algorithm},    {"seed", info.seed},
                     {"program", info.program},        {"query", info.query}};
  for (const Variable& v : table.variables)
    if (!v.meanings.empty()) attributes["values_of_" + v.name] = v.meanings;
  out += (info.prior ? ",\"prior_attrs\":" : ",\"posterior_attrs\":") +
         attributes.dump(-1, ' ', false, Json::error_handler_t::replace) + "}\n";
  replace_file(stem + ".json", out);
  return {stem + ".json"};
}

}  // namespace chancel::report
