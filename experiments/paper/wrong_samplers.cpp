// SPDX-License-Identifier: Apache-2.0
#include "paper/wrong_samplers.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace chancel::paper {
namespace {

// two-state: likelihoods of its two observes.
double first_weight(int s) { return s ? 0.25 : 0.75; }
double second_weight(int s) { return s ? 0.75 : 0.25; }

// A sweep of two-state: particle 0 is the retained one when it is not negative.
struct Sweep {
  std::vector<int> s;
  std::vector<double> weights;
  double evidence = 0;
};
Sweep sweep(std::size_t n, int retained, Random& random) {
  std::vector<int> s(n);
  std::vector<double> w(n);
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) {
    s[i] = i == 0 && retained >= 0 ? retained : random.flip(0.5);
    sum += w[i] = first_weight(s[i]);
  }
  Sweep out{std::vector<int>(n), std::vector<double>(n), sum / static_cast<double>(n)};
  sum = 0;
  for (std::size_t i = 0; i < n; ++i) {
    out.s[i] = i == 0 && retained >= 0 ? retained : s[random.pick(w)];
    sum += out.weights[i] = second_weight(out.s[i]);
  }
  out.evidence *= sum / static_cast<double>(n);
  return out;
}

double log_normal(double v, double mean, double sd) {
  const double z = (v - mean) / sd;
  return -0.5 * z * z - std::log(sd);
}

// Share of ones among weighted particles.
double share(const std::vector<int>& s, const std::vector<double>& w) {
  double ones = 0, all = 0;
  for (std::size_t i = 0; i < s.size(); ++i) ones += w[i] * s[i], all += w[i];
  return ones / all;
}

}  // namespace

double wrong_particle_gibbs(GibbsMistake mistake, std::size_t n, std::size_t sweeps,
                            Random& random) {
  int retained = -1;
  double sum = 0;
  for (std::size_t k = 0; k < sweeps; ++k) {
    std::vector<int> s(n), next(n);
    std::vector<double> w(n);
    for (std::size_t i = 0; i < n; ++i) {
      s[i] = i == 0 && retained >= 0 ? retained : random.flip(0.5);
      w[i] = first_weight(s[i]);
    }
    if (mistake == GibbsMistake::ProtectedSystematic && retained >= 0) {
      double total = 0, reached = 0;
      for (const double x : w) total += x;
      const double offset = random.uniform();
      std::size_t from = 0;
      for (std::size_t i = 1; i < n; ++i) {
        const double at =
            (static_cast<double>(i - 1) + offset) / static_cast<double>(n - 1) * total;
        while (from + 1 < n && reached + w[from] <= at) reached += w[from++];
        next[i] = s[from];
      }
      next[0] = s[0];
    } else {
      for (std::size_t i = 0; i < n; ++i) next[i] = s[random.pick(w)];
    }
    for (std::size_t i = 0; i < n; ++i) w[i] = second_weight(next[i]);
    sum += share(next, w);
    retained = next[random.pick(w)];
  }
  return sum / static_cast<double>(sweeps);
}

double wrong_node_index(std::size_t sweeps, Random& random) {
  int retained = -1;
  double sum = 0;
  for (std::size_t k = 0; k < sweeps; ++k) {
    const Sweep nodes[2] = {sweep(2, retained, random), sweep(2, -1, random)};
    const Sweep& chosen = nodes[random.below(2)];  // right: with weights nodes[i].evidence
    retained = chosen.s[random.pick(chosen.weights)];
    sum += retained;
  }
  return sum / static_cast<double>(sweeps);
}

double wrong_walk(std::size_t steps, Random& random) {
  constexpr double kSd = 0.3;
  double x = random.normal(), y = x + random.normal(), sum = 0;
  double px = log_normal(x, 0, 1), py = log_normal(y, x, 1);
  for (std::size_t k = 0; k < steps; ++k) {
    const bool move_x = random.flip(0.5);
    const double step = kSd * random.normal();
    const double nx = move_x ? x + step : x, ny = move_x ? y : y + step;
    // Right: log_normal(nx, 0, 1) and log_normal(ny, nx, 1) in both cases.
    const double qx = move_x ? log_normal(nx, x, kSd) : log_normal(nx, 0, 1);
    const double qy = move_x ? log_normal(ny, nx, 1) : log_normal(ny, y, kSd);
    const double ratio = qx + qy + log_normal(3, ny, 1) - px - py - log_normal(3, y, 1);
    if (std::log(random.uniform()) < ratio) x = nx, y = ny, px = qx, py = qy;
    sum += x;
  }
  return sum / static_cast<double>(steps);
}

double wrong_annealing(std::size_t runs, Random& random) {
  constexpr int kTemperatures = 100;
  const auto log_likelihood = [](double mu) {
    return log_normal(9, mu, std::sqrt(2.0)) + log_normal(8, mu, std::sqrt(2.0));
  };
  std::vector<double> values, log_weights;
  for (std::size_t k = 0; k < runs; ++k) {
    double mu = 1 + std::sqrt(5.0) * random.normal(), log_weight = 0;
    for (int t = 1; t <= kTemperatures; ++t) {
      log_weight += log_likelihood(mu) / kTemperatures;
      const double beta = static_cast<double>(t) / kTemperatures;
      const double moved = mu + random.normal();
      // Right: plus the log prior densities of both.
      if (std::log(random.uniform()) < beta * (log_likelihood(moved) - log_likelihood(mu)))
        mu = moved;
    }
    values.push_back(mu);
    log_weights.push_back(log_weight);
  }
  const double largest = *std::max_element(log_weights.begin(), log_weights.end());
  double sum = 0, all = 0;
  for (std::size_t k = 0; k < runs; ++k) {
    const double w = std::exp(log_weights[k] - largest);
    sum += w * values[k];
    all += w;
  }
  return sum / all;
}

double wrong_tables(std::size_t steps, Random& random) {
  constexpr std::size_t kPoints = 10;
  constexpr std::array<double, kPoints> kData = {1.0, 1.1, 1.2, -10, -15, -20, .01, .1, .05, 0};
  constexpr double kAlpha = 1.72, kKappa = 100, kRate = 10;
  // The draws of the program as printed: at each point a table, a precision and a mean.
  struct Trace {
    std::array<int, kPoints> table{};
    std::array<double, kPoints> precision{}, mean{};
  };
  const auto draw_table = [&](const std::array<int, kPoints>& tables, std::size_t i) {
    std::map<int, double> weights;
    for (std::size_t j = 0; j < i; ++j) weights[tables[j]] += 1;
    weights[weights.empty() ? 0 : weights.rbegin()->first + 1] = kAlpha;
    std::vector<double> w;
    for (const auto& [label, weight] : weights) w.push_back(weight);
    auto at = weights.begin();
    std::advance(at, random.pick(w));
    return at->first;
  };
  const auto log_table = [&](const std::array<int, kPoints>& tables, std::size_t i) {
    double guests = 0;
    for (std::size_t j = 0; j < i; ++j) guests += tables[j] == tables[i];
    // Right: -infinity unless the label is an existing table or the next new one.
    return std::log((guests > 0 ? guests : kAlpha) / (static_cast<double>(i) + kAlpha));
  };
  const auto log_mean = [&](const Trace& t, std::size_t i) {
    return log_normal(t.mean[i], 0, 1 / std::sqrt(kKappa * t.precision[i]));
  };
  const auto log_likelihood = [&](const Trace& t) {
    double sum = 0;
    for (std::size_t i = 0; i < kPoints; ++i) {
      std::size_t first = 0;  // where the table of point i was opened
      while (t.table[first] != t.table[i]) ++first;
      sum += log_normal(kData[i], t.mean[first], 1 / std::sqrt(t.precision[first]));
    }
    return sum;
  };
  Trace now;
  for (std::size_t i = 0; i < kPoints; ++i) {
    now.table[i] = draw_table(now.table, i);
    now.precision[i] = random.exponential(kRate);
    now.mean[i] = random.normal() / std::sqrt(kKappa * now.precision[i]);
  }
  double few = 0, score = log_likelihood(now);
  for (std::size_t k = 0; k < steps; ++k) {
    Trace next = now;
    const std::size_t site = random.below(3 * kPoints), i = site / 3;
    double ratio = 0;  // of the prior densities of the draws that are kept
    if (site % 3 == 0) {
      next.table[i] = draw_table(now.table, i);
      for (std::size_t j = i + 1; j < kPoints; ++j)
        ratio += log_table(next.table, j) - log_table(now.table, j);
    } else if (site % 3 == 1) {
      next.precision[i] = random.exponential(kRate);
      ratio += log_mean(next, i) - log_mean(now, i);
    } else {
      next.mean[i] = random.normal() / std::sqrt(kKappa * now.precision[i]);
    }
    const double next_score = log_likelihood(next);
    if (std::log(random.uniform()) < ratio + next_score - score) now = next, score = next_score;
    std::array<int, kPoints> tables = now.table;
    std::sort(tables.begin(), tables.end());
    few += std::unique(tables.begin(), tables.end()) - tables.begin() <= 3;
  }
  return few / static_cast<double>(steps);
}

double wrong_conditional(std::size_t draws, Random& random) {
  double sum = 0;
  for (std::size_t k = 0; k < draws; ++k) {
    const std::vector<int> here = {random.flip(0.6), random.flip(0.6)};
    sum += here[random.pick({here[0] ? 0.6 : 0.4, here[1] ? 0.6 : 0.4})];
  }
  return sum / static_cast<double>(draws);
}

double wrong_unweighted(std::size_t draws, Random& random) {
  double sum = 0;
  for (std::size_t k = 0; k < draws; ++k) {
    // Poisson(4) by counting arrivals; what the observe says about it is not used.
    double left = 4;
    while ((left -= random.exponential(1)) > 0) ++sum;
  }
  return sum / static_cast<double>(draws);
}

}  // namespace chancel::paper
