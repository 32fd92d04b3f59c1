// SPDX-License-Identifier: Apache-2.0
#include "report/correlation.hpp"

#include <cmath>
#include <numeric>

#include "report/predictive.hpp"

namespace chancel::report {
namespace {
constexpr std::size_t kMostLabels = 30;
constexpr std::size_t kMostRows = 2000;
constexpr double kLinear = 1 - 1e-10;

// Where chains are far apart, any two labels would be correlated by that alone.
void centre_by_chain(std::vector<double>& numbers, const std::vector<std::uint32_t>& chain_of,
                     std::size_t chains) {
  std::vector<double> sums(chains, 0), counts(chains, 0);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    sums[chain_of[i]] += numbers[i];
    ++counts[chain_of[i]];
  }
  for (std::size_t i = 0; i < numbers.size(); ++i)
    numbers[i] -= sums[chain_of[i]] / counts[chain_of[i]];
}

}  // namespace

double correlation(std::span<const double> x, std::span<const double> y) {
  const auto n = static_cast<double>(x.size());
  double mean_x = 0, mean_y = 0, xx = 0, yy = 0, xy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    mean_x += x[i] / n;
    mean_y += y[i] / n;
  }
  for (std::size_t i = 0; i < x.size(); ++i) {
    xx += (x[i] - mean_x) * (x[i] - mean_x);
    yy += (y[i] - mean_y) * (y[i] - mean_y);
    xy += (x[i] - mean_x) * (y[i] - mean_y);
  }
  const double r = xy / std::sqrt(xx * yy);
  return std::isfinite(r) ? r : 0;
}

std::optional<Correlation> strongest_correlation(const DrawColumns& draws,
                                                 const std::vector<Estimate>& rows,
                                                 const RunStatistics& statistics) {
  const std::size_t count = draws.frame.log_weights.size();
  if (count < 3 || !draws.frame.weights.empty()) return std::nullopt;
  // Chains come in turn: a step that has no divisor in common with their number meets all of them.
  std::size_t step = count / kMostRows + 1;
  while (step > 1 && std::gcd(step, draws.frame.chain_rows.size()) > 1) ++step;
  std::vector<std::uint32_t> chain_of;  // of the rows that are looked at
  std::size_t begin = 0;
  for (std::size_t s = 0; s < draws.frame.stretches.size(); ++s) {
    const std::size_t end = begin + draws.frame.stretches[s].rows;
    for (; chain_of.size() * step < end;) chain_of.push_back(draws.frame.stretch_chains[s]);
    begin = end;
  }
  std::vector<std::vector<double>> values;
  std::vector<const Estimate*> of;
  std::size_t number = 0;
  for (const DrawColumns::Label& label : draws.labels)
    label.shape.visit([&](const std::string&, const Column& column, bool) {
      const Estimate& row = rows[number++];
      if (of.size() >= kMostLabels || row.kind != Estimate::Kind::Real || !(row.sd > 0) ||
          column.is_dictionary() || column.has_missing() || is_predictive(row.label(), statistics))
        return;
      of.push_back(&row);
      auto& numbers = values.emplace_back();
      for (std::size_t i = 0; i < count; i += step) numbers.push_back(column.number(i));
      centre_by_chain(numbers, chain_of, draws.frame.chain_rows.size());
    });
  std::optional<Correlation> strongest;
  for (std::size_t i = 0; i < of.size(); ++i)
    for (std::size_t j = i + 1; j < of.size(); ++j) {
      const double r = correlation(values[i], values[j]);
      if (std::fabs(r) < kLinear && (!strongest || std::fabs(r) > std::fabs(strongest->value)))
        strongest = {of[i]->label(), of[j]->label(), r, r * of[i]->sd / of[j]->sd,
                     of[i]->predict == of[j]->predict};
    }
  return strongest;
}

}  // namespace chancel::report
