// SPDX-License-Identifier: Apache-2.0
// The paper's Marsaglia program by hand: the prior mean comes from the rejection loop itself, not
// from a normal generator, since the loop is what the program is about. Posterior: normal with
// mean 7.25 and variance 5/6.
#pragma once
#include "yardstick/resampling.hpp"

namespace chancel::yardstick {

struct Marsaglia {
  static constexpr double kData[2] = {9, 8};
  static double uniform(Stream& stream) { return 2 * stream.uniform() - 1; }
  static double mean_of(double x, double s) {
    return 1 + std::sqrt(5.0) * (x * std::sqrt(-2 * std::log(s) / s));
  }
  // log N(y; mu, sqrt 2) of observation k.
  static double log_likelihood(double mu, int k) {
    const double d = kData[k] - mu;
    return -0.25 * d * d - 1.2655121234846454;  // log(2 sqrt(pi))
  }
};

class MarsagliaParticles {
 public:
  explicit MarsagliaParticles(std::size_t particles)
      : w_(particles), mu_(particles), next_(particles) {}
  struct Moments {
    double mean = 0, square = 0;
  };
  // Resampled after the first observe; the weights of the second are used as they are. Adds scale
  // times the moments.
  double sweep(Stream& stream, Moments* moments, double scale = 1) {
    return run(stream, moments, scale, false);
  }
  // Particle Gibbs: the first call is plain SMC, later ones keep the retained particle in slot 0.
  double gibbs_sweep(Stream& stream, Moments* moments) {
    const double log_evidence = run(stream, moments, 1, have_retained_);
    std::uint32_t pick;
    resample(w_.weights.data(), mu_.size(), stream, w_.scratch, &pick, 1);
    mu_[0] = mu_[pick];
    have_retained_ = true;
    return log_evidence;
  }

 private:
  double run(Stream& stream, Moments* moments, double scale, bool conditional) {
    const std::size_t n = mu_.size();
    const std::size_t first = conditional ? 1 : 0;
    if (conditional) w_.log_weights[0] = Marsaglia::log_likelihood(mu_[0], 0);
    for (std::size_t i = first; i < n; ++i) {
      double x, s;
      do {
        x = Marsaglia::uniform(stream);
        const double y = Marsaglia::uniform(stream);
        s = x * x + y * y;
      } while (s >= 1);
      mu_[i] = Marsaglia::mean_of(x, s);
      w_.log_weights[i] = Marsaglia::log_likelihood(mu_[i], 0);
    }
    double log_evidence = w_.weigh_all();
    w_.ancestors[0] = 0;
    resample(w_.weights.data(), n, stream, w_.scratch, w_.ancestors.data() + first, n - first);
    for (std::size_t i = 0; i < n; ++i) {
      next_[i] = mu_[w_.ancestors[i]];
      w_.log_weights[i] = Marsaglia::log_likelihood(next_[i], 1);
    }
    mu_.swap(next_);
    log_evidence += w_.weigh_all();
    if (moments) {
      const double unit = scale / w_.total;
      double mean = 0, square = 0;
      for (std::size_t i = 0; i < n; ++i) {
        mean += w_.weights[i] * mu_[i];
        square += w_.weights[i] * mu_[i] * mu_[i];
      }
      moments->mean += mean * unit;
      moments->square += square * unit;
    }
    return log_evidence;
  }

  Weighting w_;
  std::vector<double> mu_, next_;
  bool have_retained_ = false;
};

// Random database: the trace is every uniform drawn, accepted pair last. A pair that becomes
// accepted ends the trace there; the last pair, when it becomes rejected, is followed by fresh
// ones.
class MarsagliaChain {
 public:
  explicit MarsagliaChain(Stream& stream) {
    extend(stream, draws_);
    finish(draws_, &mu_, &log_likelihood_);
  }
  void step(Stream& stream) {
    const std::size_t n = draws_.size();
    const std::size_t site = stream.below(n);
    const double value = Marsaglia::uniform(stream);
    const std::size_t pair = site & ~std::size_t{1};
    const double other = draws_[site ^ 1];
    const bool ends = value * value + other * other < 1;
    const bool last = pair + 2 == n;
    if (!ends && !last) {  // rejected before and after: nothing that is seen changes
      draws_[site] = value;
      return;
    }
    proposal_.assign(draws_.begin(), draws_.begin() + static_cast<std::ptrdiff_t>(pair) + 2);
    proposal_[site] = value;
    if (!ends) extend(stream, proposal_);
    double mu, log_likelihood;
    finish(proposal_, &mu, &log_likelihood);
    const double sizes = static_cast<double>(n) / static_cast<double>(proposal_.size());
    if (stream.uniform() < sizes * std::exp(log_likelihood - log_likelihood_)) {
      draws_.swap(proposal_);
      mu_ = mu;
      log_likelihood_ = log_likelihood;
    }
  }
  double mu() const { return mu_; }

 private:
  static void extend(Stream& stream, std::vector<double>& draws) {
    for (;;) {
      const double x = Marsaglia::uniform(stream), y = Marsaglia::uniform(stream);
      draws.push_back(x);
      draws.push_back(y);
      if (x * x + y * y < 1) return;
    }
  }
  static void finish(const std::vector<double>& draws, double* mu, double* log_likelihood) {
    const double x = draws[draws.size() - 2], y = draws[draws.size() - 1];
    *mu = Marsaglia::mean_of(x, x * x + y * y);
    *log_likelihood = Marsaglia::log_likelihood(*mu, 0) + Marsaglia::log_likelihood(*mu, 1);
  }
  std::vector<double> draws_, proposal_;
  double mu_ = 0, log_likelihood_ = 0;
};

}  // namespace chancel::yardstick
