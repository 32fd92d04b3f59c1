// SPDX-License-Identifier: Apache-2.0
// The paper's hidden Markov model by hand: a bootstrap filter with paths by ancestor index,
// particle Gibbs (the paper's Algorithm 1) over the same arrays, and single-site MH with tabulated
// likelihoods. Multinomial resampling at every observe but the last, whose weights are used as they
// are. States are bytes, ancestors 32-bit, one row a step.
#pragma once
#include <algorithm>
#include <array>
#include <span>

#include "yardstick/resampling.hpp"

namespace chancel::yardstick {

struct Hmm {
  static constexpr int kStates = 3;
  static constexpr std::array<double, 16> kPaperData = {.9, .8,  .7,  0, -.025, 5,  2,  .1,
                                                        0,  .13, .45, 6, .2,    .3, -1, -1};
  static constexpr double kTransition[kStates][kStates] = {
      {.1, .5, .4}, {.2, .2, .6}, {.15, .15, .7}};
  static constexpr double kMean[kStates] = {-1, 1, 0};
  static constexpr double kLogRoot2Pi = 0.91893853320467274178;

  static std::uint8_t initial(double u) {
    return static_cast<std::uint8_t>((u >= 1. / 3) + (u >= 2. / 3));
  }
  static std::uint8_t next(std::uint8_t state, double u) {
    const double* row = kTransition[state];
    return static_cast<std::uint8_t>((u >= row[0]) + (u >= row[0] + row[1]));
  }
  static double log_likelihood(std::uint8_t state, double y) {
    const double d = y - kMean[state];
    return -0.5 * d * d - kLogRoot2Pi;
  }
};

// One object a run; sweep() may be called any number of times. Marginals: (steps + 1) x 3, added to
// `gamma`.
class HmmParticles {
 public:
  HmmParticles(std::size_t particles, std::span<const double> observations)
      : n_(particles),
        ys_(observations),
        w_(particles),
        states_((observations.size() + 1) * particles),
        parents_((observations.size() + 1) * particles),
        index_(particles),
        retained_(observations.size() + 1) {}

  // SMC; gives log Z-hat and adds the weighted marginals, times `scale`, to gamma (null: not
  // wanted).
  double sweep(Stream& stream, double* gamma, double scale = 1) {
    return run(stream, gamma, scale, false);
  }

  // Particle Gibbs: the first call is plain SMC, later ones keep the retained path in slot 0.
  double gibbs_sweep(Stream& stream, double* gamma) {
    const double log_evidence = run(stream, gamma, 1, have_retained_);
    std::uint32_t pick;
    resample(w_.weights.data(), n_, stream, w_.scratch, &pick, 1);
    for (std::size_t t = ys_.size();; --t) {
      retained_[t] = states_[t * n_ + pick];
      if (t == 0) break;
      pick = parents_[t * n_ + pick];
    }
    have_retained_ = true;
    return log_evidence;
  }

 private:
  double run(Stream& stream, double* gamma, double scale, bool conditional) {
    const std::size_t first = conditional ? 1 : 0;
    for (std::size_t i = first; i < n_; ++i) states_[i] = Hmm::initial(stream.uniform());
    if (conditional) states_[0] = retained_[0];
    for (std::size_t i = 0; i < n_; ++i) w_.ancestors[i] = static_cast<std::uint32_t>(i);
    double log_evidence = 0;
    const std::size_t steps = ys_.size();
    for (std::size_t t = 1; t <= steps; ++t) {
      const std::uint8_t* before = &states_[(t - 1) * n_];
      std::uint8_t* now = &states_[t * n_];
      std::uint32_t* parents = &parents_[t * n_];
      const double y = ys_[t - 1];
      if (conditional) {
        w_.ancestors[0] = 0;
        parents[0] = 0;
        now[0] = retained_[t];
        w_.log_weights[0] = Hmm::log_likelihood(now[0], y);
      }
      for (std::size_t i = first; i < n_; ++i) {
        const std::uint32_t parent = w_.ancestors[i];
        parents[i] = parent;
        now[i] = Hmm::next(before[parent], stream.uniform());
        w_.log_weights[i] = Hmm::log_likelihood(now[i], y);
      }
      log_evidence += w_.weigh_all();
      if (t < steps) {
        resample(w_.weights.data(), n_, stream, w_.scratch, w_.ancestors.data() + first,
                 n_ - first);
      }
    }
    if (gamma) add_marginals(gamma, scale);
    return log_evidence;
  }

  void add_marginals(double* gamma, double scale) {
    for (std::size_t i = 0; i < n_; ++i) index_[i] = static_cast<std::uint32_t>(i);
    const double unit = scale / w_.total;
    for (std::size_t t = ys_.size();; --t) {
      const std::uint8_t* row = &states_[t * n_];
      double sums[Hmm::kStates] = {};
      for (std::size_t i = 0; i < n_; ++i) sums[row[index_[i]]] += w_.weights[i];
      for (int k = 0; k < Hmm::kStates; ++k) gamma[t * Hmm::kStates + k] += sums[k] * unit;
      if (t == 0) break;
      const std::uint32_t* parents = &parents_[t * n_];
      for (std::size_t i = 0; i < n_; ++i) index_[i] = parents[index_[i]];
    }
  }

  std::size_t n_;
  std::span<const double> ys_;
  Weighting w_;
  std::vector<std::uint8_t> states_;
  std::vector<std::uint32_t> parents_, index_;
  std::vector<std::uint8_t> retained_;
  bool have_retained_ = false;
};

// Single-site MH: one of the states is redrawn from its prior given its predecessor; only its
// likelihood and the transition to its successor change. Likelihoods are tabulated once: 3 numbers
// an observation.
class HmmChain {
 public:
  explicit HmmChain(std::span<const double> observations, Stream& stream)
      : likelihood_(observations.size() + 1), states_(observations.size() + 1) {
    likelihood_[0] = {1, 1, 1};
    states_[0] = Hmm::initial(stream.uniform());
    for (std::size_t t = 1; t < states_.size(); ++t) {
      // Relative to the best state, so that no row underflows.
      double best = -INFINITY;
      for (std::uint8_t k = 0; k < Hmm::kStates; ++k) {
        best = std::max(best, Hmm::log_likelihood(k, observations[t - 1]));
      }
      for (std::uint8_t k = 0; k < Hmm::kStates; ++k) {
        likelihood_[t][k] = std::exp(Hmm::log_likelihood(k, observations[t - 1]) - best);
      }
      states_[t] = Hmm::next(states_[t - 1], stream.uniform());
    }
  }

  void step(Stream& stream) {
    const std::size_t t = stream.below(states_.size());
    const std::uint8_t old = states_[t];
    const double u = stream.uniform();
    const std::uint8_t proposed = t == 0 ? Hmm::initial(u) : Hmm::next(states_[t - 1], u);
    if (proposed == old) return;
    double now = likelihood_[t][old];
    double then = likelihood_[t][proposed];
    if (t + 1 < states_.size()) {
      now *= Hmm::kTransition[old][states_[t + 1]];
      then *= Hmm::kTransition[proposed][states_[t + 1]];
    }
    if (stream.uniform() * now < then) states_[t] = proposed;
  }

  std::span<const std::uint8_t> states() const { return states_; }

 private:
  std::vector<std::array<double, Hmm::kStates>> likelihood_;
  std::vector<std::uint8_t> states_;
};

}  // namespace chancel::yardstick
