// SPDX-License-Identifier: Apache-2.0
// The checks of rig.hpp. (Named _test so that the build picks it up; the tests are in the other
// files.)
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <cmath>
#include <limits>

#include "literal.hpp"
#include "rig.hpp"
#include "value/equality.hpp"
#include "value/print.hpp"

namespace chancel {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr std::size_t kDraws = 100000;

Stream stream_for(const Subject& s, std::uint64_t kind) {
  std::uint64_t h = 0;
  for (const char* c = s.type.name; *c; ++c) h = mix64(h ^ static_cast<unsigned char>(*c));
  return Stream(StreamName{h}.child(kind, 0), 0, 0);
}

// Numbers, and booleans as 1 and 0.
bool number_of(const Value& v, double* x) {
  if (v.is(Tag::Bool))
    *x = v.bits ? 1 : 0;
  else if (v.is_number())
    *x = to_double(v);
  else
    return false;
  return true;
}
Value value_of(const Subject& s, double x) {
  if (s.type.support == DistSupport::Booleans) return Value::boolean(x != 0);
  return s.type.discrete ? Value::integer(static_cast<std::int64_t>(x)) : Value::real(x);
}
double dkw_bound(std::size_t n) {
  return std::sqrt(std::log(2 / kFalseAlarm) / (2 * static_cast<double>(n)));
}
double chi_squared_bound(std::size_t cells) {
  const boost::math::chi_squared reference(static_cast<double>(cells - 1));
  return boost::math::quantile(boost::math::complement(reference, kFalseAlarm));
}

// Chi-squared over cells whose expectations are given; cells below 25 are pooled.
std::string chi_squared_check(const std::vector<double>& seen,
                              const std::vector<double>& expected) {
  double chi = 0;
  std::size_t cells = 0;
  double pool_seen = 0;
  double pool_expected = 0;
  for (std::size_t i = 0; i < seen.size(); ++i) {
    if (expected[i] < 25) {
      pool_seen += seen[i];
      pool_expected += expected[i];
      continue;
    }
    chi += (seen[i] - expected[i]) * (seen[i] - expected[i]) / expected[i];
    ++cells;
  }
  if (pool_expected >= 5) {
    chi += (pool_seen - pool_expected) * (pool_seen - pool_expected) / pool_expected;
    ++cells;
  } else if (pool_seen > 60) {  // Poisson with mean 5 exceeds 30 with probability below 1e-13
    return fmt::format("{} draws in cells that expect {}", pool_seen, pool_expected);
  }
  if (cells < 2) return "";
  const double bound = chi_squared_bound(cells);
  if (chi <= bound) return "";
  return fmt::format("chi-squared of {} over {} cells, bound {}", chi, cells, bound);
}

}  // namespace

double find_quantile(const Subject& s, double p) {
  double low;
  double high;
  s.type.bounds(s.object(), &low, &high);
  if (!std::isfinite(low)) {
    for (low = -1; s.type.cdf(s.object(), low) > p;) low *= 2;
  }
  if (!std::isfinite(high)) {
    for (high = std::max(1.0, low + 1); s.type.cdf(s.object(), high) < p;) high *= 2;
  }
  for (int i = 0; i < 200; ++i) {
    const double middle = low + (high - low) / 2;
    (s.type.cdf(s.object(), middle) < p ? low : high) = middle;
  }
  return high;
}

std::string check_odd_values(const Subject& s, Arena& arena) {
  for (const Value& v :
       Literal(arena,
               "nil true false :a \"a\" [] () {} [1] [0.5 0.5] [[1]] (:a) [nil] [##NaN 1] -1 0 1 2 "
               "0.0 -0.0 0.5 1.0 -1.5 1/3 ##NaN ##Inf ##-Inf 1e308 -1e308 1e-308 5e-324 "
               "9223372036854775807 -9223372036854775807 [1 -1] [0 0] [[1 2] [2 1]] [[1 0] [1]]")
           .all()) {
    const double score = s.log_prob(v);
    if (std::isnan(score) || score == kInf) return fmt::format("score of {} is {}", show(v), score);
  }
  return "";
}

std::string check_draws_score(const Subject& s, Arena& arena) {
  Stream stream = stream_for(s, 1);
  double low = -kInf;
  double high = kInf;
  if (s.type.bounds) s.type.bounds(s.object(), &low, &high);
  for (int i = 0; i < 10000; ++i) {
    const Value v = s.draw(stream, arena);
    double x;
    if (s.type.bounds && !number_of(v, &x)) return "draws " + show(v);
    if (s.type.bounds && !(x >= low && x <= high)) return "draws outside its bounds: " + show(v);
    const double score = s.log_prob(v);
    if (!std::isfinite(score)) return fmt::format("draw {} scores {}", show(v), score);
    if (s.type.discrete && score > 1e-12) return fmt::format("mass of {} is e^{}", show(v), score);
  }
  return "";
}

std::string check_total(const Subject& s, Arena& arena) {
  if (s.type.enumerate) {
    const Value all = s.type.enumerate(s.object(), arena);
    double sum = 0;
    for (std::uint32_t i = 0; i < all.as<Vector>()->count; ++i) {
      sum += std::exp(s.log_prob(vector_nth(all.as<Vector>(), i)));
    }
    if (!(std::fabs(sum - 1) < 1e-10)) return fmt::format("masses sum to {}", sum);
  }
  if (!s.type.bounds) return "";
  double low;
  double high;
  s.type.bounds(s.object(), &low, &high);
  if (s.type.discrete) {
    double sum = 0;
    double x = low;
    for (; x <= high && sum < 1 - 1e-9 && x < low + 1e6; ++x) {
      sum += std::exp(s.log_prob(value_of(s, x)));
      const double cdf = s.type.cdf ? s.type.cdf(s.object(), x) : sum;
      if (!(std::fabs(sum - cdf) < 1e-9))
        return fmt::format("mass up to {} is {}, cdf {}", x, sum, cdf);
    }
    if (!(std::fabs(sum - 1) < 1e-8)) return fmt::format("masses up to {} sum to {}", x, sum);
    if (s.type.cdf && s.type.cdf(s.object(), low - 0.5) != 0) return "cdf below the support";
    return "";
  }
  if (!s.type.cdf) return "";
  if (std::isfinite(low) && s.type.cdf(s.object(), low) != 0) return "cdf at the lower bound";
  if (std::isfinite(high) && s.type.cdf(s.object(), high) != 1) return "cdf at the upper bound";
  // Between quantiles, over intervals that are short next to the scale of the density.
  std::vector<double> at;
  for (double p : {1e-6, 1e-3, 0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99,
                   0.999, 1 - 1e-6}) {
    at.push_back(find_quantile(s, p));
  }
  for (std::size_t i = 0; i + 1 < at.size(); ++i) {
    const auto density = [&](double x) { return std::exp(s.log_prob(Value::real(x))); };
    using Rule = boost::math::quadrature::gauss_kronrod<double, 31>;
    // An interval over orders of magnitude is integrated over log x.
    const double mass =
        at[i] > 0 && at[i + 1] > 10 * at[i]
            ? Rule::integrate([&](double t) { return density(std::exp(t)) * std::exp(t); },
                              std::log(at[i]), std::log(at[i + 1]), 10, 1e-10)
            : Rule::integrate(density, at[i], at[i + 1], 10, 1e-10);
    const double difference = s.type.cdf(s.object(), at[i + 1]) - s.type.cdf(s.object(), at[i]);
    if (!(std::fabs(mass - difference) < 1e-8)) {
      return fmt::format("density holds {} between {} and {}, cdf {}", mass, at[i], at[i + 1],
                         difference);
    }
  }
  return "";
}

std::string check_draws(const Subject& s, Arena& arena) {
  Stream stream = stream_for(s, 2);
  if (s.type.enumerate && !(s.type.bounds && s.type.cdf)) {
    const Value all = s.type.enumerate(s.object(), arena);
    const auto* items = all.as<Vector>();
    std::vector<double> seen(items->count, 0);
    std::vector<double> expected;
    for (std::uint32_t i = 0; i < items->count; ++i) {
      expected.push_back(kDraws * std::exp(s.log_prob(vector_nth(items, i))));
    }
    for (std::size_t n = 0; n < kDraws; ++n) {
      const Value v = s.draw(stream, arena);
      std::uint32_t i = 0;
      while (i < items->count && !equal(vector_nth(items, i), v)) ++i;
      if (i == items->count) return "draws a value that it does not list: " + show(v);
      ++seen[i];
    }
    return chi_squared_check(seen, expected);
  }
  if (!s.type.cdf) return "";
  std::vector<double> x(kDraws);
  for (double& v : x) number_of(s.draw(stream, arena), &v);
  std::sort(x.begin(), x.end());
  const auto n = static_cast<double>(kDraws);
  double worst = 0;
  for (std::size_t i = 0; i < kDraws; ++i) {
    if (i + 1 < kDraws && x[i + 1] == x[i]) continue;  // the last of a tie stands for all
    worst =
        std::max(worst, std::fabs(static_cast<double>(i + 1) / n - s.type.cdf(s.object(), x[i])));
  }
  if (!(worst < dkw_bound(kDraws))) return fmt::format("draws stray {} from the cdf", worst);
  // Chi-squared sees local errors better: single integers, or 64 cells of equal probability.
  std::vector<double> seen;
  std::vector<double> expected;
  if (s.type.discrete) {
    for (double k = x.front(); k <= x.back() && k < x.front() + 1e5; ++k) {
      const auto range = std::equal_range(x.begin(), x.end(), k);
      seen.push_back(static_cast<double>(range.second - range.first));
      expected.push_back(n * std::exp(s.log_prob(value_of(s, k))));
    }
  } else {
    seen.assign(64, 0);
    expected.assign(64, n / 64);
    for (double v : x)
      ++seen[static_cast<std::size_t>(std::min(63.0, 64 * s.type.cdf(s.object(), v)))];
  }
  return chi_squared_check(seen, expected);
}

std::string check_moments(const Subject& s, Arena& arena) {
  if (!s.type.mean || !s.type.variance) return "";
  Stream stream = stream_for(s, 3);
  const double mean = s.type.mean(s.object());
  const double variance = s.type.variance(s.object());
  const auto n = static_cast<double>(kDraws);
  double m1 = 0;
  double m2 = 0;
  double m4 = 0;
  for (std::size_t i = 0; i < kDraws; ++i) {
    double x = 0;
    number_of(s.draw(stream, arena), &x);
    const double e = x - mean;
    m1 += e / n;
    m2 += e * e / n;
    m4 += e * e * e * e / n;
  }
  // 6.2 standard errors: 1e-9 for a normal mean. The variance gets more, its error is less normal.
  if (!(std::fabs(m1) <= 6.2 * std::sqrt(variance / n) + 1e-12 * (1 + std::fabs(mean)))) {
    return fmt::format("mean {} but draws have {}", mean, mean + m1);
  }
  if (!(std::fabs(m2 - variance) <= 8 * std::sqrt(std::max(0.0, m4 - m2 * m2) / n) + 1e-12)) {
    return fmt::format("variance {} but draws have {}", variance, m2);
  }
  return "";
}

std::string check_quantile(const Subject& s) {
  if (!s.type.cdf || !s.type.quantile) return "";
  for (double p : {1e-9, 1e-4, 0.01, 0.1, 0.25, 0.4, 0.5, 0.6, 0.75, 0.9, 0.99, 0.9999}) {
    const double x = s.type.quantile(s.object(), p);
    const double cdf = s.type.cdf(s.object(), x);
    bool ok;
    if (s.type.discrete) {
      ok = cdf >= p * (1 - 1e-12) && s.type.cdf(s.object(), x - 1) <= p * (1 + 1e-12);
    } else {
      // What one step between doubles at x is worth in probability.
      const double step = std::exp(s.log_prob(Value::real(x))) * std::fabs(x) * 0x1.0p-52;
      ok = std::fabs(cdf - p) < 1e-9 * std::max(p, 1e-3) + step;
    }
    if (!ok) return fmt::format("quantile of {} is {}, whose cdf is {}", p, x, cdf);
  }
  return "";
}

std::string check_direct(const Subject& s, Arena& arena) {
  if (!s.type.sample_direct || !s.type.log_prob_direct) return "";
  Stream a = stream_for(s, 4);
  Stream b = stream_for(s, 4);
  const auto count = static_cast<std::uint32_t>(s.args.size());
  const auto same_score = [&](const Value& x) {
    double score;
    if (!s.type.log_prob_direct(s.args.data(), count, x, &score)) return false;
    return std::bit_cast<std::uint64_t>(score) == std::bit_cast<std::uint64_t>(s.log_prob(x));
  };
  for (int i = 0; i < 2000; ++i) {
    const Value x = s.draw(a, arena);
    Value y;
    if (!s.type.sample_direct(s.args.data(), count, b, &y)) return "sample_direct refuses";
    if (x.tag != y.tag || x.bits != y.bits) return "draws " + show(x) + ", directly " + show(y);
    if (!same_score(x)) return "scores differ at " + show(x);
  }
  for (const Value& x :
       Literal(arena, "nil true \"a\" [1] -1 0 1 2.0 0.5 1/3 ##NaN ##Inf 1e308").all()) {
    if (!same_score(x)) return "scores differ at " + show(x);
  }
  Value y;
  if (s.type.sample_direct(s.args.data(), count + 1, b, &y)) return "takes too many arguments";
  return "";
}

}  // namespace chancel
