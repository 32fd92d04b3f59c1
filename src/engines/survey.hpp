// SPDX-License-Identifier: Apache-2.0
// What a few executions from the prior show about a query: which draws it makes, whether always the
// same ones, where its observes lie among them. Draws from improper distributions get an arbitrary
// value: the survey needs the kinds of draws, not their values. A failed execution is not an error
// here: the run of the query reports it.
#pragma once
#include <cstddef>

#include "infer/engine.hpp"

namespace chancel {

struct Survey {
  // Of the execution with the most draws.
  std::size_t continuous = 0;
  std::size_t discrete = 0;
  std::size_t other = 0;      // no density to compare values with
  std::size_t seats = 0;      // of the discrete ones: from a Chinese restaurant process
  std::size_t generated = 0;  // of the continuous ones: after the last observe
  std::size_t draws() const { return continuous + discrete + other; }

  bool complete = true;            // all executions came to their end
  bool fixed = true;               // and made the same draws in the same order
  bool same_draws = true;          // those that came to their end did
  std::uint64_t applications = 0;  // of all executions together
  bool improper = false;
  bool estimated = false;  // an observe whose log-probability is an estimate
  bool observed = false;   // some execution has an observe or a factor
  bool hidden = false;     // random numbers outside sample (rand), after the first draw or observe
  // Some of the continuous draws are made inside mem: once for its arguments, wherever the first call
  // is. Unless a Chinese restaurant process decides which there are, they are parameters, as if a let
  // had made them at the start.
  bool remembered = false;
  // How often a draw follows an observe, at most, apart from such parameters.
  std::size_t alternations = 0;
  // Continuous draws precede all observes, or are made inside mem, and the other draws are always the
  // same ones in the same order.
  bool parameters = false;
  // The continuous draws before all observes lie within the same bounds in all executions.
  bool fixed_bounds = true;
  // Log of the number of values that its draws could have had together, at least; infinite unless
  // all have finitely many.
  double log_outcomes = 0;
};

// Draws of a program that a population of 1000 leads from the prior to their posterior.
inline constexpr std::size_t kPopulationDraws = 30;

inline constexpr std::uint64_t kAnyWork = ~std::uint64_t{0};
// An execution ends, incomplete, at the first draw or observe after `most_applications` calls.
inline constexpr unsigned kSurveyed = 25;
Survey take_survey(const RunSetup& setup, unsigned executions = kSurveyed,
                   std::uint64_t most_applications = kAnyWork);

}  // namespace chancel
