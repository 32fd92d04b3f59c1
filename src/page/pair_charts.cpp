// SPDX-License-Identifier: Apache-2.0
#include "page/pair_charts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "report/correlation.hpp"
#include "report/file_error.hpp"
#include "report/predictive.hpp"
#include "report/unit.hpp"

namespace chancel::page {
namespace {

constexpr std::size_t kCandidates = 60;  // that are compared with each other
constexpr std::size_t kSampled = 1000;   // draws, for that
constexpr std::size_t kPoints = 500;     // drawn
constexpr std::size_t kDivergent = 300;  // drawn beside them
constexpr std::size_t kWanted = 10;      // labels, at most
constexpr std::size_t kTelling = 5;      // divergent draws, from which on they decide

using Values = std::vector<double>;

Values values_at(const report::Column& column, const std::vector<std::size_t>& rows) {
  Values out;
  for (const std::size_t row : rows) out.push_back(column.number(row));
  return out;
}

struct Spread {
  double mean = 0, sd = 0;
};
Spread spread_of(const Values& x) {
  Spread s;
  for (const double v : x) s.mean += v / static_cast<double>(x.size());
  for (const double v : x) s.sd += (v - s.mean) * (v - s.mean) / static_cast<double>(x.size());
  s.sd = std::sqrt(s.sd);
  return s;
}

std::vector<std::size_t> wanted_rows(const Summary& summary, const DrawStore& store,
                                     const std::vector<std::string>& wanted) {
  std::vector<std::size_t> rows;
  for (const std::string& label : wanted) {
    const std::size_t before = rows.size();
    for (std::size_t i = 0; i < summary.estimates.size(); ++i) {
      const Estimate& row = summary.estimates[i];
      const auto is = [&](const std::string& name) { return name == label || name == ":" + label; };
      if (!is(row.label()) && !is(row.predict)) continue;
      if (!row.numeric || store.numbers(i) == nullptr ||
          !report::are_plain(values_at(*store.numbers(i), store.pick(kPoints))))
        report::throw_malformed("--pairs", fmt::format("{} is not always a number", row.label()));
      if (std::find(rows.begin(), rows.end(), i) == rows.end()) rows.push_back(i);
    }
    if (rows.size() == before)
      report::throw_malformed("--pairs", fmt::format("there is no label {}", label));
  }
  if (rows.size() > kWanted) rows.resize(kWanted);
  return rows;
}

}  // namespace

PairChoice choose_pairs(const Summary& summary, const RunStatistics& statistics,
                        const DrawStore& store, const std::vector<std::string>& wanted) {
  PairChoice choice;
  if (!wanted.empty()) {
    choice.rows = wanted_rows(summary, store, wanted);
    return choice;
  }
  const std::vector<std::size_t> sampled = store.pick(kSampled);
  std::vector<Values> values;
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < summary.estimates.size() && rows.size() < kCandidates; ++i) {
    const Estimate& row = summary.estimates[i];
    if (row.kind != Estimate::Kind::Real || store.numbers(i) == nullptr ||
        report::is_predictive(row.label(), statistics))
      continue;
    Values x = values_at(*store.numbers(i), sampled);
    if (!report::are_plain(x) || !(spread_of(x).sd > 0)) continue;
    values.push_back(std::move(x));
    rows.push_back(i);
  }
  if (rows.size() <= PairChoice::kMost) {
    choice.rows = rows;
    return choice;
  }
  choice.chosen = true;
  std::vector<double> worth(rows.size(), 0);
  const auto& divergent = store.divergent_rows();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (divergent.size() >= kTelling) {
      const Spread all = spread_of(values[i]);
      worth[i] =
          std::fabs(spread_of(values_at(*store.numbers(rows[i]), divergent)).mean - all.mean) /
          all.sd;
      continue;
    }
    for (std::size_t j = 0; j < rows.size(); ++j)
      if (j != i)
        worth[i] = std::max(worth[i], std::fabs(report::correlation(values[i], values[j])));
  }
  std::vector<std::size_t> order;
  const auto take = [&](std::size_t i) {
    if (order.size() < PairChoice::kMost && std::find(order.begin(), order.end(), i) == order.end())
      order.push_back(i);
  };
  take(static_cast<std::size_t>(std::max_element(worth.begin(), worth.end()) - worth.begin()));
  while (order.size() < PairChoice::kMost) {
    std::size_t best = 0;
    double most = -1;
    for (std::size_t j = 0; j < rows.size(); ++j) {
      if (std::find(order.begin(), order.end(), j) != order.end()) continue;
      for (const std::size_t i : order)
        if (const double r = std::fabs(report::correlation(values[i], values[j])); r > most) {
          most = r;
          best = j;
        }
    }
    take(best);
  }
  std::sort(order.begin(), order.end());
  for (const std::size_t i : order) choice.rows.push_back(rows[i]);
  return choice;
}

Json pair_charts(const PairChoice& choice, const Summary& summary, const DrawStore& store) {
  if (choice.rows.size() < 2) return nullptr;
  const std::vector<std::size_t> sampled = store.pick(kPoints);
  std::vector<std::size_t> divergent = store.divergent_rows();
  if (divergent.size() > kDivergent) {
    for (std::size_t i = 0; i < kDivergent; ++i)
      divergent[i] = divergent[i * divergent.size() / kDivergent];
    divergent.resize(kDivergent);
  }
  Json out{{"labels", Json::array()},
           {"values", Json::array()},
           {"divergent", Json::array()},
           {"correlation", Json::array()}};
  const std::vector<std::size_t> many = store.pick(kSampled);
  for (const std::size_t i : choice.rows) {
    const report::Column& column = *store.numbers(i);
    out["labels"].push_back(summary.estimates[i].label());
    out["values"].push_back(json_numbers(values_at(column, sampled)));
    out["divergent"].push_back(json_numbers(values_at(column, divergent)));
    std::vector<double> row;
    for (const std::size_t j : choice.rows)
      row.push_back(
          report::correlation(values_at(column, many), values_at(*store.numbers(j), many)));
    out["correlation"].push_back(json_numbers(row));
  }
  return out;
}

}  // namespace chancel::page
