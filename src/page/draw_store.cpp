// SPDX-License-Identifier: Apache-2.0
#include "page/draw_store.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <string>

#include "report/weighted.hpp"

namespace chancel::page {

DrawStore::DrawStore(const report::DrawColumns& draws, std::size_t rows) : draws_(draws) {
  const std::vector<double>& log_weights = draws.frame.log_weights;
  step_ = std::max<std::size_t>(1, (log_weights.size() * rows + kMaxValues - 1) / kMaxValues);
  for (const auto& label : draws.labels)
    label.shape.visit([this](const std::string&, const report::Column& column, bool) {
      leaves_.push_back(&column);
    });
  std::map<std::uint32_t, std::uint32_t> chains;
  std::vector<double> picked;
  std::size_t row = 0;
  for (const auto& stretch : draws.frame.stretches) {
    const auto chain = chains.emplace(stretch.chain, chains.size()).first->second;
    for (const std::size_t end = row + stretch.rows; row < end; ++row) {
      if (row % step_ != 0) continue;
      chain_of_.push_back(static_cast<std::uint32_t>(chain));
      picked.push_back(log_weights[row]);
    }
  }
  chains_ = chains.size();
  if (!report::are_equal(picked)) weights_ = report::relative_weights(picked);
}

Series DrawStore::series(std::size_t number, const Estimate& row) const {
  const report::Column& column = *leaves_[number];
  Series out;
  out.integers = column.all_integers();
  out.values.resize(chains_);
  if (!weights_.empty()) out.weights.resize(chains_);
  std::map<std::string, double> places;  // in the support
  if (!row.numeric)
    for (const Support& s : row.support)
      places.emplace(s.value, static_cast<double>(places.size()));
  std::vector<double> place_of;  // by entry of the dictionary
  for (std::uint32_t e = 0; e < column.entry_count(); ++e) {
    const auto found = places.find(column.entry_text(e));
    place_of.push_back(found == places.end() ? -1 : found->second);
  }
  std::size_t at = column.first_row();
  column.each([&](bool missing, double x) {
    const std::size_t draw = at++;
    if (missing || draw % step_ != 0) return;
    if (column.is_dictionary()) {
      const auto entry = static_cast<std::size_t>(x);
      x = entry < place_of.size() ? place_of[entry] : -1;
    }
    const std::uint32_t chain = chain_of_[draw / step_];
    out.values[chain].push_back(x);
    if (!weights_.empty()) out.weights[chain].push_back(weights_[draw / step_]);
  });
  return out;
}

const report::Column* DrawStore::numbers(std::size_t number) const {
  const report::Column& column = *leaves_[number];
  return column.is_dictionary() || column.has_missing() ? nullptr : &column;
}

// Chains come in turn, so draws at equal distances could all be of one: multiples of the golden ratio
// keep no step.
std::vector<std::size_t> DrawStore::pick(std::size_t most) const {
  constexpr double kGolden = 0.6180339887498949;
  const std::vector<double>& log_weights = draws_.frame.log_weights;
  const std::size_t draws = log_weights.size();
  std::vector<std::size_t> rows;
  if (weights_.empty() && draws <= most) {
    rows.resize(draws);
    std::iota(rows.begin(), rows.end(), 0);
    return rows;
  }
  std::vector<double> places;
  for (std::size_t i = 0; i < most; ++i) {
    const double x = (static_cast<double>(i) + 0.5) * kGolden;
    places.push_back(x - std::floor(x));
  }
  std::sort(places.begin(), places.end());
  const std::vector<double> weights =
      weights_.empty() ? std::vector<double>() : report::relative_weights(log_weights);
  const double total = weights.empty() ? static_cast<double>(draws)
                                       : std::accumulate(weights.begin(), weights.end(), 0.0);
  double sum = 0;
  std::size_t row = 0;
  for (const double place : places) {
    for (; row < draws; ++row) {
      const double weight = weights.empty() ? 1 : weights[row];
      if (sum + weight > place * total) break;
      sum += weight;
    }
    rows.push_back(std::min(row, draws - 1));
  }
  return rows;
}

}  // namespace chancel::page
