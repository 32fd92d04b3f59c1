// SPDX-License-Identifier: Apache-2.0
// The paper's Dirichlet process mixture (new syntax, arguments 1.72 0 100 1 10) by hand. The filter
// draws a precision and a mean only when a table opens, which the program's posterior allows; the
// chain keeps all thirty draws of the program, since its trace has them. A particle is one fixed
// record of ten tables: small enough to copy whole.
#pragma once
#include <algorithm>
#include <array>
#include <cstring>

#include "yardstick/resampling.hpp"

namespace chancel::yardstick {

struct DpMixture {
  static constexpr int kPoints = 10;
  static constexpr std::array<double, kPoints> kData = {1.0, 1.1, 1.2, -10, -15,
                                                        -20, .01, .1,  .05, 0};
  static constexpr double kAlpha = 1.72, kMu = 0, kBeta = 100,
                          kRate = 10;  // gamma(1, 10) is exponential(10)
  static constexpr double kLogRoot2Pi = 0.91893853320467274178;
  static double draw_precision(Stream& stream) { return stream.exponential() / kRate; }
  static double draw_mean(Stream& stream, double precision) {
    return kMu + stream.normal() / std::sqrt(kBeta * precision);
  }
  // Normal with mean m and precision l, its logarithm given.
  static double log_normal(double x, double m, double l, double log_l) {
    return 0.5 * log_l - 0.5 * l * (x - m) * (x - m) - kLogRoot2Pi;
  }
};

class DpMixtureParticles {
 public:
  explicit DpMixtureParticles(std::size_t particles)
      : w_(particles), now_(particles), next_(particles) {}
  // Adds scale times P(K) to posterior[1..10].
  double sweep(Stream& stream, double* posterior, double scale = 1) {
    return run(stream, posterior, scale, false);
  }
  // Particle Gibbs: the first call is plain SMC, later ones keep the retained particle in slot 0.
  double gibbs_sweep(Stream& stream, double* posterior) {
    const double log_evidence = run(stream, posterior, 1, have_retained_);
    std::uint32_t pick;
    resample(w_.weights.data(), now_.size(), stream, w_.scratch, &pick, 1);
    copy(now_[pick], retained_);
    have_retained_ = true;
    return log_evidence;
  }

 private:
  double run(Stream& stream, double* posterior, double scale, bool conditional) {
    const std::size_t n = now_.size();
    const std::size_t first = conditional ? 1 : 0;
    for (Particle& p : now_) p.tables = 0;
    double log_evidence = 0;
    for (int t = 0; t < DpMixture::kPoints; ++t) {
      const double y = DpMixture::kData[t];
      if (conditional) {
        Particle& p = now_[0];
        const int table = retained_.state[t];
        if (table == p.tables) {
          p.precision[table] = retained_.precision[table];
          p.log_precision[table] = retained_.log_precision[table];
          p.mean[table] = retained_.mean[table];
          p.counts[table] = 0;
          ++p.tables;
        }
        ++p.counts[table];
        p.state[t] = retained_.state[t];
        w_.log_weights[0] =
            DpMixture::log_normal(y, p.mean[table], p.precision[table], p.log_precision[table]);
      }
      for (std::size_t i = first; i < n; ++i) {
        Particle& p = now_[i];
        double u = stream.uniform() * (t + DpMixture::kAlpha);
        int table = 0;
        while (table < p.tables && u >= p.counts[table]) u -= p.counts[table++];
        if (table == p.tables) {
          const double l = DpMixture::draw_precision(stream);
          p.precision[table] = l;
          p.log_precision[table] = std::log(l);
          p.mean[table] = DpMixture::draw_mean(stream, l);
          p.counts[table] = 0;
          ++p.tables;
        }
        ++p.counts[table];
        p.state[t] = static_cast<std::uint8_t>(table);
        w_.log_weights[i] =
            DpMixture::log_normal(y, p.mean[table], p.precision[table], p.log_precision[table]);
      }
      log_evidence += w_.weigh_all();
      if (t + 1 < DpMixture::kPoints) {
        w_.ancestors[0] = 0;
        resample(w_.weights.data(), n, stream, w_.scratch, w_.ancestors.data() + first, n - first);
        for (std::size_t i = 0; i < n; ++i) copy(now_[w_.ancestors[i]], next_[i]);
        now_.swap(next_);
      }
    }
    if (posterior) {
      const double unit = scale / w_.total;
      for (std::size_t i = 0; i < n; ++i) posterior[now_[i].tables] += w_.weights[i] * unit;
    }
    return log_evidence;
  }

  struct Particle {
    int tables = 0;
    std::uint8_t state[DpMixture::kPoints];
    std::array<int, DpMixture::kPoints> counts;
    std::array<double, DpMixture::kPoints> mean, precision, log_precision;
  };
  // Only the tables in use.
  static void copy(const Particle& from, Particle& to) {
    to.tables = from.tables;
    std::memcpy(to.state, from.state, sizeof to.state);
    const auto used = static_cast<std::size_t>(from.tables);
    std::copy_n(from.counts.begin(), used, to.counts.begin());
    std::copy_n(from.mean.begin(), used, to.mean.begin());
    std::copy_n(from.precision.begin(), used, to.precision.begin());
    std::copy_n(from.log_precision.begin(), used, to.log_precision.begin());
  }
  Weighting w_;
  std::vector<Particle> now_, next_;
  Particle retained_;
  bool have_retained_ = false;
};

// Single-site MH over the thirty draws of the program: for each point its table, and the precision
// and mean that its table has if this point opened it. A reused table number that is neither in use
// nor the next new one cannot be drawn: the proposal is rejected.
class DpMixtureChain {
 public:
  explicit DpMixtureChain(Stream& stream) {
    for (int i = 0; i < kN; ++i) {
      precision_[i] = DpMixture::draw_precision(stream);
      log_precision_[i] = std::log(precision_[i]);
      mean_[i] = DpMixture::draw_mean(stream, precision_[i]);
      table_[i] = draw_table(stream, i);
    }
    log_prior_tables_ = log_prior(table_);
    log_likelihood_ = log_likelihood(table_);
  }

  void step(Stream& stream) {
    const auto site = static_cast<int>(stream.below(3 * kN));
    const int i = site / 3;
    switch (site % 3) {
      case 0:
        step_table(stream, i);
        break;
      case 1:
        step_precision(stream, i);
        break;
      default:
        step_mean(stream, i);
        break;
    }
  }
  int tables() const { return *std::max_element(table_.begin(), table_.end()) + 1; }

 private:
  static constexpr int kN = DpMixture::kPoints;
  using Tables = std::array<int, kN>;

  // The table of point i given those before it.
  int draw_table(Stream& stream, int i) const {
    std::array<int, kN> counts{};
    int used = 0;
    for (int j = 0; j < i; ++j) used = std::max(used, table_[j] + 1), ++counts[table_[j]];
    double u = stream.uniform() * (i + DpMixture::kAlpha);
    int table = 0;
    while (table < used && u >= counts[table]) u -= counts[table++];
    return table;
  }
  // log of the CRP probability up to the constant denominators; -inf when a number could not have
  // been drawn.
  static double log_prior(const Tables& table) {
    std::array<int, kN> counts{};
    double product = 1;
    int used = 0;
    for (int t : table) {
      if (t > used) return -INFINITY;
      if (t == used) {
        product *= DpMixture::kAlpha;
        ++used;
      } else {
        product *= counts[t];
      }
      ++counts[t];
    }
    return std::log(product);
  }
  double log_likelihood(const Tables& table) const {
    std::array<int, kN> opener;
    int used = 0;
    double sum = 0;
    for (int i = 0; i < kN; ++i) {
      const int t = table[i];
      if (t == used) opener[used++] = i;
      const int o = opener[t];
      sum += DpMixture::log_normal(DpMixture::kData[i], mean_[o], precision_[o], log_precision_[o]);
    }
    return sum;
  }
  bool opens(int i) const {
    for (int j = 0; j < i; ++j) {
      if (table_[j] == table_[i]) return false;
    }
    return true;
  }

  void step_table(Stream& stream, int i) {
    Tables proposal = table_;
    proposal[i] = draw_table(stream, i);
    if (proposal[i] == table_[i]) return;
    const double prior = log_prior(proposal);
    if (prior == -INFINITY) return;
    const double likelihood = log_likelihood(proposal);
    // The proposed draw's own prior cancels against the proposal, on both sides: what remains is
    // that of the later points.
    const double ratio = likelihood - log_likelihood_ + (prior - own_prior(proposal, i)) -
                         (log_prior_tables_ - own_prior(table_, i));
    if (std::log(stream.uniform_open()) < ratio) {
      table_ = proposal;
      log_prior_tables_ = prior;
      log_likelihood_ = likelihood;
    }
  }
  static double own_prior(const Tables& table, int i) {
    int count = 0;
    for (int j = 0; j < i; ++j) count += table[j] == table[i];
    return std::log(count ? count : DpMixture::kAlpha);
  }
  void step_precision(Stream& stream, int i) {
    const double old = precision_[i], old_log = log_precision_[i];
    const double proposed = DpMixture::draw_precision(stream), proposed_log = std::log(proposed);
    // The mean is reused and rescored under its new prior.
    double ratio =
        DpMixture::log_normal(mean_[i], DpMixture::kMu, DpMixture::kBeta * proposed, proposed_log) -
        DpMixture::log_normal(mean_[i], DpMixture::kMu, DpMixture::kBeta * old, old_log);
    precision_[i] = proposed;
    log_precision_[i] = proposed_log;
    const double likelihood = opens(i) ? log_likelihood(table_) : log_likelihood_;
    ratio += likelihood - log_likelihood_;
    if (std::log(stream.uniform_open()) < ratio) {
      log_likelihood_ = likelihood;
    } else {
      precision_[i] = old;
      log_precision_[i] = old_log;
    }
  }
  void step_mean(Stream& stream, int i) {
    const double old = mean_[i];
    mean_[i] = DpMixture::draw_mean(stream, precision_[i]);
    if (!opens(i)) return;
    const double likelihood = log_likelihood(table_);
    if (std::log(stream.uniform_open()) < likelihood - log_likelihood_) {
      log_likelihood_ = likelihood;
    } else {
      mean_[i] = old;
    }
  }

  Tables table_{};
  std::array<double, kN> precision_, log_precision_, mean_;
  double log_prior_tables_ = 0, log_likelihood_ = 0;
};

}  // namespace chancel::yardstick
