// SPDX-License-Identifier: Apache-2.0
#include "report/estimate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

#include "report/share_work.hpp"
#include "report/tally.hpp"

namespace chancel::report {
namespace {

constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();
// More different integers than this are described as a real quantity.
constexpr std::size_t kMaxDiscrete = 20;
constexpr std::size_t kShared = std::size_t{1} << 17;  // draws from which a second thread pays
constexpr std::size_t kFewSweeps = 10;  // a chain; below, one common value may be one ancestor's
constexpr std::size_t kMaxStructures = 10;  // most probable structures that are listed

void add_moderate_numbers(Estimate& row, const Chains& x, const Present& present) {
  row.numeric = true;
  std::vector<double> value_storage;
  std::vector<double> weight_storage;
  const std::span<const double> values = flat(x, value_storage);
  const std::span<const double> weights = flat(present.weights, weight_storage);
  const bool finite =
      std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
  const bool has_nan =
      !finite && std::any_of(values.begin(), values.end(), [](double v) { return std::isnan(v); });
  row.mcse = row.mad = row.q5 = row.q50 = row.q95 = row.ess_bulk = row.ess_tail = row.r_hat =
      kUndefined;
  Moments m;
  double error = kUndefined;
  const auto add_mean = [&] {
    m = moments(values, weights);
    row.mean = m.mean;
    row.sd = std::sqrt(present.enumerated ? m.population_variance : m.variance);
    if (finite && !present.enumerated) error = mean_error(x, present, m);
  };
  std::vector<Ranked> order;  // of equally weighted draws
  const auto add_quantiles = [&] {
    if (has_nan) return;
    const Quantiles quantiles = weights.empty() ? Quantiles(order) : Quantiles(values, weights);
    row.q5 = quantiles.at(0.05);
    row.q50 = quantiles.at(0.5);
    row.q95 = quantiles.at(0.95);
    if (finite) row.mad = quantiles.mad();
  };
  if (weights.empty() && !has_nan) order = ranked(values, present.threads);
  const bool shared = present.threads > 1 && values.size() >= kShared;
  share_work(2, shared ? 2 : 1,
             [&](std::size_t part) { part == 0 ? add_mean() : add_quantiles(); });
  if (!finite) return;
  if (present.enumerated) return;
  row.mcse = error;
  if (m.variance == 0) return;
  // The smaller of the factors at both ends; NaN when all equally weighted draws are below one.
  const auto tail_independence = [&] {
    double tail = 1;
    std::vector<double> storage;
    for (const double edge : {row.q5, row.q95}) {
      Chains below = x;
      for (auto& chain : below) {
        for (double& v : chain) v = v <= edge ? 1 : 0;
      }
      const double share = moments(flat(below, storage), weights).mean;
      if (weights.empty() && (share == 0 || share == 1)) return kUndefined;
      tail = std::min(tail, independence(below, present, share));
    }
    return tail;
  };
  if (present.weights.empty()) {
    Chains storage;
    const Chains& draws = even(x, storage);
    const ChainStatistics statistics =
        chain_statistics(draws, !present.blocks, present.threads, &draws == &x ? &order : nullptr);
    row.ess_bulk = statistics.ess_bulk;
    row.ess_tail = statistics.ess_tail;
    if (!present.sweeps.empty()) {
      // What a whole sweep has in common does not show between neighbouring draws.
      const double count = static_cast<double>(values.size());
      const double bound = count * independence(x, present, m.mean);
      row.ess_bulk = std::fmin(row.ess_bulk, bound);
      row.ess_tail = present.blocks ? count * tail_independence() : std::fmin(row.ess_tail, bound);
    }
    if (present.has_r_hat) row.r_hat = statistics.r_hat;
    return;
  }
  const double size = kish_ess(weights);
  const Chains scores = weighted_scores(x, present.weights);
  std::vector<double> storage;
  row.ess_bulk = size * independence(scores, present, moments(flat(scores, storage), weights).mean);
  row.ess_tail = size * tail_independence();
  row.mcse = std::fmax(row.mcse, row.sd / std::sqrt(row.ess_bulk));
  if (present.has_r_hat) row.r_hat = weighted_r_hat(scores, present.weights);
}

// Squares of numbers near the ends of the range of doubles overflow or vanish: those are described
// in a power of two near the largest, which rounds nothing.
void add_numbers(Estimate& row, const Chains& x, const Present& present) {
  constexpr int kModerate = 400;
  double largest = 0;
  for (const auto& chain : x)
    for (const double v : chain)
      if (std::fabs(v) > largest && std::isfinite(v)) largest = std::fabs(v);
  const int exponent = largest > 0 ? std::ilogb(largest) : 0;
  if (std::abs(exponent) <= kModerate) return add_moderate_numbers(row, x, present);
  Chains scaled = x;
  for (auto& chain : scaled)
    for (double& v : chain) v = std::ldexp(v, -exponent);
  add_moderate_numbers(row, scaled, present);
  for (double* v : {&row.mean, &row.sd, &row.mcse, &row.mad, &row.q5, &row.q50, &row.q95})
    *v = std::ldexp(*v, exponent);
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
  std::vector<double> storage;
  std::vector<double> weight_storage;
  const Moments m = moments(flat(share.indicator, storage), flat(present.weights, weight_storage));
  share.probability = m.mean;
  share.mcse = present.enumerated ? kUndefined : mean_error(share.indicator, present, m);
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

// One value in all draws that carry weight, and how the draws are related.
Estimate::Change change_of(const Chains& values, const Present& present, const DrawFrame& frame) {
  std::size_t count = 0;
  double first = 0;
  for (std::size_t c = 0; c < values.size(); ++c) {
    for (std::size_t i = 0; i < values[c].size(); ++i) {
      if (!present.weights.empty() && present.weights[c][i] == 0) continue;
      if (count++ == 0) first = values[c][i];
      // NaN differs from everything.
      if (!(values[c][i] == first)) return Estimate::Change::Yes;
    }
  }
  if (count < 2) return Estimate::Change::Yes;  // nothing to compare
  return frame.sweep_rows.size() < kFewSweeps * frame.chain_rows.size() &&
                 frame.sweep_rows.size() < frame.log_weights.size()
             ? Estimate::Change::Coalesced
             : Estimate::Change::No;
}

// By counting alone; false when the label is not one for that.
bool describe_by_counting(Estimate& row, const Column& column, bool structures,
                          const DrawFrame& frame) {
  if (frame.enumerated || !(column.is_dictionary() || column.all_integers())) return false;
  const std::optional<Tally> tally = Tally::of(column, frame);
  if (!tally || (!column.is_dictionary() && tally->values().size() > kMaxDiscrete)) return false;
  row.kind = structures ? Estimate::Kind::Structure : Estimate::Kind::Discrete;
  row.change = tally->carriers() < 2 ? Estimate::Change::No : Estimate::Change::Yes;
  std::vector<std::size_t> listed;
  for (std::size_t k = 0; k < tally->values().size(); ++k) {
    const bool others = column.is_dictionary() && tally->values()[k] == Column::kOthers;
    if (tally->weights()[k] > 0 && !others) listed.push_back(k);
  }
  row.distinct = listed.size();
  const auto add = [&](std::size_t k, std::string text) {
    row.support.push_back({std::move(text), tally->probability(k),
                           tally->carriers() < 2 ? 0 : tally->probability_error(k)});
  };
  if (!column.is_dictionary()) {
    tally->describe_numbers(row);
    for (const std::size_t k : listed)
      add(k, std::to_string(static_cast<long long>(tally->values()[k])));
    return true;
  }
  row.mean = row.mcse = row.sd = row.mad = row.q5 = row.q50 = row.q95 = kUndefined;
  row.ess_bulk = row.ess_tail = row.r_hat = kUndefined;
  row.distinct_is_bound = column.overflowed();
  std::stable_sort(listed.begin(), listed.end(), [&](std::size_t a, std::size_t b) {
    return tally->weights()[a] > tally->weights()[b];
  });
  listed.resize(std::min(listed.size(), structures ? kMaxStructures : kMaxDiscrete));
  for (const std::size_t k : listed)
    add(k, column.entry_text(static_cast<std::uint32_t>(tally->values()[k])));
  if (listed.empty()) return true;
  Estimate judged;
  tally->indicator(listed.front()).describe_numbers(judged);
  row.ess_bulk = judged.ess_bulk;
  row.ess_tail = judged.ess_tail;
  row.r_hat = judged.r_hat;
  return true;
}

// Where chains are that disagree.
void add_chain_means(Estimate& row, const Column& column, const DrawFrame& frame) {
  constexpr double kDisagree = 1.05;
  if (!row.numeric || !(row.r_hat > kDisagree) || column.has_missing() || !frame.weights.empty() ||
      frame.chain_rows.size() < 2)
    return;
  for (const auto& chain : present_draws(column, frame).values)
    row.chain_means.push_back(moments(chain, {}).mean);
}

Estimate describe(const Column& column, bool structures, const DrawFrame& frame) {
  Estimate row;
  if (describe_by_counting(row, column, structures, frame)) return row;
  const Present present = present_draws(column, frame);
  row.change = change_of(present.values, present, frame);
  row.presence = present.share;
  const Chains& keys = present.values;
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

}  // namespace

Estimate estimate(const Column& column, bool structures, const DrawFrame& frame, bool fixed) {
  Estimate row = describe(column, structures, frame);
  add_chain_means(row, column, frame);
  if (row.change == Estimate::Change::Yes || frame.enumerated) return row;
  if (fixed) row.change = Estimate::Change::Fixed;
  row.mcse = !row.numeric ? kUndefined : fixed ? 0 : kUndefined;
  for (Support& s : row.support) s.mcse = fixed ? 0 : kUndefined;
  return row;
}

}  // namespace chancel::report
