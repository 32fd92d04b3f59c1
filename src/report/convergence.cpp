// SPDX-License-Identifier: Apache-2.0
#include "report/convergence.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>

#include "math/normal.hpp"
#include "report/autocovariance.hpp"
#include "report/weighted.hpp"

namespace chancel::report {
namespace {

constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();

using Series = std::span<const double>;
using Views = std::vector<Series>;

Views views(const Chains& chains) { return {chains.begin(), chains.end()}; }

Views halves(const Chains& chains) {
  Views all;
  for (const auto& chain : chains) {
    const std::size_t half = chain.size() / 2;
    all.push_back(Series(chain).first(half));
    all.push_back(Series(chain).last(half));
  }
  return all;
}

std::vector<double> pooled(const Views& chains) {
  std::size_t size = 0;
  for (const Series& chain : chains) size += chain.size();
  std::vector<double> all;
  all.reserve(size);
  for (const Series& chain : chains) all.insert(all.end(), chain.begin(), chain.end());
  return all;
}

// The same lengths over values that lie one after the other.
Views like(const Views& chains, const std::vector<double>& values) {
  Views all;
  std::size_t at = 0;
  for (const Series& chain : chains) {
    all.push_back(Series(values).subspan(at, chain.size()));
    at += chain.size();
  }
  return all;
}

// Constant draws and draws that are not finite have no diagnostics.
bool has_diagnostics(const Views& chains) {
  if (chains.empty() || chains.front().size() < 3) return false;
  const double first = chains.front().front();
  bool constant = true;
  for (const Series& chain : chains) {
    for (double x : chain) {
      if (!std::isfinite(x)) return false;
      constant = constant && x == first;
    }
  }
  return !constant;
}

double variance(Series x) {
  double mean = 0;
  for (double v : x) mean += v;
  mean /= static_cast<double>(x.size());
  double sum = 0;
  for (double v : x) sum += (v - mean) * (v - mean);
  return sum / static_cast<double>(x.size() - 1);
}

double median_of(std::vector<double> all) {
  std::sort(all.begin(), all.end());
  return sorted_quantile(all, 0.5);
}

// Normal scores of ranks, in place: values are looked at before they are replaced.
void rank_normalise(std::vector<double>& all) {
  std::vector<std::uint32_t> order(all.size());
  std::iota(order.begin(), order.end(), std::uint32_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::uint32_t a, std::uint32_t b) { return all[a] < all[b]; });
  const double n = static_cast<double>(all.size());
  for (std::size_t i = 0; i < order.size();) {
    std::size_t end = i + 1;
    while (end < order.size() && all[order[end]] == all[order[i]]) ++end;
    const double rank = 0.5 * static_cast<double>(i + 1 + end);  // the mean of ranks i+1 .. end
    const double z = normal_quantile((rank - 0.375) / (n + 0.25));
    for (; i < end; ++i) all[order[i]] = z;
  }
}

double effective_size_of(const Views& chains);

double ess_at_quantile(const Views& chains, double quantile) {
  std::vector<double> below = pooled(chains);
  for (double& x : below) x = x <= quantile ? 1 : 0;
  return effective_size_of(like(chains, below));
}

}  // namespace

Chains split_chains(const Chains& chains) {
  Chains halves;
  for (const auto& chain : chains) {
    const auto half = static_cast<std::ptrdiff_t>(chain.size() / 2);
    halves.emplace_back(chain.begin(), chain.begin() + half);
    halves.emplace_back(chain.end() - half, chain.end());
  }
  return halves;
}

Chains rank_normalise(const Chains& chains) {
  std::vector<double> all = pooled(views(chains));
  rank_normalise(all);
  Chains result;
  for (const Series& scores : like(views(chains), all))
    result.emplace_back(scores.begin(), scores.end());
  return result;
}

namespace {

double effective_size_of(const Views& chains) {
  if (!has_diagnostics(chains)) return kUndefined;
  const std::size_t n = chains.front().size();
  const double length = static_cast<double>(n);
  std::vector<Autocovariance> series;
  std::vector<double> means;
  for (const Series& chain : chains) means.push_back(series.emplace_back(chain).mean());
  const auto mean_lag = [&](std::size_t lag) {
    double sum = 0;
    for (auto& s : series) sum += s.at(lag);
    return sum / static_cast<double>(series.size());
  };

  const double within = mean_lag(0) * length / (length - 1);
  double total = mean_lag(0);
  if (chains.size() > 1) total += variance(means);
  const auto correlation = [&](std::size_t lag) { return 1 - (within - mean_lag(lag)) / total; };

  // Pairs of neighbouring lags are summed as long as they are positive (rho[t] + rho[t + 1] > 0).
  std::vector<double> rho = {1, correlation(1)};
  double even = rho[0];
  double odd = rho[1];
  std::size_t t = 0;
  while (t + 5 < n && even + odd > 0) {
    t += 2;
    even = correlation(t);
    odd = correlation(t + 1);
    rho.resize(t + 2, 0.0);
    if (even + odd >= 0) {
      rho[t] = even;
      rho[t + 1] = odd;
    }
  }
  const std::size_t last = t;
  if (even > 0) rho[last] = even;
  // ... and made monotone.
  for (t = 2; t + 2 <= last; t += 2) {
    if (rho[t] + rho[t + 1] > rho[t - 2] + rho[t - 1]) {
      rho[t] = rho[t + 1] = (rho[t - 2] + rho[t - 1]) / 2;
    }
  }
  const double draws = length * static_cast<double>(chains.size());
  double tau = -1 + rho[last];
  for (std::size_t i = 0; i < last; ++i) tau += 2 * rho[i];
  if (last == 0)
    tau += 2 * rho[0];  // as posterior has it: chains too short for a second pair of lags
  tau = std::max(tau, 1 / std::log10(draws));
  return draws / tau;
}

double scale_reduction_of(const Views& chains) {
  if (!has_diagnostics(chains) || chains.size() < 2) return kUndefined;
  const double n = static_cast<double>(chains.front().size());
  std::vector<double> means;
  double within = 0;
  for (const Series& chain : chains) {
    double mean = 0;
    for (double x : chain) mean += x;
    means.push_back(mean / n);
    within += variance(chain);
  }
  within /= static_cast<double>(chains.size());
  const double between = n * variance(means);
  return std::sqrt((between / within + n - 1) / n);
}

}  // namespace

double effective_size(const Chains& chains) { return effective_size_of(views(chains)); }
double potential_scale_reduction(const Chains& chains) { return scale_reduction_of(views(chains)); }

double r_hat(const Chains& chains) {
  if (!has_diagnostics(views(chains))) return kUndefined;
  const Views split = halves(chains);
  std::vector<double> scores = pooled(split);
  rank_normalise(scores);
  const double bulk = scale_reduction_of(like(split, scores));
  const double median = median_of(pooled(views(chains)));
  scores = pooled(split);
  for (double& x : scores) x = std::fabs(x - median);
  rank_normalise(scores);
  const double tail = scale_reduction_of(like(split, scores));
  return std::isnan(tail) ? bulk : std::max(bulk, tail);
}

double ess_mean(const Chains& chains) { return effective_size_of(halves(chains)); }

double ess_bulk(const Chains& chains) {
  if (!has_diagnostics(views(chains))) return kUndefined;
  const Views split = halves(chains);
  std::vector<double> scores = pooled(split);
  rank_normalise(scores);
  return effective_size_of(like(split, scores));
}

double ess_tail(const Chains& chains) {
  if (!has_diagnostics(views(chains))) return kUndefined;
  double edges[2];
  {
    std::vector<double> all = pooled(views(chains));
    std::sort(all.begin(), all.end());
    edges[0] = sorted_quantile(all, 0.05);
    edges[1] = sorted_quantile(all, 0.95);
  }
  const Views split = halves(chains);
  const double low = ess_at_quantile(split, edges[0]);
  const double high = ess_at_quantile(split, edges[1]);
  return std::isnan(low) || std::isnan(high) ? kUndefined : std::min(low, high);
}

}  // namespace chancel::report
