// SPDX-License-Identifier: Apache-2.0
#include "page/predictive_checks.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "page/histogram.hpp"
#include "report/exports.hpp"
#include "report/predictive.hpp"
#include "report/unit.hpp"
#include "report/weighted.hpp"

namespace chancel::page {
namespace {

using Values = std::vector<double>;

constexpr std::size_t kReplicated = 1000;  // data sets, for statistics
constexpr std::size_t kCurves = 40;        // of them drawn
constexpr std::size_t kCurveEvery = 8;     // point of their densities
constexpr std::size_t kMostObservations = 20'000;
constexpr std::size_t kIntervals = 300;  // drawn
constexpr std::size_t kBars = 40;
constexpr std::size_t kLeastForDensity = 10;  // observations

struct Check {
  Values observed;
  std::size_t first_row = 0;       // of the summary
  std::vector<Values> replicated;  // data sets
  bool integers = true;
};

// The name that the data have: without what says that they are replicated.
std::string data_name(const std::string& label) {
  const std::string name = report::identifier(label);
  for (const char* end : {"_rep", "_pred", "_new", "_hat", "_sim"})
    if (name.ends_with(end)) return name.substr(0, name.size() - std::string(end).size());
  return name;
}

const report::Variable* data_of(const std::vector<report::Variable>& data, const std::string& label,
                                std::size_t count) {
  for (const std::string& name : {report::identifier(label), data_name(label)})
    for (const report::Variable& v : data)
      if (v.name == name && v.elements() == count && count > 1) return &v;
  return nullptr;
}

// The column as numbers in the draws `rows`; false and true are 0 and 1. Nothing: it has others.
std::optional<Values> numbers_of(const report::Column& column,
                                 const std::vector<std::size_t>& rows) {
  if (column.has_missing()) return std::nullopt;
  Values out;
  for (const std::size_t row : rows) {
    if (!column.is_dictionary()) {
      out.push_back(column.number(row));
    } else {
      const std::string text = column.text(row);
      if (text != "true" && text != "false") return std::nullopt;
      out.push_back(text == "true" ? 1 : 0);
    }
  }
  if (!report::are_plain(out)) return std::nullopt;
  return out;
}

bool fill(Check& check, const DrawStore& store) {
  const std::vector<std::size_t> rows = store.pick(kReplicated);
  check.replicated.assign(rows.size(), Values(check.observed.size()));
  for (std::size_t i = 0; i < check.observed.size(); ++i) {
    const report::Column& column = store.column(check.first_row + i);
    const auto numbers = numbers_of(column, rows);
    if (!numbers) return false;
    check.integers = check.integers && (column.is_dictionary() || column.all_integers());
    for (std::size_t r = 0; r < rows.size(); ++r) check.replicated[r][i] = (*numbers)[r];
  }
  return true;
}

Json curve_json(const Values& data) {
  const Curve all = density(data, {}, kAsWeighted, true);
  Curve out;
  for (std::size_t i = 0; i < all.x.size(); i += kCurveEvery) {
    out.x.push_back(all.x[i]);
    out.y.push_back(all.y[i]);
  }
  return {{"x", json_numbers(out.x)}, {"y", json_numbers(out.y)}};
}

Json curves_json(const Check& check) {
  Json out{{"observed", curve_json(check.observed)}, {"replicated", Json::array()}};
  const std::size_t sets = std::min(kCurves, check.replicated.size());
  for (std::size_t k = 0; k < sets; ++k)
    out["replicated"].push_back(curve_json(check.replicated[k * check.replicated.size() / sets]));
  return out;
}

// Shares of the values in data sets: those observed, and 5 %, 50 % and 95 % of those replicated.
Json bars_json(const Check& check) {
  Values ends;
  for (const Values& set : check.replicated) {
    const auto [least, most] = std::minmax_element(set.begin(), set.end());
    ends.push_back(*least);
    ends.push_back(*most);
  }
  const report::Quantiles range(ends, {});
  const auto [least, most] = std::minmax_element(check.observed.begin(), check.observed.end());
  const double low = std::min(*least, std::floor(range.at(0.01)));
  const double high = std::max(*most, std::ceil(range.at(0.99)));
  const double width = std::max(1.0, std::ceil((high - low + 1) / kBars));
  const auto bars = static_cast<std::size_t>(std::floor((high - low) / width)) + 1;
  const auto shares = [&](const Values& set) {
    Values out(bars, 0);
    for (const double x : set)
      if (x >= low && x < low + width * static_cast<double>(bars))
        out[static_cast<std::size_t>((x - low) / width)] += 1 / static_cast<double>(set.size());
    return out;
  };
  std::vector<Values> by_bar(bars);
  for (const Values& set : check.replicated) {
    const Values share = shares(set);
    for (std::size_t b = 0; b < bars; ++b) by_bar[b].push_back(share[b]);
  }
  Values q[3];
  for (const Values& share : by_bar) {
    const report::Quantiles quantiles(share, {});
    q[0].push_back(quantiles.at(0.05));
    q[1].push_back(quantiles.at(0.5));
    q[2].push_back(quantiles.at(0.95));
  }
  return {{"low", low},
          {"width", width},
          {"observed", json_numbers(shares(check.observed))},
          {"low_share", json_numbers(q[0])},
          {"mid_share", json_numbers(q[1])},
          {"high_share", json_numbers(q[2])}};
}

Json intervals_json(const Check& check) {
  const std::size_t count = check.observed.size();
  const std::size_t shown = std::min(count, kIntervals);
  Values x, observed, q5, q50, q95;
  std::size_t inside = 0, next = 0;
  for (std::size_t i = 0; i < count; ++i) {
    Values drawn;
    for (const Values& set : check.replicated) drawn.push_back(set[i]);
    const report::Quantiles quantiles(drawn, {});
    const double low = quantiles.at(0.05), high = quantiles.at(0.95);
    if (check.observed[i] >= low && check.observed[i] <= high) ++inside;
    if (i != next * count / shown) continue;
    ++next;
    x.push_back(static_cast<double>(i));
    observed.push_back(check.observed[i]);
    q5.push_back(low);
    q50.push_back(quantiles.at(0.5));
    q95.push_back(high);
  }
  return {{"x", json_numbers(x)},
          {"observed", json_numbers(observed)},
          {"q5", json_numbers(q5)},
          {"q50", json_numbers(q50)},
          {"q95", json_numbers(q95)},
          {"inside", inside},
          {"of", count}};
}

double mean_of(const Values& x) {
  double sum = 0;
  for (const double v : x) sum += v;
  return sum / static_cast<double>(x.size());
}
double sd_of(const Values& x) { return std::sqrt(report::moments(x, {}).variance); }
double least_of(const Values& x) { return *std::min_element(x.begin(), x.end()); }
double most_of(const Values& x) { return *std::max_element(x.begin(), x.end()); }

struct Statistic {
  const char* name;
  double (*of)(const Values&);
  bool whole;  // of whole numbers it is one
};
constexpr Statistic kStatistics[] = {{"mean", mean_of, false},
                                     {"sd", sd_of, false},
                                     {"min", least_of, true},
                                     {"max", most_of, true}};

Json statistics_json(const Check& check) {
  Json out = Json::array();
  const bool truth =
      check.integers && least_of(check.observed) >= 0 && most_of(check.observed) <= 1;
  for (const Statistic& statistic : kStatistics) {
    if (truth && statistic.of != mean_of) continue;  // of zeros and ones the mean says all
    const double observed = statistic.of(check.observed);
    Values replicated;
    double larger = 0;
    for (const Values& set : check.replicated) {
      replicated.push_back(statistic.of(set));
      larger += replicated.back() > observed ? 1 : replicated.back() == observed ? 0.5 : 0;
    }
    const Histogram h = histogram(replicated, {}, check.integers && statistic.whole);
    out.push_back(
        {{"name", statistic.name},
         {"observed", json_number(observed)},
         {"p", json_number(larger / static_cast<double>(replicated.size()))},
         {"histogram", {{"low", h.low}, {"high", h.high}, {"mass", json_numbers(h.mass)}}}});
  }
  return out;
}

}  // namespace

Json predictive_checks(const RunRecord& run, const Summary& summary, const DrawStore& store) {
  Json out = Json::array();
  const std::vector<report::Variable> data = report::observed_data(run.description);
  for (std::size_t i = 0, end = 0; i < summary.estimates.size(); i = end) {
    const std::string& label = summary.estimates[i].predict;
    for (end = i; end < summary.estimates.size() && summary.estimates[end].predict == label; ++end)
      continue;
    if (!report::is_predictive(label, run.statistics)) continue;
    const report::Variable* found = data_of(data, label, end - i);
    if (found == nullptr || end - i > kMostObservations) continue;
    Check check;
    check.first_row = i;
    check.integers = found->integer;
    for (const auto& column : found->columns) check.observed.push_back(column[0]);
    if (!report::are_plain(check.observed) || !fill(check, store)) continue;
    Json chart{{"label", label}, {"data", found->label}};
    if (check.integers)
      chart["bars"] = bars_json(check);
    else if (check.observed.size() >= kLeastForDensity)
      chart["curves"] = curves_json(check);
    chart["intervals"] = intervals_json(check);
    chart["statistics"] = statistics_json(check);
    out.push_back(std::move(chart));
  }
  return out;
}

}  // namespace chancel::page
