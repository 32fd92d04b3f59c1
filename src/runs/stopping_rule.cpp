// SPDX-License-Identifier: Apache-2.0
// See stopping_rule.hpp.
#include "runs/stopping_rule.hpp"

#include <fmt/format.h>

#include <cmath>

#include "chancel/summary.hpp"

namespace chancel {

namespace {
constexpr double kMostRHat = 1.01;
constexpr double kFewestSweeps = 20;
constexpr std::uint64_t kMostDraws = 4000000;  // of all chains
}  // namespace

StoppingRule::StoppingRule(double ess, std::uint64_t first_round)
    : ess_(ess), round_(first_round), draws_(std::make_unique<SummaryBuilder>()) {}
StoppingRule::~StoppingRule() = default;

void StoppingRule::add(const Draw& draw) { draws_->add(draw); }

// The label that is furthest from the goal. One that never changed cannot get nearer, and is
// reported elsewhere.
std::string StoppingRule::shortfall(const Summary& summary, const RunStatistics& statistics) const {
  const Estimate* worst = nullptr;
  double furthest = 1;
  for (const Estimate& row : summary.estimates) {
    const double size = std::fmin(row.ess_bulk, row.ess_tail);
    double distance = std::isnan(size) ? 1 : ess_ / size;
    // Excess of R-hat is roughly one over the effective sample size of a chain.
    if (row.r_hat >= kMostRHat)
      distance = std::fmax(distance, 1 + (row.r_hat - 1) / (kMostRHat - 1));
    if (distance > furthest) {
      furthest = distance;
      worst = &row;
    }
  }
  // Errors of weighted sweeps are known from several that carry the weight.
  const double share =
      summary.draws == 0 ? 0 : summary.weight_ess / static_cast<double>(summary.draws);
  const double sweeps = share * static_cast<double>(summary.sweeps);
  if (!worst && summary.weighted && summary.sweeps < summary.draws && sweeps < kFewestSweeps)
    return fmt::format("{} sweeps carry weights like {:.1f}, {:.0f} wanted", summary.sweeps, sweeps,
                       kFewestSweeps);
  if (!worst && statistics.longest_stay > 0)
    return fmt::format("chains came back {} times to where one stayed for {} steps",
                       statistics.stay_visits, statistics.longest_stay);
  if (!worst) return "";
  const std::string r_hat =
      std::isnan(worst->r_hat) ? "" : fmt::format(" and R_hat {:.3g}", worst->r_hat);
  return fmt::format("{} has ESS {:.0f}{}", worst->label(),
                     std::fmin(worst->ess_bulk, worst->ess_tail), r_hat);
}

bool StoppingRule::look(const RunStatistics& statistics, unsigned threads) {
  const Summary summary = draws_->summary(statistics, threads);
  const std::string missing = shortfall(summary, statistics);
  if (missing.empty()) {
    text_ = fmt::format("every label has ESS >= {:.0f} and R_hat < {}", ess_, kMostRHat);
    return true;
  }
  // Chains that have labels in different orders keep them, however long they are.
  constexpr double kStays = 1.3;
  if (const auto& labels = summary.exchanged; labels && labels->r_hat > kStays) {
    text_ = fmt::format("the chains have {} in different orders, and more draws do not change that",
                        labels->labels);
    return true;
  }
  round_ += round_ / 2;
  if (round_ * summary.chains <= kMostDraws) return false;
  text_ = fmt::format("{} draws are the most that are taken without -n: {}, {:.0f} wanted",
                      summary.draws, missing, ess_);
  return true;
}

void StoppingRule::time_over(const RunStatistics& statistics, unsigned threads, double limit) {
  ended_by(fmt::format("the time limit of {:g} s", limit), statistics, threads);
}

void StoppingRule::work_over(const RunStatistics& statistics, unsigned threads) {
  ended_by("all the work that is done without --timeout", statistics, threads);
}

void StoppingRule::ended_by(std::string what, const RunStatistics& statistics, unsigned threads) {
  const std::string missing = shortfall(draws_->summary(statistics, threads), statistics);
  text_ = std::move(what);
  if (!missing.empty())
    text_ += fmt::format(": {}, {:.0f} wanted (--timeout, --ess)", missing, ess_);
}

}  // namespace chancel
