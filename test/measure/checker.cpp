// SPDX-License-Identifier: Apache-2.0
// See checker.hpp.
#include "checker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace measure {

namespace {

// Values below this probability share one statistic, if they reach it together. Student's t needs a
// fair number of visits to a value in all runs: with 250 effective draws and p = 0.03 (single-site
// moves on hmm.vnt) a right engine gave t = 5.9, and 2.4 in longer runs.
constexpr double kRare = 0.04;
constexpr double kRareSlack = 0.05;  // rare values without a statistic may be off by so much
constexpr double kNever = 1e-9;      // an event below this probability must not be seen
constexpr std::size_t kBins = 200;   // of the histogram on the CDF scale
const double kQuantiles[] = {0.1, 0.3, 0.5, 0.7, 0.9};

double indicator_sd(double p) { return std::sqrt(p * (1 - p)); }

bool same(double a, double b) { return std::fabs(a - b) < 1e-9; }

}  // namespace

Checker::Checker(const Truth& truth)
    : truth_(truth),
      kept_(truth.scalars.size()),
      histogram_(truth.scalars.size()),
      other_exact_(truth.scalars.size(), 0),
      other_(truth.scalars.size(), 0),
      weights_(kRuns, 0),
      evidence_(kRuns, 0),
      estimates_(kRuns, 0),
      log_scale_(truth.log_evidence) {
  using Kind = Statistic::Kind;
  const std::vector<double> none(kRuns, 0);
  for (std::size_t s = 0; s < truth_.scalars.size(); ++s) {
    const Distribution& distribution = truth_.scalars[s].distribution;
    if (distribution.kind == Distribution::Kind::Discrete) {
      double rest = 1;
      for (std::size_t i = 0; i < distribution.support.size(); ++i)
        if (distribution.probabilities[i] >= kRare) {
          kept_[s].push_back(distribution.support[i]);
          rest -= distribution.probabilities[i];
          // A value that is certain is checked by what is seen beside it.
          if (distribution.probabilities[i] <= 1 - kRare)
            statistics_.push_back({s, Kind::Value, distribution.support[i],
                                   distribution.probabilities[i],
                                   indicator_sd(distribution.probabilities[i]), none});
        }
      other_exact_[s] = std::max(0.0, rest);
      if (rest >= kRare) statistics_.push_back({s, Kind::Other, 0, rest, indicator_sd(rest), none});
      continue;
    }
    statistics_.push_back({s, Kind::Mean, distribution.mean, 0, distribution.sd, none});
    statistics_.push_back({s, Kind::Variance, distribution.mean, distribution.sd * distribution.sd,
                           2 * distribution.sd * distribution.sd, none});
    if (distribution.kind == Distribution::Kind::Moments) continue;
    histogram_[s].assign(kBins, 0);
    for (double q : kQuantiles)
      statistics_.push_back({s, Kind::Below, q, q, indicator_sd(q), none});
  }
}

void Checker::add(int run, double log_weight, const std::vector<double>& values) {
  // Sums stay near one: weights are in units of the evidence (or of one, for chains: the scale
  // cancels).
  const double w = std::exp(log_weight - log_scale_);
  weights_[static_cast<std::size_t>(run)] += w;
  const auto r = static_cast<std::size_t>(run);
  std::vector<double> below(values.size(), 0);
  std::vector<char> other(values.size(), 0);
  for (std::size_t s = 0; s < values.size(); ++s) {
    if (!histogram_[s].empty()) {
      below[s] = truth_.scalars[s].distribution.cdf(values[s]);
      histogram_[s][std::min(kBins - 1, static_cast<std::size_t>(below[s] * kBins))] += w;
    } else if (truth_.scalars[s].distribution.kind == Distribution::Kind::Discrete) {
      other[s] = std::none_of(kept_[s].begin(), kept_[s].end(),
                              [&](double k) { return same(k, values[s]); });
      if (other[s]) other_[s] += w;
    }
  }
  for (Statistic& f : statistics_) {
    const double x = values[f.scalar];
    switch (f.kind) {
      case Statistic::Kind::Value:
        f.sums[r] += same(x, f.at) ? w : 0;
        break;
      case Statistic::Kind::Other:
        f.sums[r] += other[f.scalar] ? w : 0;
        break;
      case Statistic::Kind::Below:
        f.sums[r] += below[f.scalar] < f.at ? w : 0;
        break;
      case Statistic::Kind::Mean:
        f.sums[r] += w * (x - f.at);
        break;
      case Statistic::Kind::Variance:
        f.sums[r] += w * (x - f.at) * (x - f.at);
        break;
    }
  }
}

void Checker::add_evidence(int run, double log_evidence) {
  evidence_[static_cast<std::size_t>(run)] += std::exp(log_evidence - truth_.log_evidence);
  ++estimates_[static_cast<std::size_t>(run)];
}

double Checker::estimate(const Statistic& f) const {
  double sum = 0, weight = 0;
  for (std::size_t r = 0; r < kRuns; ++r) {
    sum += f.sums[r];
    weight += weights_[r];
  }
  return sum / weight;
}

// Of the mean over runs of A - p W, in units of the mean of W.
double Checker::standard_error(const Statistic& f) const {
  double mean = 0, weight = 0, square = 0;
  for (std::size_t r = 0; r < kRuns; ++r) {
    mean += (f.sums[r] - f.exact * weights_[r]) / kRuns;
    weight += weights_[r] / kRuns;
  }
  for (std::size_t r = 0; r < kRuns; ++r) {
    const double d = f.sums[r] - f.exact * weights_[r] - mean;
    square += d * d;
  }
  return std::sqrt(square / (kRuns - 1) / kRuns) / weight;
}

std::string Checker::describe(const Statistic& f) const {
  const Scalar& s = truth_.scalars[f.scalar];
  std::string what = s.label;
  if (s.entry >= 0) what += fmt::format("[{}]", s.entry);
  switch (f.kind) {
    case Statistic::Kind::Value:
      what = fmt::format("P({} = {})", what, f.at);
      break;
    case Statistic::Kind::Other:
      what = fmt::format("P({} elsewhere)", what);
      break;
    case Statistic::Kind::Below:
      what = fmt::format("P({} < its {} quantile)", what, f.at);
      break;
    case Statistic::Kind::Mean:
      return fmt::format("E({}) {:.5f}, exact {:.5f}", what, f.at + estimate(f), f.at);
    case Statistic::Kind::Variance:
      what = fmt::format("Var({})", what);
      break;
  }
  return fmt::format("{} {:.5f}, exact {:.5f}", what, estimate(f), f.exact);
}

// Values that cannot occur, and rare ones that have no statistic.
void Checker::check_others(Verdict& v) const {
  double weight = 0;
  for (double w : weights_) weight += w;
  for (std::size_t s = 0; s < other_.size(); ++s) {
    const double share = other_[s] / weight;
    if ((other_exact_[s] < kNever && share > 1e-6) ||
        (other_exact_[s] < kRare && share > other_exact_[s] + kRareSlack)) {
      v.ok = false;
      v.why += fmt::format("; {} has {:.4g} on values of probability {:.4g}",
                           truth_.scalars[s].label, share, other_exact_[s]);
    }
  }
}

void Checker::check_distances(Verdict& v) const {
  for (std::size_t s = 0; s < histogram_.size(); ++s) {
    if (histogram_[s].empty()) continue;
    double total = 0, sum = 0, distance = 0, effective = 0;
    int quantiles = 0;
    for (double h : histogram_[s]) total += h;
    for (std::size_t i = 0; i < kBins; ++i) {
      sum += histogram_[s][i];
      distance = std::max(distance, std::fabs(sum / total - static_cast<double>(i + 1) / kBins));
    }
    for (const Statistic& f : statistics_)
      if (f.scalar == s && f.kind == Statistic::Kind::Below) {
        const double se = standard_error(f);
        effective += f.exact * (1 - f.exact) / (se * se);
        ++quantiles;
      }
    ++v.statistics;
    const double scaled = distance * std::sqrt(effective / quantiles);
    v.ks = std::max(v.ks, scaled);
    if (!(scaled < kKolmogorov)) {
      v.ok = false;
      v.why += fmt::format("; KS distance of {} {:.4f}, scaled {:.2f}", truth_.scalars[s].label,
                           distance, scaled);
    }
  }
}

Verdict Checker::verdict(double limit, const std::vector<std::size_t>* only) const {
  Verdict v;
  const auto judged = [only](std::size_t i) {
    return !only || std::find(only->begin(), only->end(), i) != only->end();
  };
  for (std::size_t i = 0; i < statistics_.size(); ++i) {
    const Statistic& f = statistics_[i];
    if (!judged(i)) continue;
    ++v.statistics;
    const double error = estimate(f) - f.exact;
    const double se = standard_error(f);
    const double t = std::fabs(error) / se;
    // Not a number: there were no draws. It stays, so that the cell is not called sharp.
    if (!(std::fabs(error) / f.unit <= v.largest_error))
      v.largest_error = std::fabs(error) / f.unit;
    if (!(se / f.unit <= v.largest_mcse)) v.largest_mcse = se / f.unit;
    if (!(t <= v.worst_t)) {
      v.worst_t = t;
      v.worst = describe(f);
    }
    if (!(t < limit)) {
      v.ok = false;
      v.alarms.push_back(i);
      v.why += fmt::format("; {}, t = {:.1f}", describe(f), t);
    }
  }
  v.effective = 1 / (v.largest_mcse * v.largest_mcse);
  check_others(v);
  check_distances(v);
  if (estimates_[0] > 0 && judged(statistics_.size())) {
    double mean = 0, square = 0;
    for (std::size_t r = 0; r < kRuns; ++r) mean += evidence_[r] / estimates_[r] / kRuns;
    for (std::size_t r = 0; r < kRuns; ++r)
      square += std::pow(evidence_[r] / estimates_[r] - mean, 2);
    const double se = std::sqrt(square / (kRuns - 1) / kRuns);
    v.has_evidence = true;
    v.log_evidence_error = std::log(mean);
    v.log_evidence_se = se / mean;
    ++v.statistics;
    if (!(std::fabs(mean - 1) < limit * se)) {
      v.ok = false;
      v.alarms.push_back(statistics_.size());
      v.why += fmt::format("; evidence {:.5f} of the exact one, t = {:.1f}", mean,
                           std::fabs(mean - 1) / se);
    }
  }
  return v;
}

Verdict Checker::exact_verdict(double tolerance) const {
  Verdict v;
  for (const Statistic& f : statistics_) {
    const double error = std::fabs(f.sums[0] / weights_[0] - f.exact) / f.unit;
    ++v.statistics;
    v.largest_error = std::max(v.largest_error, error);
    if (!(error <= tolerance)) {
      v.ok = false;
      v.why += fmt::format("; {}, error {:.3g}", describe(f), error);
    }
  }
  check_others(v);
  v.has_evidence = true;
  v.log_evidence_error = std::log(evidence_[0] / estimates_[0]);
  ++v.statistics;
  if (!(std::fabs(v.log_evidence_error) <= 3 * tolerance)) {
    v.ok = false;
    v.why += fmt::format("; log evidence off by {:.3g}", v.log_evidence_error);
  }
  return v;
}

}  // namespace measure
