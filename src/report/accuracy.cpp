// SPDX-License-Identifier: Apache-2.0
#include "report/accuracy.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "report/normal_quantile.hpp"

namespace chancel::report {
namespace {

constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kFewSweeps = 10;       // below, sums over sweeps say too little
constexpr std::size_t kSweepsOfAChain = 20;  // from here their own autocorrelation can be seen

// sum z^2 / sum Z^2, corrected for dependence between sweeps; 1 when there are too few sweeps.
double sweep_independence(const Chains& z, const std::vector<std::vector<std::uint32_t>>& sweeps) {
  Chains sums;
  double squares = 0;
  std::size_t count = 0;
  for (std::size_t c = 0; c < z.size(); ++c) {
    auto& chain = sums.emplace_back();
    for (std::size_t i = 0; i < z[c].size(); ++i) {
      if (i == 0 || sweeps[c][i] != sweeps[c][i - 1]) chain.push_back(0);
      chain.back() += z[c][i];
      squares += z[c][i] * z[c][i];
    }
    count += chain.size();
  }
  if (count < kFewSweeps) return 1;
  double of_sums = 0;
  for (const auto& chain : sums) {
    for (double sum : chain) of_sums += sum * sum;
  }
  if (!(of_sums > 0)) return 1;
  double share = 1;
  sums = even(std::move(sums));
  if (sums.front().size() >= kSweepsOfAChain) {
    const double size = ess_mean(sums);
    if (!std::isnan(size))
      share = std::min(1.0, size / static_cast<double>(sums.size() * sums.front().size()));
  }
  return share * squares / of_sums;
}

// z = w (x - centre)
Chains influence(const Chains& x, const Present& present, double centre) {
  Chains z = x;
  for (std::size_t c = 0; c < z.size(); ++c) {
    for (std::size_t i = 0; i < z[c].size(); ++i) {
      const double w = present.weights.empty() ? 1.0 : present.weights[c][i];
      z[c][i] = w == 0 ? 0 : w * (z[c][i] - centre);
    }
  }
  return z;
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
  sweep_of_row.clear();
  if (sweep_rows.size() == log_weights.size()) return;
  for (std::uint32_t sweep = 0; sweep < sweep_rows.size(); ++sweep) {
    sweep_of_row.insert(sweep_of_row.end(), sweep_rows[sweep], sweep);
  }
}

Present present_rows(const Column& column, const DrawFrame& frame) {
  Present present;
  // Chains are compared by their halves, so each half needs sweeps of its own.
  present.has_r_hat = frame.sweep_rows.size() >= 4 * frame.rows_of_chain.size();
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
  for (const auto& rows : present.rows) {
    if (!frame.weights.empty()) {
      auto& weights = present.weights.emplace_back();
      for (std::size_t row : rows) weights.push_back(frame.weights[row]);
    }
    if (!frame.sweep_of_row.empty()) {
      auto& sweeps = present.sweeps.emplace_back();
      for (std::size_t row : rows) sweeps.push_back(frame.sweep_of_row[row]);
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

Chains even(Chains chains) {
  std::size_t length = std::numeric_limits<std::size_t>::max();
  for (const auto& chain : chains) length = std::min(length, chain.size());
  for (auto& chain : chains) chain.resize(length);
  return chains;
}

double independence(const Chains& x, const Present& present, double centre) {
  if (present.sweeps.empty()) return 1;
  const Chains z = influence(x, present, centre);
  double factor = std::min(1.0, sweep_independence(z, present.sweeps));
  const Chains draws = even(z);
  const double size = ess_mean(draws);
  if (!std::isnan(size))
    factor = std::min(factor, size / static_cast<double>(draws.size() * draws.front().size()));
  return factor;
}

double mean_error(const Chains& x, const Present& present, const Moments& m) {
  if (m.variance == 0) return 0;
  if (present.weights.empty()) {
    const Chains draws = even(x);
    double size = ess_mean(draws);
    if (!present.sweeps.empty()) {
      const double n = static_cast<double>(draws.size() * draws.front().size());
      size = std::fmin(size, n * sweep_independence(influence(x, present, m.mean), present.sweeps));
    }
    return std::sqrt(m.variance / size);
  }
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

}  // namespace chancel::report
