// SPDX-License-Identifier: Apache-2.0
// See chancel/loo.hpp.
#include "chancel/loo.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "data/csv.hpp"
#include "math/log_space.hpp"
#include "math/pareto_smoothing.hpp"
#include "report/convergence.hpp"
#include "report/draw_table.hpp"
#include "report/file_error.hpp"
#include "report/run_json.hpp"

namespace chancel {

using namespace report;

namespace {

constexpr double kLargestShape = 0.7;

double mean(const std::vector<double>& x) {
  double sum = 0;
  for (const double v : x) sum += v;
  return sum / static_cast<double>(x.size());
}
double variance(const std::vector<double>& x) {
  const double m = mean(x);
  double sum = 0;
  for (const double v : x) sum += (v - m) * (v - m);
  return sum / static_cast<double>(x.size() - 1);
}
LooEstimate total(const std::vector<double>& terms, double factor = 1) {
  const auto n = static_cast<double>(terms.size());
  const double se = terms.size() > 1 ? std::sqrt(n * variance(terms)) : NAN;
  return {factor * n * mean(terms), std::fabs(factor) * se};
}

// Effective over actual draws of a likelihood: the tail of its reciprocal is longer in slow chains.
double relative_efficiency(const std::vector<double>& log_lik, std::size_t chains) {
  const double largest = *std::max_element(log_lik.begin(), log_lik.end());
  Chains values(chains);
  const std::size_t length = log_lik.size() / chains;
  for (std::size_t c = 0; c < chains; ++c)
    for (std::size_t i = 0; i < length; ++i)
      values[c].push_back(std::exp(log_lik[c * length + i] - largest));
  const double share = ess_mean(values) / static_cast<double>(log_lik.size());
  return share > 0 ? share : 1;  // a constant has none
}

LooTerm leave_out(const std::vector<double>& log_lik, std::size_t chains) {
  LooTerm term;
  std::vector<double> weights = log_lik;
  for (double& w : weights) w = -w;
  term.pareto_k = smooth_pareto_tail(weights, relative_efficiency(log_lik, chains));
  const double sum = log_sum_exp(weights);
  for (std::size_t i = 0; i < weights.size(); ++i) weights[i] += log_lik[i] - sum;
  term.elpd = log_sum_exp(weights);
  const double lpd = log_mean_exp(log_lik);
  term.p = lpd - term.elpd;
  term.p_waic = variance(log_lik);
  term.elpd_waic = lpd - term.p_waic;
  return term;
}

std::vector<std::size_t> lines_of_observes(const RunFolder& folder) {
  data::Columns columns;
  data::DataError error;
  std::vector<std::size_t> lines;
  if (folder.has("observes.csv") &&
      data::read_columns(folder.read("observes.csv", kMostInDescription), &columns, &error) &&
      columns.cells.size() == 2)
    for (const data::Node& cell : columns.cells[1])
      lines.push_back(static_cast<std::size_t>(cell.integer));
  return lines;
}

}  // namespace

std::size_t Loo::untrusted() const {
  return static_cast<std::size_t>(std::count_if(
      terms.begin(), terms.end(), [](const LooTerm& t) { return t.pareto_k > kLargestShape; }));
}

Loo leave_one_out(const std::vector<std::vector<double>>& columns, std::size_t chains) {
  Loo out;
  out.draws = columns.front().size();
  out.chains = chains;
  std::vector<double> elpd, p, elpd_waic, p_waic;
  for (const std::vector<double>& column : columns) {
    const LooTerm term = leave_out(column, chains);
    elpd.push_back(term.elpd);
    p.push_back(term.p);
    elpd_waic.push_back(term.elpd_waic);
    p_waic.push_back(term.p_waic);
    out.terms.push_back(term);
  }
  out.elpd_loo = total(elpd);
  out.p_loo = total(p);
  out.looic = total(elpd, -2);
  out.elpd_waic = total(elpd_waic);
  out.p_waic = total(p_waic);
  out.waic = total(elpd_waic, -2);
  return out;
}

Loo leave_one_out(const std::string& directory) {
  const RunFolder folder(directory);
  const RunRecord run = parse_run_json(folder);
  const std::string name = pointwise_file_name(run.description), path = folder.path_of(name);
  if (!folder.has(name))
    throw_malformed(directory, "the run has not kept the log-likelihoods of its observes",
                    "chancel infer ... --pointwise --out DIR keeps them");
  ::close(folder.open_to_read(name));  // refuses a link
  const DrawTable table = read_draw_table(path);
  if (table.length() < 2 || table.variables.size() != 1 || table.variables[0].name != "log_lik")
    throw_malformed(path,
                    "there is nothing to leave out: the query observes nothing, or one draw "
                    "has been made");
  if (table.weighted)
    throw_malformed(path, "the draws have weights, and each counts alike here",
                    "use an engine whose draws have none, such as nuts or lmh");
  std::vector<std::vector<double>> columns;
  for (const std::vector<double>& from : table.variables[0].columns) {
    std::vector<double>& column = columns.emplace_back();
    for (const auto& rows : table.chains)
      for (const std::size_t row : rows) column.push_back(from[row]);
    if (std::any_of(column.begin(), column.end(), [](double x) { return std::isnan(x); }))
      throw_malformed(path, "the draws have different numbers of observes");
  }
  Loo out = leave_one_out(columns, table.chains.size());
  const std::vector<std::size_t> lines = lines_of_observes(folder);
  for (std::size_t i = 0; i < std::min(lines.size(), out.terms.size()); ++i)
    out.terms[i].line = lines[i];
  return out;
}

std::vector<LooComparison> compare_runs(const std::vector<std::string>& directories) {
  std::vector<LooComparison> out;
  for (const std::string& directory : directories) {
    out.push_back({directory, leave_one_out(directory), {}});
    if (out.back().loo.terms.size() != out.front().loo.terms.size())
      throw_malformed(directory,
                      fmt::format("it has {} observes, and {} has {}", out.back().loo.terms.size(),
                                  out.front().name, out.front().loo.terms.size()),
                      "only models of the same data, observed in the same parts, can be compared");
  }
  std::stable_sort(out.begin(), out.end(), [](const auto& a, const auto& b) {
    return a.loo.elpd_loo.value > b.loo.elpd_loo.value;
  });
  for (LooComparison& c : out) {
    std::vector<double> differences;
    for (std::size_t i = 0; i < c.loo.terms.size(); ++i)
      differences.push_back(c.loo.terms[i].elpd - out.front().loo.terms[i].elpd);
    c.difference = total(differences);
  }
  return out;
}

}  // namespace chancel
