// SPDX-License-Identifier: Apache-2.0
#include "report/tally.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "math/normal.hpp"
#include "report/weighted.hpp"

namespace chancel::report {
namespace {

constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kDirect = 256;  // whole numbers below are looked up in a table

// Different values in the order in which they came, and the number of each.
class Codes {
 public:
  Codes() { table_.assign(kDirect, -1); }
  // -1: there are too many.
  int of(double value) {
    const auto whole = static_cast<std::size_t>(value >= 0 && value < kDirect ? value : kDirect);
    const bool direct = whole < kDirect && static_cast<double>(whole) == value;
    if (direct && table_[whole] >= 0) return table_[whole];
    for (std::size_t k = 0; k < values_.size() && !direct; ++k)
      if (values_[k] == value) return static_cast<int>(k);
    if (values_.size() == Tally::kMaxValues || std::isnan(value)) return -1;
    values_.push_back(value);
    const int code = static_cast<int>(values_.size()) - 1;
    if (direct) table_[whole] = code;
    return code;
  }
  const std::vector<double>& values() const { return values_; }

 private:
  std::vector<int> table_;
  std::vector<double> values_;
};

// Rows of `width` sums in the order of `order`, and only those.
std::vector<double> rearranged(const std::vector<double>& from, std::size_t width,
                               const std::vector<std::size_t>& order) {
  std::vector<double> to;
  to.reserve(from.size() / width * order.size());
  for (std::size_t row = 0; row < from.size(); row += width)
    for (const std::size_t k : order) to.push_back(from[row + k]);
  return to;
}

// Quantiles of values with weights: type 7 over draws of equal weight, the smallest value that
// reaches p otherwise (report/weighted.hpp).
double counted_quantile(const std::vector<double>& values, const std::vector<double>& weights,
                        bool weighted, double p) {
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  const auto first_above = [&](double goal, bool reach) {
    double sum = 0;
    for (std::size_t k = 0; k < values.size(); ++k) {
      sum += weights[k];
      if (weights[k] > 0 && (reach ? sum >= goal : sum > goal)) return values[k];
    }
    for (std::size_t k = values.size(); k-- > 0;)
      if (weights[k] > 0) return values[k];
    return kUndefined;
  };
  if (weighted) return first_above(p * total * (1 - 1e-12), true);
  const double at = p * (total - 1);
  const double floor = std::floor(at + 4 * std::numeric_limits<double>::epsilon());
  const double share = at - floor;
  const double low = first_above(floor, false);
  const double high = first_above(floor + 1, false);
  return share < 1e-15 || low == high ? low : low * (1 - share) + high * share;
}

}  // namespace

std::optional<Tally> Tally::of(const Column& column, const DrawFrame& frame) {
  if (!frame.blocks || column.has_missing() || column.rows() != frame.log_weights.size())
    return std::nullopt;
  Tally tally;
  tally.frame_ = &frame;
  tally.weighted_ = !frame.weights.empty();
  Codes codes;
  constexpr std::size_t kWidth = kMaxValues;
  std::vector<double> halves(2 * frame.chain_rows.size() * kWidth), squares(kWidth);
  std::vector<double> sweeps(frame.sweep_rows.size() * kWidth);
  tally.half_squares_.assign(2 * frame.chain_rows.size(), 0);
  double sums[kMaxValues] = {};
  double segment_squares = 0;
  std::size_t row = 0;
  bool few = true;
  auto segment = frame.segments.begin();
  const auto end_segment = [&] {
    for (std::size_t k = 0; k < codes.values().size(); ++k) {
      sweeps[segment->sweep * kWidth + k] += sums[k];
      if (segment->half != DrawFrame::kNoHalf) halves[segment->half * kWidth + k] += sums[k];
      sums[k] = 0;
    }
    if (segment->half != DrawFrame::kNoHalf) tally.half_squares_[segment->half] += segment_squares;
    segment_squares = 0;
    ++segment;
  };
  const double* weights = frame.weights.data();
  const auto count = [&](double value) {
    if (!few) return;
    const int k = codes.of(value);
    if (k < 0) {
      few = false;
      return;
    }
    const double w = tally.weighted_ ? weights[row] : 1.0;
    sums[k] += w;
    squares[static_cast<std::size_t>(k)] += w * w;
    segment_squares += w * w;
    if (++row == segment->end) end_segment();
  };
  column.each([&](bool, double value) { count(value); });
  if (!few) return std::nullopt;

  std::vector<std::size_t> order(codes.values().size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return codes.values()[a] < codes.values()[b]; });
  for (const std::size_t k : order) tally.values_.push_back(codes.values()[k]);
  tally.squares_ = rearranged(squares, kWidth, order);
  tally.halves_ = rearranged(halves, kWidth, order);
  tally.sweeps_ = rearranged(sweeps, kWidth, order);
  tally.weight_.assign(order.size(), 0);
  for (std::size_t i = 0; i < tally.sweeps_.size(); ++i)
    tally.weight_[i % order.size()] += tally.sweeps_[i];
  tally.draws_ = static_cast<double>(frame.log_weights.size());
  tally.total_ = std::accumulate(tally.weight_.begin(), tally.weight_.end(), 0.0);
  tally.total_squares_ = std::accumulate(tally.squares_.begin(), tally.squares_.end(), 0.0);
  return tally;
}

std::size_t Tally::carriers() const {
  return static_cast<std::size_t>(
      std::count_if(weight_.begin(), weight_.end(), [](double w) { return w > 0; }));
}

Tally Tally::indicator(std::size_t k) const {
  Tally out = *this;
  const std::size_t width = values_.size();
  out.values_ = {0, 1};
  const auto fold = [&](const std::vector<double>& from) {
    std::vector<double> to;
    to.reserve(from.size() / width * 2);
    for (std::size_t row = 0; row < from.size(); row += width) {
      double others = 0;
      for (std::size_t j = 0; j < width; ++j) others += j == k ? 0 : from[row + j];
      to.push_back(others);
      to.push_back(from[row + k]);
    }
    return to;
  };
  out.weight_ = fold(weight_);
  out.squares_ = fold(squares_);
  out.halves_ = fold(halves_);
  out.sweeps_ = fold(sweeps_);
  return out;
}

double Tally::mean(const Function& g) const {
  double sum = 0;
  for (std::size_t k = 0; k < g.size(); ++k) sum += weight_[k] * (g[k] - g[0]);
  return g[0] + sum / total_;
}

double Tally::variance(const Function& g, double mean) const {
  double sum = 0;
  for (std::size_t k = 0; k < g.size(); ++k) sum += weight_[k] * (g[k] - mean) * (g[k] - mean);
  const double divisor = total_ - total_squares_ / total_;
  return divisor > 1e-12 * total_ ? sum / divisor : kUndefined;
}

// What report/accuracy.hpp says of sums over sweeps.
double Tally::independence(const Function& g, double mean) const {
  const std::size_t width = values_.size();
  double squares = 0;
  for (std::size_t k = 0; k < width; ++k) squares += squares_[k] * (g[k] - mean) * (g[k] - mean);
  Chains sums(frame_->chain_rows.size());
  for (std::size_t s = 0; s < frame_->sweep_rows.size(); ++s) {
    double sum = 0;
    for (std::size_t k = 0; k < width; ++k) sum += sweeps_[s * width + k] * (g[k] - mean);
    sums[frame_->sweep_chains[s]].push_back(sum);
  }
  return std::min(1.0, block_independence(sums, squares));
}

double Tally::mean_error(const Function& g) const {
  const double m = mean(g);
  const double spread = variance(g, m);
  const double factor = independence(g, m);
  if (!weighted_) return std::sqrt(spread / (draws_ * factor));
  double squares = 0;
  for (std::size_t k = 0; k < g.size(); ++k) squares += squares_[k] * (g[k] - m) * (g[k] - m);
  return std::sqrt(std::fmax(squares, spread * total_squares_) / factor) / total_;
}

double Tally::probability_error(std::size_t k) const {
  Function g(values_.size(), 0.0);
  g[k] = 1;
  return mean_error(g);
}

double Tally::effective_size(const Function& g) const {
  const double size = weighted_ ? total_ * total_ / total_squares_ : draws_;
  return size * independence(g, mean(g));
}

// Equal weights: ranks among the draws of the halves, without the middle draw.
Tally::Function Tally::scores(const Function& g) const {
  const std::size_t width = values_.size();
  std::vector<double> counts = weight_;
  if (!weighted_) {
    std::fill(counts.begin(), counts.end(), 0.0);
    for (std::size_t i = 0; i < halves_.size(); ++i) counts[i % width] += halves_[i];
  }
  const double total = std::accumulate(counts.begin(), counts.end(), 0.0);
  std::vector<std::size_t> order(width);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return g[a] < g[b]; });
  Function z(width);
  double below = 0;
  for (std::size_t i = 0; i < width;) {
    double here = 0;
    std::size_t end = i;
    for (; end < width && g[order[end]] == g[order[i]]; ++end) here += counts[order[end]];
    const double edge = 0.25 / draws_;
    const double p = weighted_ ? std::clamp((below + here / 2) / total, edge, 1 - edge)
                               : (below + 0.5 * (here + 1) - 0.375) / (total + 0.25);
    for (; i < end; ++i) z[order[i]] = here > 0 || weighted_ ? normal_quantile(p) : 0;
    below += here;
  }
  return z;
}

double Tally::r_hat(const Function& g) const {
  const std::size_t width = values_.size();
  std::vector<double> means;
  double within = 0;
  double size = std::numeric_limits<double>::infinity();
  const std::size_t count = half_squares_.size();
  for (std::size_t h = 0; h < count; ++h) {
    const double* w = halves_.data() + h * width;
    const double total = std::accumulate(w, w + width, 0.0);
    if (!(total > 0)) return kUndefined;
    double sum = 0;
    for (std::size_t k = 0; k < width; ++k) sum += w[k] * g[k];
    const double m = sum / total;
    double squares = 0;
    for (std::size_t k = 0; k < width; ++k) squares += w[k] * (g[k] - m) * (g[k] - m);
    means.push_back(m);
    within += squares / (total - half_squares_[h] / total) / static_cast<double>(count);
    size = std::min(size, total * total / half_squares_[h]);
  }
  const double between = moments(means, {}).variance;
  // Chains that stand still at different values disagree without bound.
  if (!(within > 0)) return between > 0 ? std::numeric_limits<double>::infinity() : kUndefined;
  return std::sqrt((between + within * (size - 1) / size) / within);
}

void Tally::describe_numbers(Estimate& row) const {
  row.numeric = true;
  row.mean = mean(values_);
  const double spread = variance(values_, row.mean);
  row.sd = std::sqrt(spread);
  row.q5 = counted_quantile(values_, weight_, weighted_, 0.05);
  row.q50 = counted_quantile(values_, weight_, weighted_, 0.5);
  row.q95 = counted_quantile(values_, weight_, weighted_, 0.95);
  std::vector<std::pair<double, double>> distances;
  for (std::size_t k = 0; k < values_.size(); ++k)
    distances.emplace_back(std::fabs(values_[k] - row.q50), weight_[k]);
  std::sort(distances.begin(), distances.end());
  std::vector<double> distance, distance_weight;
  for (const auto& [d, w] : distances) {
    distance.push_back(d);
    distance_weight.push_back(w);
  }
  row.mad = 1.4826 * counted_quantile(distance, distance_weight, weighted_, 0.5);
  row.mcse = row.ess_bulk = row.ess_tail = row.r_hat = kUndefined;
  if (carriers() < 2) return;
  const Function z = scores(values_);
  row.ess_bulk = effective_size(weighted_ ? z : values_);
  row.mcse = std::fmax(mean_error(values_), weighted_ ? row.sd / std::sqrt(row.ess_bulk) : 0.0);
  row.ess_tail = std::numeric_limits<double>::infinity();
  for (const double edge : {row.q5, row.q95}) {
    Function below;
    for (const double v : values_) below.push_back(v <= edge ? 1 : 0);
    const bool constant = values_.front() > edge || values_.back() <= edge;
    // A bound that no draw passes has no error of its own; R's posterior gives no size then.
    row.ess_tail =
        constant && !weighted_ ? kUndefined : std::min(row.ess_tail, effective_size(below));
    if (std::isnan(row.ess_tail)) break;
  }
  if (frame_->sweep_rows.size() < 4 * frame_->chain_rows.size()) return;
  row.r_hat = r_hat(z);
  if (weighted_) return;
  Function folded;
  for (const double v : values_) folded.push_back(std::fabs(v - row.q50));
  row.r_hat = std::fmax(row.r_hat, r_hat(scores(folded)));
}

}  // namespace chancel::report
