// SPDX-License-Identifier: Apache-2.0
#include "paper/truth.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "paper/texts.hpp"

namespace chancel::paper {
namespace {

constexpr std::array<std::array<double, 3>, 3> kTransition = {
    {{.1, .5, .4}, {.2, .2, .6}, {.15, .15, .7}}};
constexpr std::array<double, 3> kStateMean = {-1, 1, 0};
constexpr std::size_t kStates = 17;

double log_normal(double x, double mean, double sd) {
  const double z = (x - mean) / sd;
  return -0.5 * z * z - std::log(sd) - 0.5 * std::log(2 * std::numbers::pi);
}

double log_poisson(int k, double rate) {
  if (rate == 0) return k == 0 ? 0 : -INFINITY;
  double log_factorial = 0;
  for (int i = 2; i <= k; ++i) log_factorial += std::log(i);
  return k * std::log(rate) - rate - log_factorial;
}

void normalise(std::vector<double>& row) {
  double sum = 0;
  for (const double p : row) sum += p;
  for (double& p : row) p /= sum;
}

}  // namespace

double Law::cdf(double x) const {
  return 0.5 * std::erfc(-(x - mean) / (sd * std::numbers::sqrt2));
}

std::vector<double> hmm_data() {
  return {.9, .8, .7, 0, -.025, 5, 2, .1, 0, .13, .45, 6, .2, .3, -1, -1};
}

std::vector<double> hmm_worksheet_data() {
  std::vector<double> y = hmm_data();
  for (const std::size_t i : {5, 6, 7}) y[i] = -y[i];
  return y;
}

Law hmm_law(const std::vector<double>& observations) {
  // Row 0 is the initial state, which is not observed.
  std::vector<std::array<double, 3>> alpha(kStates), beta(kStates);
  Law law;
  alpha[0] = {1.0 / 3, 1.0 / 3, 1.0 / 3};
  for (std::size_t t = 1; t < kStates; ++t) {
    double sum = 0;
    for (std::size_t s = 0; s < 3; ++s) {
      double p = 0;
      for (std::size_t r = 0; r < 3; ++r) p += alpha[t - 1][r] * kTransition[r][s];
      if (!observations.empty()) p *= std::exp(log_normal(observations[t - 1], kStateMean[s], 1));
      alpha[t][s] = p;
      sum += p;
    }
    for (double& p : alpha[t]) p /= sum;
    law.log_evidence += std::log(sum);
  }
  beta[kStates - 1] = {1, 1, 1};
  for (std::size_t t = kStates - 1; t-- > 0;) {
    double sum = 0;
    for (std::size_t r = 0; r < 3; ++r) {
      double p = 0;
      for (std::size_t s = 0; s < 3; ++s) {
        const double seen =
            observations.empty() ? 1 : std::exp(log_normal(observations[t], kStateMean[s], 1));
        p += kTransition[r][s] * seen * beta[t + 1][s];
      }
      beta[t][r] = p;
      sum += p;
    }
    for (double& p : beta[t]) p /= sum;
  }
  for (std::size_t t = 0; t < kStates; ++t) {
    std::vector<double> row;
    for (std::size_t s = 0; s < 3; ++s) row.push_back(alpha[t][s] * beta[t][s]);
    normalise(row);
    law.rows.push_back(row);
  }
  return law;
}

Law hmm_prior_law() { return hmm_law({}); }

Law branching_law(bool second_fib) {
  constexpr int kLargestR = 60, kLargestInner = 250;
  const std::array<double, 5> fib = second_fib ? std::array<double, 5>{1, 3, 13, 55, 233}
                                               : std::array<double, 5>{0, 2, 8, 34, 144};
  Law law;
  std::vector<double> row;
  for (int r = 0; r <= kLargestR; ++r) {
    double seen = 0;
    if (r > 4) {
      seen = std::exp(log_poisson(6, 6));
    } else {
      for (int x = 0; x <= kLargestInner; ++x)
        seen += std::exp(log_poisson(x, 4) + log_poisson(6, fib[static_cast<std::size_t>(r)] + x));
    }
    row.push_back(std::exp(log_poisson(r, 4)) * seen);
  }
  double sum = 0;
  for (const double p : row) sum += p;
  law.log_evidence = std::log(sum);
  normalise(row);
  law.rows.push_back(row);
  return law;
}

Law branching_prior_law() {
  Law law;
  law.rows.emplace_back();
  for (int r = 0; r <= 60; ++r) law.rows[0].push_back(std::exp(log_poisson(r, 4)));
  return law;
}

Law marsaglia_law() {
  // mu ~ normal(1, sqrt 5); 9 and 8 ~ normal(mu, sqrt 2): precisions add, means weigh by them.
  const double precision = 1.0 / 5 + 2.0 / 2;
  Law law;
  law.normal = true;
  law.mean = (1.0 / 5 + (9.0 + 8.0) / 2) / precision;
  law.sd = std::sqrt(1 / precision);
  law.log_evidence = log_normal(9, 1, std::sqrt(7.0)) +
                     log_normal(8, 1 + 5.0 / 7 * (9 - 1), std::sqrt(2 + 5 - 25.0 / 7));
  return law;
}

Law marsaglia_prior_law() {
  Law law;
  law.normal = true;
  law.mean = 1;
  law.sd = std::sqrt(5.0);
  return law;
}

double difference_to_file(const Law& law, const std::string& model, const std::string& program) {
  const nlohmann::json file =
      nlohmann::json::parse(text_of("models/" + model + "/truth.json"))["programs"][program];
  double most = std::fabs(file["log_evidence"].get<double>() - law.log_evidence);
  const auto compare = [&](const nlohmann::json& list, const std::vector<double>& row) {
    for (std::size_t i = 0; i < std::min(list.size(), row.size()); ++i)
      most = std::max(most, std::fabs(list[i].get<double>() - row[i]));
  };
  std::size_t at = 0;
  for (const auto& [label, predict] : file["predicts"].items()) {
    if (law.normal) {
      most = std::max({most, std::fabs(predict["mean"].get<double>() - law.mean),
                       std::fabs(predict["sd"].get<double>() - law.sd)});
    } else if (predict["probabilities"][0].is_array()) {
      for (std::size_t i = 0; i < law.rows.size(); ++i)
        compare(predict["probabilities"][i], law.rows[i]);
    } else if (file["predicts"].size() == 1) {
      compare(predict["probabilities"], law.rows[at++]);
    }
  }
  return most;
}

}  // namespace chancel::paper
