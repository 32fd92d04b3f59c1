// SPDX-License-Identifier: Apache-2.0
#include "report/estimate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "report/convergence.hpp"
#include "report/normal_quantile.hpp"
#include "report/weighted.hpp"

namespace chancel::report {
namespace {

constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kMaxDiscrete =
    20;  // more different integers than this are described as a real quantity
constexpr std::size_t kMaxStructures = 10;  // most probable structures that are listed

// The draws that have a value: rows by chain, and their weights.
struct Present {
  std::vector<std::vector<std::size_t>> rows;
  Chains weights;  // empty = equal
  double share = 1;
  bool many_per_sweep = false;
  bool has_r_hat = false;
};

Present present_rows(const Column& column, const DrawFrame& frame) {
  Present present;
  present.many_per_sweep = frame.sweeps_have_many();
  // Chains are compared by their halves, so each half needs sweeps of its own.
  present.has_r_hat = frame.sweeps >= 4 * frame.rows_of_chain.size();
  double all = 0;
  double here = 0;
  for (const auto& chain : frame.rows_of_chain) {
    auto& rows = present.rows.emplace_back();
    for (std::size_t row : chain) {
      const double weight = frame.weights.empty() ? 1.0 : frame.weights[row];
      all += weight;
      if (row >= column.rows() || column.is_missing(row)) continue;
      here += weight;
      rows.push_back(row);
    }
    if (rows.empty()) present.rows.pop_back();
  }
  if (!frame.weights.empty()) {
    for (const auto& rows : present.rows) {
      auto& weights = present.weights.emplace_back();
      for (std::size_t row : rows) weights.push_back(frame.weights[row]);
    }
  }
  present.share = all > 0 ? here / all : 0;
  return present;
}

std::vector<double> flat(const Chains& chains) {
  std::vector<double> all;
  for (const auto& chain : chains) all.insert(all.end(), chain.begin(), chain.end());
  return all;
}

// Chains of equal length, as the diagnostics want them: cut to the shortest.
Chains even(Chains chains) {
  std::size_t length = std::numeric_limits<std::size_t>::max();
  for (const auto& chain : chains) length = std::min(length, chain.size());
  for (auto& chain : chains) chain.resize(length);
  return chains;
}

// min(1, ESS(z) / n) of z = w (x - centre): what is left of n draws once their dependence is
// counted.
double independence(const Chains& x, const Present& present, double centre) {
  if (!present.many_per_sweep) return 1;
  Chains z = x;
  for (std::size_t c = 0; c < z.size(); ++c) {
    for (std::size_t i = 0; i < z[c].size(); ++i) {
      const double w = present.weights[c][i];
      z[c][i] = w == 0 ? 0 : w * (z[c][i] - centre);
    }
  }
  z = even(std::move(z));
  const double size = ess_mean(z);
  if (std::isnan(size)) return 1;
  return std::min(1.0, size / static_cast<double>(z.size() * z.front().size()));
}

// The error of the weighted (or plain) mean of x.
double mean_error(const Chains& x, const Present& present, const Moments& m) {
  if (m.variance == 0) return 0;
  if (present.weights.empty()) return std::sqrt(m.variance / ess_mean(even(x)));
  double squares = 0;
  double total = 0;
  for (std::size_t c = 0; c < x.size(); ++c) {
    for (std::size_t i = 0; i < x[c].size(); ++i) {
      const double w = present.weights[c][i];
      if (w == 0) continue;
      const double z = w * (x[c][i] - m.mean);
      squares += z * z;
      total += w;
    }
  }
  return std::sqrt(squares / independence(x, present, m.mean)) / total;
}

// Normal scores of weighted mid-ranks.
Chains weighted_scores(const Chains& x, const Chains& weights) {
  const std::vector<double> all = flat(x);
  const std::vector<double> w = flat(weights);
  std::vector<std::size_t> order(all.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return all[a] < all[b]; });
  const double total = std::accumulate(w.begin(), w.end(), 0.0);
  const double edge = 0.25 / static_cast<double>(all.size());
  std::vector<double> score(all.size());
  double below = 0;
  for (std::size_t i = 0; i < order.size();) {
    std::size_t end = i;
    double here = 0;
    while (end < order.size() && all[order[end]] == all[order[i]]) here += w[order[end++]];
    const double z = normal_quantile(std::clamp((below + here / 2) / total, edge, 1 - edge));
    for (; i < end; ++i) score[order[i]] = z;
    below += here;
  }
  Chains result;
  auto from = score.begin();
  for (const auto& chain : x) {
    const auto to = from + static_cast<std::ptrdiff_t>(chain.size());
    result.emplace_back(from, to);
    from = to;
  }
  return result;
}

double weighted_r_hat(const Chains& scores, const Chains& weights) {
  const Chains x = split_chains(even(scores));
  const Chains w = split_chains(even(weights));
  std::vector<double> means;
  double within = 0;
  double size = std::numeric_limits<double>::infinity();
  for (std::size_t c = 0; c < x.size(); ++c) {
    const Moments m = moments(x[c], w[c]);
    if (!std::isfinite(m.mean) || !std::isfinite(m.variance)) return kUndefined;
    means.push_back(m.mean);
    within += m.variance / static_cast<double>(x.size());
    size = std::min(size, kish_ess(w[c]));
  }
  if (means.size() < 2 || !(within > 0)) return kUndefined;
  const double between = moments(means, {}).variance;
  return std::sqrt((between + within * (size - 1) / size) / within);
}

void add_numbers(Estimate& row, const Chains& x, const Present& present) {
  row.numeric = true;
  const std::vector<double> values = flat(x);
  const std::vector<double> weights = flat(present.weights);
  const Moments m = moments(values, weights);
  row.mean = m.mean;
  row.sd = std::sqrt(m.variance);
  const bool finite =
      std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
  const bool has_nan =
      std::any_of(values.begin(), values.end(), [](double v) { return std::isnan(v); });
  row.mcse = row.mad = row.q5 = row.q50 = row.q95 = row.ess_bulk = row.ess_tail = row.r_hat =
      kUndefined;
  if (has_nan) return;
  const Quantiles quantiles(values, weights);
  row.q5 = quantiles.at(0.05);
  row.q50 = quantiles.at(0.5);
  row.q95 = quantiles.at(0.95);
  if (!finite) return;
  row.mad = quantiles.mad();
  row.mcse = mean_error(x, present, m);
  if (m.variance == 0) return;
  if (present.weights.empty()) {
    const Chains draws = even(x);
    row.ess_bulk = ess_bulk(draws);
    row.ess_tail = ess_tail(draws);
    if (present.has_r_hat) row.r_hat = r_hat(draws);
    return;
  }
  const double size = kish_ess(weights);
  const Chains scores = weighted_scores(x, present.weights);
  row.ess_bulk = size * independence(scores, present, moments(flat(scores), weights).mean);
  double tail = 1;
  for (double edge : {row.q5, row.q95}) {
    Chains below = x;
    for (auto& chain : below) {
      for (double& v : chain) v = v <= edge ? 1 : 0;
    }
    tail = std::min(tail, independence(below, present, moments(flat(below), weights).mean));
  }
  row.ess_tail = size * tail;
  if (present.has_r_hat) row.r_hat = weighted_r_hat(scores, present.weights);
}

// Probability of each key and its error; `keys` are the values of all draws as small numbers.
struct Share {
  double probability = 0;
  double mcse = 0;
  Chains indicator;
};
Share share_of(double key, const Chains& keys, const Present& present) {
  Share share;
  share.indicator = keys;
  for (auto& chain : share.indicator) {
    for (double& v : chain) v = v == key ? 1 : 0;
  }
  const Moments m = moments(flat(share.indicator), flat(present.weights));
  share.probability = m.mean;
  share.mcse = mean_error(share.indicator, present, m);
  return share;
}

// The keys by weight; empty when there are more than `limit` and a limit is set.
std::map<double, double> tally(const Chains& keys, const Present& present, std::size_t limit) {
  std::map<double, double> weight_of;
  for (std::size_t c = 0; c < keys.size(); ++c) {
    for (std::size_t i = 0; i < keys[c].size(); ++i) {
      weight_of[keys[c][i]] += present.weights.empty() ? 1.0 : present.weights[c][i];
      if (limit != 0 && weight_of.size() > limit) return {};
    }
  }
  return weight_of;
}

template <class Text>
void add_support(Estimate& row, const std::vector<double>& listed, const Chains& keys,
                 const Present& present, const Text& text) {
  double largest = -1;
  for (double key : listed) {
    const Share share = share_of(key, keys, present);
    row.support.push_back({text(key), share.probability, share.mcse});
    if (row.numeric || share.probability <= largest) continue;
    // Values that are not numbers are judged by the indicator of the most probable one.
    largest = share.probability;
    Estimate judged;
    add_numbers(judged, share.indicator, present);
    row.ess_bulk = judged.ess_bulk;
    row.ess_tail = judged.ess_tail;
    row.r_hat = judged.r_hat;
  }
}

Chains keys_of(const Column& column, const Present& present) {
  Chains keys;
  for (const auto& rows : present.rows) {
    auto& chain = keys.emplace_back();
    chain.reserve(rows.size());
    for (std::size_t row : rows) {
      chain.push_back(column.is_dictionary() ? static_cast<double>(column.entry(row))
                                             : column.number(row));
    }
  }
  return keys;
}

void describe_dictionary(Estimate& row, const Column& column, const Chains& keys,
                         const Present& present) {
  row.mean = row.mcse = row.sd = row.mad = row.q5 = row.q50 = row.q95 = kUndefined;
  row.ess_bulk = row.ess_tail = row.r_hat = kUndefined;
  const std::map<double, double> weight_of = tally(keys, present, 0);
  std::vector<double> listed;
  for (const auto& [key, weight] : weight_of) {
    if (key != Column::kOthers && weight > 0) listed.push_back(key);
  }
  row.distinct = listed.size();
  row.distinct_is_bound = column.overflowed();
  std::stable_sort(listed.begin(), listed.end(),
                   [&](double a, double b) { return weight_of.at(a) > weight_of.at(b); });
  const std::size_t limit = row.kind == Estimate::Kind::Structure ? kMaxStructures : kMaxDiscrete;
  if (listed.size() > limit) listed.resize(limit);
  add_support(row, listed, keys, present,
              [&](double key) { return column.entry_text(static_cast<std::uint32_t>(key)); });
}

}  // namespace

void DrawFrame::settle() {
  weights = are_equal(log_weights) ? std::vector<double>{} : relative_weights(log_weights);
  std::map<std::uint32_t, std::vector<std::size_t>> chains;
  std::size_t row = 0;
  for (const Stretch& stretch : stretches) {
    auto& rows = chains[stretch.chain];
    for (std::size_t i = 0; i < stretch.rows; ++i) rows.push_back(row++);
  }
  rows_of_chain.clear();
  for (auto& [chain, rows] : chains) rows_of_chain.push_back(std::move(rows));
}

Estimate estimate(const Column& column, bool structures, const DrawFrame& frame) {
  Estimate row;
  const Present present = present_rows(column, frame);
  row.presence = present.share;
  const Chains keys = keys_of(column, present);
  if (column.is_dictionary()) {
    row.kind = structures ? Estimate::Kind::Structure : Estimate::Kind::Discrete;
    describe_dictionary(row, column, keys, present);
    return row;
  }
  add_numbers(row, keys, present);
  if (!column.all_integers()) return row;
  const std::map<double, double> weight_of = tally(keys, present, kMaxDiscrete);
  if (weight_of.empty()) return row;
  row.kind = Estimate::Kind::Discrete;
  std::vector<double> listed;
  for (const auto& [key, weight] : weight_of) {
    if (weight > 0) listed.push_back(key);
  }
  row.distinct = listed.size();
  add_support(row, listed, keys, present,
              [](double key) { return std::to_string(static_cast<long long>(key)); });
  return row;
}

}  // namespace chancel::report
