// SPDX-License-Identifier: Apache-2.0
// See check.hpp.
#include "check.hpp"

#include <fmt/format.h>

#include <cmath>

namespace delayed {

namespace {

struct Estimate {
  double mean = 0;
  double error = 0;
};

Estimate by_batches(const std::vector<double>& xs) {
  constexpr std::size_t kBatches = 40;
  const std::size_t length = xs.size() / kBatches;
  double sum = 0, squares = 0;
  for (std::size_t b = 0; b < kBatches; ++b) {
    double mean = 0;
    for (std::size_t i = 0; i < length; ++i) mean += xs[b * length + i];
    mean /= static_cast<double>(length);
    sum += mean;
    squares += mean * mean;
  }
  const double mean = sum / kBatches;
  return {mean, std::sqrt(std::max(0.0, squares / kBatches - mean * mean) / (kBatches - 1))};
}

}  // namespace

std::string difference(const Answer& answer, const Setting& setting, std::uint64_t samples,
                       std::uint64_t seed) {
  const Outcome out = run(answer.program, setting, samples, seed);
  if (!(std::abs(out.log_evidence - answer.log_evidence) <= kEvidenceTolerance))
    return fmt::format("{} {}: log evidence {:.12g}, should be {:.12g}", answer.name,
                       setting.engine, out.log_evidence, answer.log_evidence);
  const bool same_weights = std::string(setting.engine) != "ipmcmc";  // which weighs its nodes
  for (const double w : out.log_weights)
    if (same_weights && !(std::abs(w - out.log_weights[0]) <= kEvidenceTolerance))
      return fmt::format("{} {}: weights differ", answer.name, setting.engine);
  for (const auto& [label, truth] : answer.predicts) {
    const std::vector<double>& xs = out.predicts.at(label);
    std::vector<double> squares;
    for (const double x : xs) squares.push_back((x - truth.mean) * (x - truth.mean));
    const Estimate mean = by_batches(xs);
    const Estimate variance = by_batches(squares);
    if (!(std::abs(mean.mean - truth.mean) <= kMostErrors * mean.error))
      return fmt::format("{} {}: mean of {} {:.6g} +- {:.2g}, should be {:.6g}", answer.name,
                         setting.engine, label, mean.mean, mean.error, truth.mean);
    if (!(std::abs(variance.mean - truth.variance) <= kMostErrors * variance.error))
      return fmt::format("{} {}: variance of {} {:.6g} +- {:.2g}, should be {:.6g}", answer.name,
                         setting.engine, label, variance.mean, variance.error, truth.variance);
  }
  return "";
}

}  // namespace delayed
