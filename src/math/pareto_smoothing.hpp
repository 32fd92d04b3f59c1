// SPDX-License-Identifier: Apache-2.0
// Pareto smoothed importance sampling (Vehtari, Simpson, Gelman, Yao & Gabry 2024): the largest
// importance ratios are replaced by the expected order statistics of a generalised Pareto distribution
// that is fitted to them. Its shape k-hat says whether the weights can be trusted. Same results as
// the R package loo; costs a selection of the tail and about 30 + sqrt(tail) passes over it.
#pragma once
#include <cstddef>
#include <span>

namespace chancel {

struct ParetoFit {
  double shape;  // k; infinite when it cannot be fitted
  double scale;  // sigma
};
// Fits a generalised Pareto distribution that begins at zero to ascending positive numbers (Zhang &
// Stephens 2009), with loo's weak prior on the shape: ten observations of 1/2.
ParetoFit fit_pareto(std::span<const double> ascending);

// How many of n ratios are tail. `relative_efficiency`: effective over actual number of draws, for
// draws of a chain.
std::size_t pareto_tail_length(std::size_t n, double relative_efficiency = 1);

// Smooths the tail of log ratios in place, and gives k-hat. +inf: not enough ratios (a tail below 5),
// or none that a distribution could be fitted to. -inf: the largest ratios are all the same.
double smooth_pareto_tail(std::span<double> log_ratios, double relative_efficiency = 1);

// k-hat of log ratios that stay as they are and may be tied (weights that take few values): the tail
// is what lies above the largest ratio outside it. +inf: fewer than five do, and they carry more than
// half of the sum. NaN, where there is no tail to speak of: the largest ratios are the same, fewer than
// five lie above the others, or all are zero.
double pareto_shape(std::span<const double> log_ratios);

// Estimates from n draws can be trusted when k-hat is below this: 0.7 from 2200 draws on, less before.
double largest_usable_shape(std::size_t n);

}  // namespace chancel
