// SPDX-License-Identifier: Apache-2.0
// The paper's branching program (new syntax: fib starts 0, 1) by hand. Poisson(4) by inversion with
// a guide table, the five Fibonacci numbers and log-likelihoods tabulated. The trace of an
// execution is r and, when r <= 4, the inner draw.
#pragma once
#include <array>

#include "yardstick/resampling.hpp"

namespace chancel::yardstick {

class Branching {
 public:
  static constexpr int kLargest = 40;  // P(Poisson(4) > 40) < 1e-26: below what 53 bits can draw
  Branching() {
    double mass = std::exp(-4.0), sum = 0;
    for (int k = 0; k <= kLargest; ++k) {
      sum += mass;
      cdf_[k] = sum;
      mass *= 4.0 / (k + 1);
    }
    for (int cell = 0, k = 0; cell < kCells; ++cell) {
      while (k < kLargest && cell >= cdf_[k] * kCells) ++k;
      start_[cell] = static_cast<std::uint8_t>(k);
    }
    log_likelihood_[0] = -INFINITY;
    for (int l = 1; l < kRates; ++l) log_likelihood_[l] = 6 * std::log(l) - l - std::log(720.0);
  }
  int draw(Stream& stream) const {
    const double u = stream.uniform();
    int k = start_[static_cast<int>(u * kCells)];
    while (k < kLargest && u >= cdf_[k]) ++k;
    return k;
  }
  static bool draws_inner(int r) { return r <= 4; }
  double log_likelihood(int r, int inner) const {
    return log_likelihood_[r > 4 ? 6 : kFib[r] + inner];
  }

 private:
  static constexpr int kFib[5] = {0, 2, 8, 34, 144};  // fib(3r)
  static constexpr int kRates = 144 + kLargest + 1;
  // Where the search starts, for each 1024th of the unit interval.
  static constexpr int kCells = 1024;
  std::array<double, kLargest + 1> cdf_;
  std::array<std::uint8_t, kCells> start_;
  std::array<double, kRates> log_likelihood_;
};

class BranchingParticles {
 public:
  explicit BranchingParticles(std::size_t particles) : w_(particles), r_(particles) {}
  // One observe, so its weights are used as they are; adds `scale` times P(r) to `posterior`
  // (kLargest + 1 entries).
  double sweep(Stream& stream, double* posterior, double scale = 1) {
    return run(stream, posterior, scale, false);
  }
  // Particle Gibbs: the first call is plain SMC, later ones keep the retained particle in slot 0.
  double gibbs_sweep(Stream& stream, double* posterior) {
    const double log_evidence = run(stream, posterior, 1, have_retained_);
    std::uint32_t pick;
    resample(w_.weights.data(), r_.size(), stream, w_.scratch, &pick, 1);
    r_[0] = r_[pick];
    w_.log_weights[0] = w_.log_weights[pick];
    have_retained_ = true;
    return log_evidence;
  }

 private:
  double run(Stream& stream, double* posterior, double scale, bool conditional) {
    const std::size_t n = r_.size();
    for (std::size_t i = conditional ? 1 : 0; i < n; ++i) {
      const int r = model_.draw(stream);
      r_[i] = static_cast<std::uint8_t>(r);
      w_.log_weights[i] =
          model_.log_likelihood(r, Branching::draws_inner(r) ? model_.draw(stream) : 0);
    }
    const double log_evidence = w_.weigh_all();
    if (posterior && w_.total > 0) {
      const double unit = scale / w_.total;
      for (std::size_t i = 0; i < n; ++i) posterior[r_[i]] += w_.weights[i] * unit;
    }
    return log_evidence;
  }

  Branching model_;
  Weighting w_;
  std::vector<std::uint8_t> r_;
  bool have_retained_ = false;
};

// The paper's random database: one of the one or two draws anew from its prior, the other reused if
// it still exists.
class BranchingChain {
 public:
  explicit BranchingChain(Stream& stream) {
    do {
      r_ = model_.draw(stream);
      inner_ = Branching::draws_inner(r_) ? model_.draw(stream) : 0;
      log_likelihood_ = model_.log_likelihood(r_, inner_);
    } while (log_likelihood_ == -INFINITY);
  }
  void step(Stream& stream) {
    const bool had_inner = Branching::draws_inner(r_);
    int r = r_, inner = inner_;
    if (had_inner && (stream.next() >> 63)) {
      inner = model_.draw(stream);
    } else {
      r = model_.draw(stream);
      if (Branching::draws_inner(r) && !had_inner) inner = model_.draw(stream);
    }
    const double log_likelihood = model_.log_likelihood(r, inner);
    // Fresh and vanished draws come from their priors and cancel; the numbers of draws do not.
    const double sizes = (had_inner ? 2.0 : 1.0) / (Branching::draws_inner(r) ? 2.0 : 1.0);
    if (stream.uniform() < sizes * std::exp(log_likelihood - log_likelihood_)) {
      r_ = r;
      inner_ = inner;
      log_likelihood_ = log_likelihood;
    }
  }
  int r() const { return r_; }

 private:
  Branching model_;
  int r_ = 0, inner_ = 0;
  double log_likelihood_ = 0;
};

}  // namespace chancel::yardstick
