// SPDX-License-Identifier: Apache-2.0
// See noise.hpp.
#include "single_site/noise.hpp"

#include <cmath>

#include "math/normal.hpp"
#include "random/stream.hpp"

namespace chancel {

namespace {

// Next to 1 probabilities have few digits: of those beyond this noise (1e-12) one in 10 000 is lost.
constexpr double kFarthest = 7;
constexpr double kLargestInteger = 0x1p53;
constexpr double kSameNoise = 1e-6;

double by_rank(const Dist* d, double x) { return normal_quantile(d->type->cdf(d, x)); }

// Next to the bounds of distributions that clip their draws, numbers may lie so far apart that each
// stands for an interval of noise, and quantiles may not lead back. There is no noise there, from
// either side.
bool is_fine(const Dist* d, double x, double noise) {
  if (!d->type->fit) return true;
  const double back = d->type->quantile(d, normal_cdf(noise));
  return std::fabs(by_rank(d, back) - noise) < kSameNoise &&
         by_rank(d, std::nextafter(x, INFINITY)) - by_rank(d, std::nextafter(x, -INFINITY)) <
             kSameNoise;
}

}  // namespace

bool has_noise(const Value& distribution) {
  if (!distribution.is(Tag::Dist)) return false;
  const DistType* type = distribution.as<Dist>()->type;
  if (!type->cdf || !type->quantile || type->improper || type->estimated) return false;
  switch (type->support) {
    case DistSupport::Real:
    case DistSupport::Positive:
    case DistSupport::NonNegative:
    case DistSupport::UnitInterval:
    case DistSupport::Interval:
      return !type->discrete;
    case DistSupport::Integers:
    case DistSupport::NonNegativeIntegers:
    case DistSupport::FiniteIntegers:
    case DistSupport::Booleans:
      return type->discrete;
    default:
      return false;
  }
}

bool noise_of(const Value& distribution, const Value& x, Stream& stream, double* noise) {
  const auto* d = distribution.as<Dist>();
  double rank;
  if (d->type->discrete) {
    if (!x.is(Tag::Bool) && !x.is(Tag::Int)) return false;
    const double at = x.is(Tag::Int) ? static_cast<double>(x.i) : x.bits ? 1 : 0;
    const double below = d->type->cdf(d, at - 1), up_to = d->type->cdf(d, at);
    rank = below + (up_to - below) * stream.uniform_open();
  } else {
    if (!x.is(Tag::Double)) return false;
    if (d->type->noise) {
      *noise = d->type->noise(d, x.d);
      return std::isfinite(*noise);
    }
    *noise = by_rank(d, x.d);
    return std::fabs(*noise) < kFarthest && is_fine(d, x.d, *noise);
  }
  *noise = normal_quantile(rank);
  return std::fabs(*noise) < kFarthest;
}

bool draw_with(const Value& distribution, double noise, Value* x) {
  const auto* d = distribution.as<Dist>();
  const bool exact = d->type->draw_with != nullptr;
  if (!exact && !(std::fabs(noise) < kFarthest)) return false;
  const double at = exact ? d->type->draw_with(d, noise) : d->type->quantile(d, normal_cdf(noise));
  if (!exact && !d->type->discrete) {
    const double its_own = by_rank(d, at);
    if (!(std::fabs(its_own - noise) < kSameNoise) || !is_fine(d, at, its_own)) return false;
  }
  if (d->type->support == DistSupport::Booleans)
    *x = Value::boolean(at != 0);
  else if (!d->type->discrete)
    *x = Value::real(at);
  else if (std::fabs(at) <= kLargestInteger)
    *x = Value::integer(static_cast<std::int64_t>(at));
  else
    return false;
  return std::isfinite(at);
}

}  // namespace chancel
