// SPDX-License-Identifier: Apache-2.0
#include "paper/empirical.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace chancel::paper {
namespace {

constexpr std::size_t kQuantiles = 19;  // of a normal law, for batches

}  // namespace

Empirical::Empirical(const Problem& problem)
    : problem_(problem), vector_(problem.labels.size() < problem.law.rows.size()) {
  if (problem.law.normal) {
    empty_counts_.emplace_back(kQuantiles + 1, 0.0);
  } else {
    for (const auto& row : problem.law.rows) empty_counts_.emplace_back(row.size() + 1, 0.0);
    counts_ = empty_counts_;
  }
  begin_batch();
}

void Empirical::begin_batch() { batches_.push_back({0, empty_counts_}); }

void Empirical::add_value(std::size_t row, const ValueView& value, double weight) {
  const Law& law = problem_.law;
  Batch& batch = batches_.back();
  if (law.normal) {
    const double x = value.number();
    points_.push_back({x, weight});
    const double cell = law.cdf(x) * (kQuantiles + 1);
    batch.counts[0][std::min(kQuantiles, static_cast<std::size_t>(cell))] += weight;
    return;
  }
  const std::size_t values = law.rows[row].size();
  const auto at = static_cast<std::size_t>(value.number() - law.first);
  counts_[row][std::min(at, values)] += weight;
  batch.counts[row][std::min(at, values)] += weight;
}

void Empirical::add(const Draw& draw) {
  if (!begun_) shift_ = draw.log_weight;
  begun_ = true;
  const double weight = draw.log_weight == shift_ ? 1 : std::exp(draw.log_weight - shift_);
  total_ += weight;
  ++draws_;
  batches_.back().total += weight;
  const std::vector<std::string>& labels = problem_.labels;
  if (vector_) {
    const ValueView& all = draw[labels[0]];
    for (std::size_t i = 0; i < counts_.size(); ++i) add_value(i, all.at(i), weight);
    return;
  }
  for (std::size_t i = 0; i < labels.size(); ++i) add_value(i, draw[labels[i]], weight);
}

double Empirical::distance() {
  const Law& law = problem_.law;
  if (!law.normal) {
    double sum = 0;
    for (std::size_t r = 0; r < counts_.size(); ++r) {
      for (std::size_t v = 0; v < counts_[r].size(); ++v) {
        const double p = counts_[r][v] / total_;
        if (p <= 0) continue;
        const double exact = v < law.rows[r].size() ? law.rows[r][v] : 0;
        // Values outside the law's list are possible but less probable than any double that sums.
        sum += p * std::log(p / std::max(exact, std::numeric_limits<double>::min()));
      }
    }
    return std::max(0.0, sum);
  }
  const auto less = [](const Point& a, const Point& b) { return a.value < b.value; };
  const auto middle = points_.begin() + static_cast<std::ptrdiff_t>(sorted_);
  std::sort(middle, points_.end(), less);
  std::inplace_merge(points_.begin(), middle, points_.end(), less);
  sorted_ = points_.size();
  double below = 0, most = 0;
  for (const Point& p : points_) {
    const double exact = law.cdf(p.value);
    most = std::max(most, std::fabs(below / total_ - exact));
    below += p.weight;
    most = std::max(most, std::fabs(below / total_ - exact));
  }
  return most;
}

double Empirical::effective_draws() const {
  std::vector<const Batch*> used;
  for (std::size_t i = batches_.size() / 10; i < batches_.size(); ++i)
    if (batches_[i].total > 0) used.push_back(&batches_[i]);
  if (used.size() < 9) return std::numeric_limits<double>::quiet_NaN();
  // Sums of var(p) / p over the cells: (1-p) when the draws are independent, by their number.
  const auto n = static_cast<double>(used.size());
  double independent = 0, seen = 0;
  for (std::size_t r = 0; r < empty_counts_.size(); ++r) {
    const std::size_t cells = problem_.law.normal ? kQuantiles : empty_counts_[r].size() - 1;
    double cumulated = 0;
    std::vector<double> sums(used.size(), 0.0);
    for (std::size_t v = 0; v < cells; ++v) {
      double p, scale;
      if (problem_.law.normal) {
        p = cumulated += 1.0 / (kQuantiles + 1);
        scale = 1;
      } else {
        p = problem_.law.rows[r][v];
        scale = p;
        std::fill(sums.begin(), sums.end(), 0.0);
      }
      if (p < 1e-4) continue;  // too rare for batches to say anything
      double mean = 0, squares = 0;
      for (std::size_t b = 0; b < used.size(); ++b) {
        sums[b] += used[b]->counts[r][v] / used[b]->total;
        mean += sums[b];
        squares += sums[b] * sums[b];
      }
      mean /= n;
      seen += (squares / n - mean * mean) / (n - 1) / scale;
      independent += p * (1 - p) / scale;
    }
  }
  return seen > 0 ? independent / seen : std::numeric_limits<double>::quiet_NaN();
}

std::vector<double> Empirical::cdf_points(const Law& law) {
  std::vector<double> out;
  for (int i = -40; i <= 40; ++i) out.push_back(law.mean + i * law.sd / 10);
  return out;
}

std::vector<std::vector<double>> Empirical::estimate() {
  if (!problem_.law.normal) {
    std::vector<std::vector<double>> out = counts_;
    for (auto& row : out) {
      row.pop_back();
      for (double& p : row) p /= total_;
    }
    return out;
  }
  std::vector<double> row;
  for (const double x : cdf_points(problem_.law)) {
    double below = 0;
    for (const Point& p : points_)
      if (p.value <= x) below += p.weight;
    row.push_back(below / total_);
  }
  return {row};
}

}  // namespace chancel::paper
