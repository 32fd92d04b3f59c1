// SPDX-License-Identifier: Apache-2.0
#include "report/convergence.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <optional>
#include <span>

#include "math/normal.hpp"
#include "report/autocovariance.hpp"
#include "report/share_work.hpp"
#include "report/weighted.hpp"

namespace chancel::report {
namespace {

constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kShared = std::size_t{1} << 17;  // draws from which a second thread pays

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

// Normal scores of ascending ranks among n: quantile((rank - 3/8) / (n + 1/4)). Of many ranks those
// in the body are interpolated between every 64th by cubics with the right slopes, which is exact
// to 1e-11 there; the tails, where the quantile bends, are worked out one by one.
class NormalScores {
 public:
  explicit NormalScores(std::size_t n)
      : scale_(1 / (static_cast<double>(n) + 0.25)), interpolate_(n >= kMany) {}
  double at(double rank) {
    const double p = (rank - 0.375) * scale_;
    if (!interpolate_ || p < kTail || p > 1 - kTail) return normal_quantile(p);
    if (!(rank < end_)) {
      begin_ = rank;
      end_ = rank + kStep;
      low_ = knot(begin_);
      high_ = knot(end_);
    }
    const double t = (rank - begin_) / kStep;
    const double s = 1 - t;
    return s * s * ((1 + 2 * t) * low_.value + t * low_.slope) +
           t * t * ((1 + 2 * s) * high_.value - s * high_.slope);
  }

 private:
  static constexpr std::size_t kMany = 100'000;
  static constexpr double kStep = 64, kTail = 0.005;
  struct Knot {
    double value, slope;  // the slope over a whole step
  };
  Knot knot(double rank) const {
    const double z = normal_quantile((rank - 0.375) * scale_);
    const double density = std::exp(-0.5 * z * z) / std::sqrt(2 * std::numbers::pi);
    return {z, kStep * scale_ / density};
  }
  double scale_;
  bool interpolate_;
  double begin_ = 0, end_ = 0;
  Knot low_{}, high_{};
};

// Scores by `next`, which hands out (value, place) ascending by value, `count` times; a place of
// kNowhere has no rank. `put` takes (place, score).
constexpr std::uint32_t kNowhere = 0xFFFFFFFF;
template <class Next, class Put>
void rank_normalise(std::size_t ranks, std::size_t count, const Next& next, const Put& put) {
  NormalScores scores(ranks);
  Ranked last = {0, kNowhere};
  std::vector<std::uint32_t> tied;  // further places of the last value
  double below = 0;
  const auto score_ties = [&] {
    const double here = 1 + static_cast<double>(tied.size());
    const double z = scores.at(below + 0.5 * (here + 1));  // the mean of the ranks they share
    put(last.row, z);
    for (const std::uint32_t place : tied) put(place, z);
    tied.clear();
    below += here;
  };
  for (std::size_t i = 0; i < count; ++i) {
    const Ranked item = next(i);
    if (item.row == kNowhere) continue;
    if (last.row != kNowhere && item.value == last.value) {
      tied.push_back(item.row);
      continue;
    }
    if (last.row != kNowhere) score_ties();
    last = item;
  }
  if (last.row != kNowhere) score_ties();
}

// The draws 0 and 1 of an indicator, a bit each: a lag is a shift and a count of bits.
class BitSeries {
 public:
  template <class Test>
  BitSeries(Series x, const Test& test) : x_(x.size()), bits_(x.size() / 64 + 2, 0) {
    for (std::size_t i = 0; i < x.size(); ++i)
      bits_[i / 64] |= static_cast<std::uint64_t>(test(x[i])) << (i % 64);
    ones_ = count(0);
    mean_ = static_cast<double>(ones_) / static_cast<double>(x_);
  }
  double mean() const { return mean_; }
  bool is_constant() const { return ones_ == 0 || ones_ == x_; }
  double at(std::size_t lag) {
    if (lag >= kDirectLags) {
      if (!dense_) dense_.emplace(numbers());
      return dense_->at(lag);
    }
    for (; known_ < lag; ++known_) {  // ones outside of the overlap, at both ends
      first_ += bit(known_);
      last_ += bit(x_ - 1 - known_);
    }
    if (known_ > lag) {
      first_ = last_ = known_ = 0;
      return at(lag);
    }
    const auto n = static_cast<double>(x_);
    const double both = static_cast<double>(count(lag));
    const double sums = static_cast<double>(2 * ones_ - first_ - last_);
    return (both - mean_ * sums + mean_ * mean_ * (n - static_cast<double>(lag))) / n;
  }

 private:
  static constexpr std::size_t kDirectLags = 512;  // beyond, transforms are faster
  std::uint64_t bit(std::size_t i) const { return bits_[i / 64] >> (i % 64) & 1; }
  std::uint64_t count(std::size_t lag) const {
    const std::size_t words = lag / 64;
    const unsigned shift = lag % 64;
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i + words + 1 < bits_.size(); ++i) {
      const std::uint64_t low = bits_[i + words] >> shift;
      const std::uint64_t high = shift == 0 ? 0 : bits_[i + words + 1] << (64 - shift);
      sum += static_cast<std::uint64_t>(std::popcount(bits_[i] & (low | high)));
    }
    return sum;
  }
  std::vector<double> numbers() const {
    std::vector<double> out(x_);
    for (std::size_t i = 0; i < x_; ++i) out[i] = static_cast<double>(bit(i));
    return out;
  }
  std::size_t x_;  // draws
  std::vector<std::uint64_t> bits_;
  std::uint64_t ones_ = 0, first_ = 0, last_ = 0;
  std::size_t known_ = 0;
  double mean_ = 0;
  std::optional<Autocovariance> dense_;
};

// Geyer's estimate over series of n draws each that know their mean and autocovariances.
template <class OneSeries>
double geyer_size(std::vector<OneSeries>& series, std::size_t n) {
  const double length = static_cast<double>(n);
  std::vector<double> means;
  for (const OneSeries& s : series) means.push_back(s.mean());
  const auto mean_lag = [&](std::size_t lag) {
    double sum = 0;
    for (auto& s : series) sum += s.at(lag);
    return sum / static_cast<double>(series.size());
  };

  const double within = mean_lag(0) * length / (length - 1);
  double total = mean_lag(0);
  if (series.size() > 1) total += variance(means);
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
  const double draws = length * static_cast<double>(series.size());
  double tau = -1 + rho[last];
  for (std::size_t i = 0; i < last; ++i) tau += 2 * rho[i];
  if (last == 0)
    tau += 2 * rho[0];  // as posterior has it: chains too short for a second pair of lags
  tau = std::max(tau, 1 / std::log10(draws));
  return draws / tau;
}

double effective_size_of_numbers(const Views& chains) {
  std::vector<Autocovariance> series(chains.begin(), chains.end());
  return geyer_size(series, chains.front().size());
}
double effective_size_of(const Views& chains) {
  return has_diagnostics(chains) ? effective_size_of_numbers(chains) : kUndefined;
}

double ess_at_quantile(const Views& chains, double quantile) {
  if (chains.empty() || chains.front().size() < 3) return kUndefined;
  std::vector<BitSeries> series;
  for (const Series& chain : chains)
    series.emplace_back(chain, [&](double x) { return x <= quantile; });
  const bool first = series.front().mean() > 0;
  if (std::all_of(series.begin(), series.end(),
                  [&](const BitSeries& s) { return s.is_constant() && (s.mean() > 0) == first; }))
    return kUndefined;
  return geyer_size(series, chains.front().size());
}

// From the means of chains of n draws each and the sum of their variances; NaN when all draws are
// the same.
double scale_reduction_of(const std::vector<double>& means, double variances, double n) {
  if (means.size() < 2) return kUndefined;
  const double within = variances / static_cast<double>(means.size());
  const double between = n * variance(means);
  return std::sqrt((between / within + n - 1) / n);
}
double scale_reduction_of(const Views& chains) {
  const double n = static_cast<double>(chains.front().size());
  std::vector<double> means;
  double variances = 0;
  for (const Series& chain : chains) {
    double mean = 0;
    for (double x : chain) mean += x;
    means.push_back(mean / n);
    variances += variance(chain);
  }
  return scale_reduction_of(means, variances, n);
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
  const std::vector<Ranked> order = ranked(all);
  rank_normalise(
      all.size(), order.size(), [&](std::size_t i) { return order[i]; },
      [&](std::uint32_t place, double z) { all[place] = z; });
  Chains result;
  for (const Series& scores : like(views(chains), all))
    result.emplace_back(scores.begin(), scores.end());
  return result;
}

double effective_size(const Chains& chains) { return effective_size_of(views(chains)); }
double ess_mean(const Chains& chains) { return effective_size_of(halves(chains)); }

// One sort serves all: ranks follow from it, and so do the ranks of distances from the median,
// which fall up to the median and rise after it.
ChainStatistics chain_statistics(const Chains& chains, bool sizes, unsigned threads,
                                 const std::vector<Ranked>* known_order) {
  ChainStatistics statistics{kUndefined, kUndefined, kUndefined};
  if (!has_diagnostics(views(chains))) return statistics;
  const Views split = halves(chains);
  std::vector<Ranked> own;
  if (known_order == nullptr) own = ranked(pooled(views(chains)), threads);
  const std::vector<Ranked>& order = known_order != nullptr ? *known_order : own;
  const auto quantile = [&](double p) {
    return quantile_of(order.size(), p, [&](std::size_t i) { return order[i].value; });
  };
  const std::size_t length = chains.front().size();
  const std::size_t half = length / 2;
  const std::size_t ranks = chains.size() * 2 * half;
  // Where a draw stands among the halves; the middle one of an odd length is in none.
  const auto place = [&](std::uint32_t row) -> std::uint32_t {
    if (length % 2 == 0) return row;
    const std::size_t chain = row / length, at = row % length;
    if (at == half) return kNowhere;
    return static_cast<std::uint32_t>(chain * 2 * half + (at < half ? at : at - 1));
  };
  const auto bulk = [&] {
    std::vector<double> scores(ranks);
    rank_normalise(
        ranks, order.size(),
        [&](std::size_t i) {
          return Ranked{order[i].value, place(order[i].row)};
        },
        [&](std::uint32_t at, double z) { scores[at] = z; });
    statistics.r_hat = scale_reduction_of(like(split, scores));
    if (sizes) statistics.ess_bulk = effective_size_of_numbers(like(split, scores));
  };
  double folded_r_hat = kUndefined;
  const auto folded = [&] {
    const double median = quantile(0.5);
    const auto middle = std::partition_point(
        order.begin(), order.end(), [&](const Ranked& item) { return item.value < median; });
    std::size_t below = static_cast<std::size_t>(middle - order.begin()), above = below;
    const auto distance = [&](std::size_t i) { return std::fabs(order[i].value - median); };
    // R-hat needs sums only. (Scores have mean 0 and variance 1 over all halves: nothing cancels.)
    std::vector<double> sums(split.size()), squares(split.size());
    rank_normalise(
        ranks, order.size(),
        [&](std::size_t) {
          const bool down =
              above == order.size() || (below > 0 && distance(below - 1) < distance(above));
          const std::size_t i = down ? --below : above++;
          return Ranked{distance(i), place(order[i].row)};
        },
        [&](std::uint32_t at, double z) {
          const std::size_t h = at / static_cast<std::uint32_t>(half);
          sums[h] += z;
          squares[h] += z * z;
        });
    const double n = static_cast<double>(half);
    double variances = 0;
    for (std::size_t h = 0; h < sums.size(); ++h) {
      variances += (squares[h] - sums[h] * sums[h] / n) / (n - 1);
      sums[h] /= n;
    }
    // Scores have variance 1 over all, so that less is what rounding leaves of equal ones; if the
    // means are equal too, all draws have one distance.
    if (variances < 1e-12) variances = 0;
    if (variances > 0 || variance(sums) > 1e-12)
      folded_r_hat = scale_reduction_of(sums, variances, n);
    if (!sizes) return;
    const double low = ess_at_quantile(split, quantile(0.05));
    const double high = ess_at_quantile(split, quantile(0.95));
    statistics.ess_tail = std::isnan(low) || std::isnan(high) ? kUndefined : std::min(low, high);
  };
  const bool shared = threads > 1 && ranks >= kShared;
  share_work(2, shared ? 2 : 1, [&](std::size_t part) { part == 0 ? bulk() : folded(); });
  if (!std::isnan(folded_r_hat)) statistics.r_hat = std::max(statistics.r_hat, folded_r_hat);
  return statistics;
}

double r_hat(const Chains& chains) { return chain_statistics(chains, false).r_hat; }
double ess_bulk(const Chains& chains) { return chain_statistics(chains).ess_bulk; }
double ess_tail(const Chains& chains) { return chain_statistics(chains).ess_tail; }

}  // namespace chancel::report
