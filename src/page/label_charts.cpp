// SPDX-License-Identifier: Apache-2.0
#include "page/label_charts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "page/series.hpp"
#include "report/autocovariance.hpp"
#include "report/unit.hpp"

namespace chancel::page {
namespace {

using report::Chains;
using report::Unit;

constexpr std::size_t kRankBins = 20;
constexpr std::size_t kRunningPoints = 200;
constexpr std::size_t kRunningValues = 5;    // probabilities whose course is shown
constexpr std::size_t kMaxGroupValues = 10;  // told apart in a stack
constexpr std::size_t kLeastForRanks = 40;   // draws; fewer show only noise
constexpr std::size_t kMaxValueText = 60;
constexpr std::size_t kMostLags = 50;

std::string shortened(const std::string& text) {
  if (text.size() <= kMaxValueText) return text;
  std::size_t end = kMaxValueText - 3;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return text.substr(0, end) + "...";
}

// Draws are counted as in the run, of which every step-th is here.
Json course_json(Curve curve, std::size_t step) {
  for (double& x : curve.x) x *= static_cast<double>(step);
  return {{"x", json_numbers(curve.x)}, {"y", json_numbers(curve.y)}};
}

std::vector<double> flat(const Chains& chains) {
  std::vector<double> out;
  for (const auto& chain : chains) out.insert(out.end(), chain.begin(), chain.end());
  return out;
}

// Integers in a narrow range: those between them that did not come up have a place too.
constexpr std::int64_t kMostPlaces = 60;
std::vector<std::string> places_of(const Estimate& row) {
  std::vector<std::string> places;
  std::int64_t low = INT64_MAX, high = INT64_MIN;
  for (const Support& s : row.support) {
    places.push_back(s.value);
    if (!row.numeric) continue;
    low = std::min<std::int64_t>(low, std::stoll(s.value));
    high = std::max<std::int64_t>(high, std::stoll(s.value));
  }
  if (!row.numeric || places.empty() ||
      static_cast<double>(high) - static_cast<double>(low) >= kMostPlaces)
    return places;
  places.clear();
  for (std::int64_t value = low; value <= high; ++value) places.push_back(std::to_string(value));
  return places;
}

Json bars_json(const Estimate& row) {
  Json values = Json::array();
  std::vector<double> p, mcse;
  double other = 1;
  for (const Support& s : row.support) other -= s.probability;
  for (const std::string& place : places_of(row)) {
    const auto found = std::find_if(row.support.begin(), row.support.end(),
                                    [&](const Support& s) { return s.value == place; });
    values.push_back(shortened(place));
    p.push_back(found == row.support.end() ? 0 : found->probability);
    mcse.push_back(found == row.support.end() ? NAN : found->mcse);
  }
  return {{"values", values},
          {"p", json_numbers(p)},
          {"mcse", json_numbers(mcse)},
          {"whole", row.numeric},
          {"other", json_number(other > 1e-9 ? other : 0)}};
}

Json histogram_json(const Histogram& h) {
  return {{"low", h.low},
          {"high", h.high},
          {"mass", json_numbers(h.mass)},
          {"below", json_number(h.below)},
          {"above", json_number(h.above)}};
}

// Only draws of equal weight follow one another as a chain does.
Json trace_json(const Chains& chains, const Estimate& row, bool names_only,
                const ChartBudget& budget) {
  const std::size_t shown = std::min(chains.size(), budget.curves);
  Json out{{"names", Json::array()}, {"curves", Json::array()}};
  for (std::size_t c = 0; c < shown; ++c) {
    const std::size_t most = std::max<std::size_t>(50, budget.points / shown);
    out["names"].push_back(fmt::format("chain {}", c + 1));
    const bool real = row.kind == Estimate::Kind::Real;
    out["curves"].push_back(
        course_json(real ? thin_trace(chains[c], most) : pick_trace(chains[c], most), budget.step));
  }
  if (names_only) {
    out["values"] = Json::array();
    for (const Support& s : row.support) out["values"].push_back(shortened(s.value));
  }
  return out;
}

Json ranks_json(const Chains& chains, const Chains& weights, const ChartBudget& budget) {
  const Parts parts = parts_of(chains, weights);
  const auto shares = rank_shares(parts, kRankBins);
  Json out{{"names", Json::array()}, {"shares", Json::array()}};
  for (std::size_t p = 0; p < std::min(shares.size(), budget.curves); ++p) {
    out["names"].push_back(parts.names[p]);
    out["shares"].push_back(json_numbers(shares[p]));
  }
  return out;
}

Json running_json(const Chains& chains, const Chains& weights, const Estimate& row, bool names_only,
                  const ChartBudget& budget) {
  Json out{{"names", Json::array()}, {"curves", Json::array()}, {"probability", names_only}};
  const auto weights_of = [&](std::size_t c) {
    return weights.empty() ? std::vector<double>() : weights[c];
  };
  if (!names_only) {
    for (std::size_t c = 0; c < std::min(chains.size(), budget.curves); ++c) {
      out["names"].push_back(fmt::format("chain {}", c + 1));
      out["curves"].push_back(
          course_json(running_mean(chains[c], weights_of(c), kRunningPoints), budget.step));
    }
    return out;
  }
  // Probabilities of the likeliest values, over all chains one after the other.
  std::vector<std::size_t> order(row.support.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return row.support[a].probability > row.support[b].probability;
  });
  const std::vector<double> all = flat(chains), all_weights = flat(weights);
  for (std::size_t k = 0; k < std::min(order.size(), kRunningValues); ++k) {
    std::vector<double> is(all.size());
    for (std::size_t i = 0; i < all.size(); ++i)
      is[i] = all[i] == static_cast<double>(order[k]) ? 1 : 0;
    out["names"].push_back(shortened(row.support[order[k]].value));
    out["curves"].push_back(
        course_json(running_mean(is, all_weights, kRunningPoints), budget.step));
  }
  return out;
}

// The autocorrelation of draws by lag, for each chain.
Json autocorrelation_json(const Chains& chains, const ChartBudget& budget) {
  Json out{{"names", Json::array()}, {"curves", Json::array()}};
  for (std::size_t c = 0; c < std::min(chains.size(), budget.curves); ++c) {
    report::Autocovariance covariance(chains[c]);
    if (covariance.size() < kLeastForRanks || !(covariance.at(0) > 0)) continue;
    Curve curve;
    for (std::size_t lag = 0; lag <= std::min(kMostLags, covariance.size() / 2); ++lag) {
      curve.x.push_back(static_cast<double>(lag));
      curve.y.push_back(covariance.at(lag) / covariance.at(0));
    }
    out["names"].push_back(fmt::format("chain {}", c + 1));
    out["curves"].push_back(course_json(curve, budget.step));
  }
  return out;
}

Unit unit_of(const Chains& chains) {
  double largest = 0;
  for (const auto& chain : chains) largest = Unit::largest(chain, largest);
  return Unit::of(largest);
}

}  // namespace

Json label_charts(const Estimate& given, const Series& given_series, const ChartBudget& budget) {
  Json out{{"label", given.label()}};
  const Unit unit = given.kind == Estimate::Kind::Real ? unit_of(given_series.values) : Unit();
  if (!unit.is_one()) out["unit"] = unit.text();
  Estimate row = given;
  for (double* x : {&row.mean, &row.mcse, &row.sd, &row.q5, &row.q50, &row.q95})
    *x = unit.scaled(*x);
  Series series = given_series;
  if (!unit.is_one())
    for (auto& chain : series.values)
      for (double& x : chain) x = unit.scaled(x);
  const Chains& chains = series.values;
  const bool names_only = !row.numeric;
  constexpr const char* kKinds[] = {"real", "discrete", "structure"};
  out["kind"] = kKinds[static_cast<int>(row.kind)];
  if (row.numeric) {
    out["mean"] = json_number(row.mean);
    out["mcse"] = json_number(row.mcse);
    out["q5"] = json_number(row.q5);
    out["q50"] = json_number(row.q50);
    out["q95"] = json_number(row.q95);
  }
  std::size_t draws = 0;
  for (const auto& chain : chains) draws += chain.size();
  if (draws == 0) return out;
  if (row.kind == Estimate::Kind::Real) {
    const std::vector<double> x = flat(chains), w = flat(series.weights);
    out["histogram"] = histogram_json(histogram(x, w, series.integers, row.ess_bulk));
    const Curve curve = series.integers ? Curve{} : density(x, w, row.ess_bulk);
    if (!curve.x.empty()) out["density"] = course_json(curve, 1);
  } else {
    out["bars"] = bars_json(row);
  }
  if (draws < 2) return out;
  // The particles of a sweep have no order in time, so they do not form a trace.
  if (series.weights.empty()) out["trace"] = trace_json(chains, row, names_only, budget);
  if (!names_only && draws >= kLeastForRanks && row.sd > 0)
    out["ranks"] = ranks_json(chains, series.weights, budget);
  if (!names_only && series.weights.empty() && row.sd > 0)
    if (Json curves = autocorrelation_json(chains, budget); !curves["curves"].empty())
      out["autocorrelation"] = std::move(curves);
  out["running"] = running_json(chains, series.weights, row, names_only, budget);
  return out;
}

namespace {

// Numbers, or integers with more values than can be told apart in a stack.
bool are_numbers(std::span<const Estimate> rows) {
  std::set<std::string> values;
  bool real = false;
  for (const Estimate& row : rows) {
    if (!row.numeric) return false;
    real = real || row.kind == Estimate::Kind::Real;
    for (const Support& s : row.support) values.insert(s.value);
  }
  return real || values.size() > kMaxGroupValues;
}

}  // namespace

Json group_chart(std::span<const Estimate> rows) {
  Json out{{"label", rows.front().predict}, {"paths", Json::array()}};
  const bool numbers = are_numbers(rows);
  for (const Estimate& row : rows) {
    if (row.kind == Estimate::Kind::Structure) return nullptr;
    if (!numbers && row.kind != rows.front().kind) return nullptr;
    out["paths"].push_back(row.path);
  }
  if (numbers) {
    std::vector<double> mean, q5, q95;
    for (const Estimate& row : rows) {
      mean.push_back(row.mean);
      q5.push_back(row.q5);
      q95.push_back(row.q95);
    }
    const Unit unit = unit_of({mean, q5, q95});
    if (!unit.is_one()) out["unit"] = unit.text();
    for (auto* numbers : {&mean, &q5, &q95})
      for (double& x : *numbers) x = unit.scaled(x);
    out["mean"] = json_numbers(mean);
    out["q5"] = json_numbers(q5);
    out["q95"] = json_numbers(q95);
    return out;
  }
  // Values by their probability over all parts; shown in their own order.
  std::map<std::string, double> weight_of;
  bool numeric = true;
  for (const Estimate& row : rows) {
    numeric = numeric && row.numeric;
    for (const Support& s : row.support) weight_of[s.value] += s.probability;
  }
  std::vector<std::string> values;
  for (const auto& [value, weight] : weight_of) values.push_back(value);
  std::stable_sort(values.begin(), values.end(), [&](const std::string& a, const std::string& b) {
    return weight_of[a] > weight_of[b];
  });
  if (values.size() > kMaxGroupValues) values.resize(kMaxGroupValues);
  std::sort(values.begin(), values.end(), [&](const std::string& a, const std::string& b) {
    return numeric ? std::stoll(a) < std::stoll(b) : a < b;
  });
  out["values"] = Json::array();
  out["p"] = Json::array();
  std::vector<double> other(rows.size(), 1);
  for (const std::string& value : values) {
    std::vector<double> p(rows.size(), 0);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      for (const Support& s : rows[i].support)
        if (s.value == value) p[i] = s.probability;
      other[i] -= p[i];
    }
    out["values"].push_back(shortened(value));
    out["p"].push_back(json_numbers(p));
  }
  if (*std::max_element(other.begin(), other.end()) > 1e-6) {
    out["values"].push_back("others");
    out["p"].push_back(json_numbers(other));
  }
  return out;
}

}  // namespace chancel::page
