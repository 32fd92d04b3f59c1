// SPDX-License-Identifier: Apache-2.0
// The checks that every distribution goes through. Each takes a Subject (the table of functions and
// an object) and returns what is wrong, or an empty string: so that a saboteur, a Subject with one
// function replaced by a wrong one, can be shown to be caught. Statistical checks have a
// false-alarm rate of 1e-9 each and use fixed seeds.
#pragma once
#include <string>
#include <vector>

#include "by_value.hpp"
#include "dist/distribution.hpp"

namespace chancel {

struct Subject {
  DistType type;  // a copy: tests replace functions in it
  Value dist;
  std::vector<Value> args;

  const Dist* object() const { return dist.as<Dist>(); }
  Value draw(Stream& stream, Arena& arena) const {
    return chancel::draw(type, object(), stream, arena);
  }
  double log_prob(const Value& x) const { return chancel::log_prob(type, object(), x); }
};

inline constexpr double kFalseAlarm = 1e-9;

// Scores of odd values (other types, NaN, infinities, huge numbers) are not NaN and not +inf.
std::string check_odd_values(const Subject& s, Arena& arena);
// Every draw lies in the bounds, has a finite score, and is a value of the kind that scores.
std::string check_draws_score(const Subject& s, Arena& arena);
// Mass sums to one (over the enumeration or the integers), and agrees with the CDF; density
// integrates to the CDF between quantiles, and the CDF goes from 0 to 1 over the bounds.
std::string check_total(const Subject& s, Arena& arena);
// Draws against the CDF (Dvoretzky-Kiefer-Wolfowitz) or the masses (chi-squared).
std::string check_draws(const Subject& s, Arena& arena);
// Mean and variance of draws; for distributions with light tails only.
std::string check_moments(const Subject& s, Arena& arena);
// quantile inverts cdf.
std::string check_quantile(const Subject& s);
// sample_direct and log_prob_direct agree with the object bit for bit.
std::string check_direct(const Subject& s, Arena& arena);

// A point x with cdf(x) = p by bisection, for rigs and for distributions without a quantile.
double find_quantile(const Subject& s, double p);

}  // namespace chancel
