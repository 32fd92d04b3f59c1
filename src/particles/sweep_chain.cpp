// SPDX-License-Identifier: Apache-2.0
// See sweep_chain.hpp.
#include "particles/sweep_chain.hpp"

#include <algorithm>
#include <cmath>

#include "math/elementary.hpp"
#include "value/equality.hpp"

namespace chancel {

void SweepChain::draw(const EngineDraw& d) {
  if (d.log_weight == kLogZero) return;
  if (draws_ > 0 && d.sweep != number_) end_sweep();
  number_ = d.sweep;
  ++draws_;
  if (d.log_weight > high_) {
    const double scale = math::exp(high_ - d.log_weight);
    total_ *= scale;
    sought_weight_ *= scale;
    high_ = d.log_weight;
  }
  const double weight = math::exp(d.log_weight - high_);
  total_ += weight;
  if (sought_) {
    if (equal(d.result, *sought_)) {
      sought_weight_ += weight;
      met_ = true;
    }
  } else if (total_ == weight || stream_.uniform() * total_ < weight) {
    pending_.value = keep_(d.result);
  }
  pending_.log_total = high_ + math::log(total_);
}

void SweepChain::end_sweep() {
  pending_.share = sought_weight_ / total_;
  const double log_ratio = pending_.log_total - standing_.log_total;  // +inf for the first
  if (log_ratio >= 0 || math::log(stream_.uniform_open()) < log_ratio) standing_ = pending_;
  shares_.push_back(standing_.share);
  log_totals_.push_back(pending_.log_total);
  pending_ = Sweep{};
  high_ = kLogZero;
  total_ = sought_weight_ = 0;
}

double SweepChain::bias() const {
  std::vector<double> w = log_totals_;
  if (pending_.log_total > kLogZero) w.push_back(pending_.log_total);
  if (w.size() < 2) return 0;
  std::sort(w.begin(), w.end());
  const double high = w.back();
  double total = 0;
  for (double& x : w) total += x = math::exp(x - high);
  const auto k = static_cast<double>(w.size());
  double below = 0, bias = 0;
  for (std::size_t i = 0; i < w.size(); below += w[i++]) {
    if (w[i] == 0) continue;
    const double rejected = (static_cast<double>(i) - below / w[i]) / k;
    bias += w[i] / total * math::pow(std::max(0.0, rejected), k);
  }
  return bias;
}

bool SweepChain::finish() {
  if (pending_.log_total > kLogZero) end_sweep();
  return draws_ > 0;
}

double SweepChain::probability() const {
  double sum = 0;
  const std::size_t from = shares_.size() / 2;
  for (std::size_t i = from; i < shares_.size(); ++i) sum += shares_[i];
  return sum / static_cast<double>(shares_.size() - from);
}

}  // namespace chancel
