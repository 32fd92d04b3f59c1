// SPDX-License-Identifier: Apache-2.0
#include "report/accuracy.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "math/normal.hpp"
#include "report/number_sort.hpp"

namespace chancel::report {
namespace {

constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kFewSweeps = 10;       // below, sums over sweeps say too little
constexpr std::size_t kSweepsOfAChain = 20;  // from here their own autocorrelation can be seen

double sweep_independence(const Chains& z, const std::vector<std::vector<std::uint32_t>>& sweeps) {
  Chains sums;
  double squares = 0;
  for (std::size_t c = 0; c < z.size(); ++c) {
    auto& chain = sums.emplace_back();
    for (std::size_t i = 0; i < z[c].size(); ++i) {
      if (i == 0 || sweeps[c][i] != sweeps[c][i - 1]) chain.push_back(0);
      chain.back() += z[c][i];
      squares += z[c][i] * z[c][i];
    }
  }
  return block_independence(sums, squares);
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

// sum z^2 / sum Z^2, corrected for dependence between sweeps; 1 when there are too few sweeps.
double block_independence(const Chains& sums, double squares) {
  std::size_t count = 0;
  double of_sums = 0;
  for (const auto& chain : sums) {
    count += chain.size();
    for (double sum : chain) of_sums += sum * sum;
  }
  if (count < kFewSweeps || !(of_sums > 0)) return 1;
  double share = 1;
  Chains storage;
  const Chains& cut = even(sums, storage);
  if (cut.front().size() >= kSweepsOfAChain) {
    const double size = ess_mean(cut);
    if (!std::isnan(size))
      share = std::min(1.0, size / static_cast<double>(cut.size() * cut.front().size()));
  }
  return share * squares / of_sums;
}

void DrawFrame::index() {
  weights =
      !enumerated && are_equal(log_weights) ? std::vector<double>{} : relative_weights(log_weights);
  std::map<std::uint32_t, std::uint32_t> place;  // of a chain by its number
  for (const Stretch& stretch : stretches) place.emplace(stretch.chain, 0);
  std::uint32_t next = 0;
  for (auto& [number, at] : place) at = next++;
  chain_rows.assign(place.size(), 0);
  stretch_chains.clear();
  for (const Stretch& stretch : stretches) {
    stretch_chains.push_back(place[stretch.chain]);
    chain_rows[stretch_chains.back()] += stretch.rows;
  }
  sweep_of_row.clear();
  sweep_chains.clear();
  segments.clear();
  blocks = false;
  if (sweep_rows.size() == log_weights.size()) return;
  sweep_of_row.reserve(log_weights.size());
  for (std::uint32_t sweep = 0; sweep < sweep_rows.size(); ++sweep) {
    sweep_of_row.insert(sweep_of_row.end(), sweep_rows[sweep], sweep);
  }
  find_segments();
}

void DrawFrame::find_segments() {
  const std::size_t shortest = *std::min_element(chain_rows.begin(), chain_rows.end());
  const std::size_t half = shortest / 2;
  std::vector<std::size_t> sweeps_of(chain_rows.size(), 0), done(chain_rows.size(), 0);
  std::size_t row = 0;
  for (std::size_t s = 0; s < stretches.size(); ++s) {
    const std::uint32_t chain = stretch_chains[s];
    for (std::size_t i = 0; i < stretches[s].rows; ++i, ++row, ++done[chain]) {
      const std::uint32_t sweep = sweep_of_row[row];
      if (sweep_chains.size() <= sweep) {
        sweep_chains.resize(sweep + 1, chain);
        ++sweeps_of[chain];
      }
      const std::size_t at = done[chain];
      const std::uint32_t part = at < half                                ? 2 * chain
                                 : at >= shortest - half && at < shortest ? 2 * chain + 1
                                                                          : kNoHalf;
      if (segments.empty() || segments.back().sweep != sweep || segments.back().half != part)
        segments.push_back({row, sweep, part});
      segments.back().end = row + 1;
    }
  }
  blocks = std::all_of(sweeps_of.begin(), sweeps_of.end(),
                       [](std::size_t n) { return n >= kBlockSweeps; });
}

void DrawFrame::drop_index() {
  segments = {};
  sweep_chains = {};
  blocks = false;
  weights = {};
  chain_rows = {};
  stretch_chains = {};
  sweep_of_row = {};
}

Present present_draws(const Column& column, const DrawFrame& frame) {
  Present present;
  present.enumerated = frame.enumerated;
  present.blocks = frame.blocks;
  present.threads = frame.threads;
  // Chains are compared by their halves, so each half needs sweeps of its own.
  const std::size_t chains = frame.chain_rows.size();
  present.has_r_hat = frame.sweep_rows.size() >= 4 * chains;
  present.values.resize(chains);
  for (std::size_t c = 0; c < chains; ++c) present.values[c].reserve(frame.chain_rows[c]);
  if (!frame.weights.empty()) present.weights.resize(chains);
  if (!frame.sweep_of_row.empty()) present.sweeps.resize(chains);
  const bool plain = frame.weights.empty() && frame.sweep_of_row.empty();
  if (plain && frame.stretches.size() == 1 && !column.has_missing() &&
      column.rows() == frame.log_weights.size()) {
    auto& chain = present.values.front();
    column.each([&](bool, double value) { chain.push_back(value); });
    return present;
  }
  double all = 0;
  double here = 0;
  std::size_t row = column.first_row();
  std::size_t at = 0, end = 0;  // the stretch that the row is in, and where it ends
  if (!frame.stretches.empty()) end = frame.stretches.front().rows;
  for (std::size_t i = 0; i < frame.log_weights.size(); ++i)
    all += frame.weights.empty() ? 1.0 : frame.weights[i];
  column.each([&](bool missing, double value) {
    while (row >= end) end += frame.stretches[++at].rows;
    const std::size_t mine = row++;
    if (missing) return;
    const std::size_t c = frame.stretch_chains[at];
    here += frame.weights.empty() ? 1.0 : frame.weights[mine];
    present.values[c].push_back(value);
    if (!frame.weights.empty()) present.weights[c].push_back(frame.weights[mine]);
    if (!frame.sweep_of_row.empty()) present.sweeps[c].push_back(frame.sweep_of_row[mine]);
  });
  // Chains without a value do not count in this column.
  std::size_t kept = 0;
  for (std::size_t c = 0; c < present.values.size(); ++c) {
    if (present.values[c].empty()) continue;
    if (kept != c) {
      present.values[kept] = std::move(present.values[c]);
      if (!present.weights.empty()) present.weights[kept] = std::move(present.weights[c]);
      if (!present.sweeps.empty()) present.sweeps[kept] = std::move(present.sweeps[c]);
    }
    ++kept;
  }
  present.values.resize(kept);
  if (!present.weights.empty()) present.weights.resize(kept);
  if (!present.sweeps.empty()) present.sweeps.resize(kept);
  present.share = all > 0 ? here / all : 0;
  return present;
}

std::span<const double> flat(const Chains& chains, std::vector<double>& storage) {
  if (chains.empty()) return {};
  if (chains.size() == 1) return chains.front();
  storage.clear();
  for (const auto& chain : chains) storage.insert(storage.end(), chain.begin(), chain.end());
  return storage;
}

const Chains& even(const Chains& chains, Chains& storage) {
  std::size_t length = std::numeric_limits<std::size_t>::max();
  bool same = true;
  for (const auto& chain : chains) {
    length = std::min(length, chain.size());
    same = same && chain.size() == chains.front().size();
  }
  if (same) return chains;
  storage = chains;
  for (auto& chain : storage) chain.resize(length);
  return storage;
}

double independence(const Chains& x, const Present& present, double centre) {
  if (present.sweeps.empty()) return 1;
  const Chains z = influence(x, present, centre);
  double factor = std::min(1.0, sweep_independence(z, present.sweeps));
  if (present.blocks) return factor;
  Chains storage;
  const Chains& draws = even(z, storage);
  const double size = ess_mean(draws);
  if (!std::isnan(size))
    factor = std::min(factor, size / static_cast<double>(draws.size() * draws.front().size()));
  return factor;
}

double mean_error(const Chains& x, const Present& present, const Moments& m) {
  if (m.variance == 0) return 0;
  if (present.weights.empty()) {
    Chains storage;
    const Chains& draws = even(x, storage);
    double size = present.blocks ? std::numeric_limits<double>::infinity() : ess_mean(draws);
    if (!present.sweeps.empty()) {
      double n = 0;
      for (const auto& chain : x) n += static_cast<double>(chain.size());
      size = std::fmin(size, n * sweep_independence(influence(x, present, m.mean), present.sweeps));
    }
    return std::sqrt(m.variance / size);
  }
  double squares = 0;
  double total = 0;
  double weight_squares = 0;
  for (std::size_t c = 0; c < x.size(); ++c) {
    for (std::size_t i = 0; i < x[c].size(); ++i) {
      const double w = present.weights[c][i];
      if (w == 0) continue;
      const double z = w * (x[c][i] - m.mean);
      squares += z * z;
      total += w;
      weight_squares += w * w;
    }
  }
  // The delta method promises less than sd / sqrt(ESS) where large weights lie near the mean, as
  // they do by accident when few draws carry the weight.
  return std::sqrt(std::fmax(squares, m.variance * weight_squares) /
                   independence(x, present, m.mean)) /
         total;
}

Chains weighted_scores(const Chains& x, const Chains& weights) {
  std::vector<double> storage;
  std::vector<double> weight_storage;
  const std::span<const double> all = flat(x, storage);
  const std::span<const double> w = flat(weights, weight_storage);
  std::vector<Ranked> order = ranked(all);
  const double total = std::accumulate(w.begin(), w.end(), 0.0);
  const double edge = 0.25 / static_cast<double>(all.size());
  std::vector<double> score(all.size());
  double below = 0;
  for (std::size_t i = 0; i < order.size();) {
    std::size_t end = i;
    double here = 0;
    while (end < order.size() && order[end].value == order[i].value) here += w[order[end++].row];
    const double z = normal_quantile(std::clamp((below + here / 2) / total, edge, 1 - edge));
    for (; i < end; ++i) score[order[i].row] = z;
    below += here;
  }
  order = {};
  Chains result;
  if (x.size() == 1) {
    result.push_back(std::move(score));
    return result;
  }
  auto from = score.begin();
  for (const auto& chain : x) {
    const auto to = from + static_cast<std::ptrdiff_t>(chain.size());
    result.emplace_back(from, to);
    from = to;
  }
  return result;
}

double weighted_r_hat(const Chains& scores, const Chains& weights) {
  Chains storage;
  const Chains x = split_chains(even(scores, storage));
  const Chains w = split_chains(even(weights, storage));
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
