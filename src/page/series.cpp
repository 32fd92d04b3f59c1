// SPDX-License-Identifier: Apache-2.0
#include "page/series.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace chancel::page {

Curve thin_trace(std::span<const double> y, std::size_t most) {
  const std::size_t stretches = std::max<std::size_t>(1, most / 2);
  if (y.size() <= most) return pick_trace(y, most);
  Curve out;
  for (std::size_t k = 0; k < stretches; ++k) {
    const std::size_t begin = k * y.size() / stretches, end = (k + 1) * y.size() / stretches;
    std::size_t low = begin, high = begin;
    for (std::size_t i = begin; i < end; ++i) {
      if (!(y[i] >= y[low])) low = i;
      if (!(y[i] <= y[high])) high = i;
    }
    for (const std::size_t i : {std::min(low, high), std::max(low, high)}) {
      if (!out.x.empty() && out.x.back() == static_cast<double>(i)) continue;
      out.x.push_back(static_cast<double>(i));
      out.y.push_back(y[i]);
    }
  }
  return out;
}

Curve pick_trace(std::span<const double> y, std::size_t most) {
  Curve out;
  const std::size_t step =
      std::max<std::size_t>(1, (y.size() + most - 1) / std::max<std::size_t>(1, most));
  for (std::size_t i = 0; i < y.size(); i += step) {
    out.x.push_back(static_cast<double>(i));
    out.y.push_back(y[i]);
  }
  return out;
}

Curve running_mean(std::span<const double> y, std::span<const double> weights, std::size_t most) {
  Curve out;
  const std::size_t step =
      std::max<std::size_t>(1, (y.size() + most - 1) / std::max<std::size_t>(1, most));
  double sum = 0, total = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double w = weights.empty() ? 1 : weights[i];
    if (w > 0) sum += w * y[i];
    total += w;
    if ((i + 1) % step != 0 && i + 1 != y.size()) continue;
    if (!(total > 0)) continue;
    out.x.push_back(static_cast<double>(i + 1));
    out.y.push_back(sum / total);
  }
  return out;
}

Parts parts_of(const report::Chains& values, const report::Chains& weights) {
  Parts parts;
  if (values.size() != 1) {
    for (std::size_t c = 0; c < values.size(); ++c)
      parts.names.push_back(fmt::format("chain {}", c + 1));
    parts.values = values;
    parts.weights = weights;
    return parts;
  }
  const std::size_t n = values[0].size();
  constexpr std::size_t kQuarters = 4;
  const auto cut = [&](const std::vector<double>& from, std::size_t q) {
    const auto at = [&](std::size_t part) {
      return from.begin() + static_cast<std::ptrdiff_t>(part * n / kQuarters);
    };
    return std::vector<double>(at(q), at(q + 1));
  };
  for (std::size_t q = 0; q < kQuarters; ++q) {
    parts.names.push_back(fmt::format("quarter {}", q + 1));
    parts.values.push_back(cut(values[0], q));
    if (!weights.empty()) parts.weights.push_back(cut(weights[0], q));
  }
  return parts;
}

std::vector<std::vector<double>> rank_shares(const Parts& parts, std::size_t bins) {
  struct Item {
    double value, weight;
    std::size_t part;
  };
  std::vector<Item> items;
  std::vector<double> total(parts.values.size(), 0);
  double sum = 0;
  for (std::size_t p = 0; p < parts.values.size(); ++p) {
    for (std::size_t i = 0; i < parts.values[p].size(); ++i) {
      const double w = parts.weights.empty() ? 1 : parts.weights[p][i];
      if (!(w > 0) || std::isnan(parts.values[p][i])) continue;
      items.push_back({parts.values[p][i], w, p});
      total[p] += w;
      sum += w;
    }
  }
  std::sort(items.begin(), items.end(),
            [](const Item& a, const Item& b) { return a.value < b.value; });
  std::vector<std::vector<double>> shares(parts.values.size(), std::vector<double>(bins, 0));
  const auto count = static_cast<double>(bins);
  double before = 0;
  for (std::size_t begin = 0; begin < items.size();) {
    std::size_t end = begin;
    double tied = 0;
    for (; end < items.size() && items[end].value == items[begin].value; ++end)
      tied += items[end].weight;
    // The ties cover the ranks [from, to) of [0, bins).
    const double from = before / sum * count, to = std::min((before + tied) / sum * count, count);
    for (auto bin = static_cast<std::size_t>(from); bin < bins && static_cast<double>(bin) < to;
         ++bin) {
      const double covered =
          std::min(to, static_cast<double>(bin + 1)) - std::max(from, static_cast<double>(bin));
      for (std::size_t i = begin; i < end; ++i)
        shares[items[i].part][bin] += items[i].weight * covered / (to - from);
    }
    before += tied;
    begin = end;
  }
  for (std::size_t p = 0; p < shares.size(); ++p)
    for (double& share : shares[p]) share = total[p] > 0 ? share / total[p] * count : 0;
  return shares;
}

}  // namespace chancel::page
