// SPDX-License-Identifier: Apache-2.0
// Statistics of arrays along a dimension (anglican.stat; population moments), and of weighted
// samples in log scale.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "library/arguments.hpp"
#include "library/array.hpp"
#include "library/registry.hpp"
#include "math/elementary.hpp"
#include "math/log_space.hpp"
#include "value/equality.hpp"

namespace chancel {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

bool read_along(NativeContext& cx, const char* function, const Value* a, std::uint32_t n,
                NumberArray* array, std::size_t* dimension) {
  std::int64_t d = 0;
  if (n == 2 && !read_size(cx, function, a, 1, &d)) return false;
  if (is_map(a[0]) || is_set(a[0]) || !read_array(cx, function, a, 0, array)) {
    if (cx.ok()) cx.wrong_type(function, 0, "an array of numbers", a[0]);
    return false;
  }
  if (array->dimensions() == 0) {
    cx.wrong_type(function, 0, "an array of numbers", a[0]);
    return false;
  }
  if (d >= static_cast<std::int64_t>(array->dimensions())) {
    cx.fail(Code::R009, fmt::format("{}: the array has no dimension {}", function, d), 1);
    return false;
  }
  *dimension = static_cast<std::size_t>(d);
  return true;
}
NumberArray without_dimension(const NumberArray& a, std::size_t dimension) {
  NumberArray r;
  r.shape = a.shape;
  r.shape.erase(r.shape.begin() + static_cast<std::ptrdiff_t>(dimension));
  return r;
}

Value sum(NativeContext& cx, const Value* a, std::uint32_t n) {
  NumberArray array;
  std::size_t dimension = 0;
  if (!read_along(cx, "sum", a, n, &array, &dimension)) return Value::nil();
  const Slicing s = slicing(array, dimension);
  NumberArray result = without_dimension(array, dimension);
  for (std::size_t b = 0; b < s.before; ++b) {
    for (std::size_t k = 0; k < s.behind; ++k) {
      Value total = Value::integer(0);
      for (std::size_t i = 0; i < s.length && cx.ok(); ++i)
        total = add(cx, total, array.items[(b * s.length + i) * s.behind + k]);
      result.items.push_back(total);
    }
  }
  return cx.ok() ? array_value(cx, result) : Value::nil();
}

// Central moments of one line of numbers.
struct Moments {
  double mean = 0, second = 0, third = 0, fourth = 0;
};
Moments moments(const std::vector<double>& x) {
  Moments m;
  const auto n = static_cast<double>(x.size());
  for (double v : x) m.mean += v;
  m.mean /= n;
  for (double v : x) {
    const double d = v - m.mean;
    m.second += d * d;
    m.third += d * d * d;
    m.fourth += d * d * d * d;
  }
  m.second /= n;
  m.third /= n;
  m.fourth /= n;
  return m;
}
using Statistic = double (*)(const std::vector<double>&);
Value along(NativeContext& cx, const char* function, Statistic f, const Value* a, std::uint32_t n) {
  NumberArray array;
  std::size_t dimension = 0;
  if (!read_along(cx, function, a, n, &array, &dimension)) return Value::nil();
  const Slicing s = slicing(array, dimension);
  if (s.length == 0)
    return cx.fail(Code::R009, fmt::format("{}: there are no numbers", function), 0);
  NumberArray result = without_dimension(array, dimension);
  std::vector<double> line(s.length);
  for (std::size_t b = 0; b < s.before; ++b) {
    for (std::size_t k = 0; k < s.behind; ++k) {
      for (std::size_t i = 0; i < s.length; ++i)
        line[i] = to_double(array.items[(b * s.length + i) * s.behind + k]);
      result.items.push_back(Value::real(f(line)));
    }
  }
  return array_value(cx, result);
}
double mean_of(const std::vector<double>& x) { return moments(x).mean; }
double variance_of(const std::vector<double>& x) { return moments(x).second; }
double std_of(const std::vector<double>& x) { return std::sqrt(moments(x).second); }
double skew_of(const std::vector<double>& x) {
  const Moments m = moments(x);
  return m.third / math::pow(m.second, 1.5);
}
double kurtosis_of(const std::vector<double>& x) {
  const Moments m = moments(x);
  return m.fourth / (m.second * m.second);
}
// NaN has no place among numbers; it goes to the end.
void sort_numbers(std::vector<double>* x) {
  std::sort(x->begin(), x->end(),
            [](double a, double b) { return std::isnan(b) ? !std::isnan(a) : a < b; });
}
double quantile_of(std::vector<double> x, double p) {
  sort_numbers(&x);
  const double at = p * static_cast<double>(x.size() - 1);
  const auto low = static_cast<std::size_t>(std::floor(at));
  const std::size_t high = std::min(low + 1, x.size() - 1);
  return x[low] + (at - static_cast<double>(low)) * (x[high] - x[low]);
}
double median_of(const std::vector<double>& x) { return quantile_of(x, 0.5); }

// Means of integers and ratios are exact, as the quotient of their sum is: 2/3.
Value mean(NativeContext& cx, const Value* a, std::uint32_t n) {
  NumberArray array;
  std::size_t dimension = 0;
  if (!read_along(cx, "mean", a, n, &array, &dimension)) return Value::nil();
  const bool exact = std::all_of(array.items.begin(), array.items.end(), [](const Value& v) {
    return v.is_number() && !v.is(Tag::Double);
  });
  const std::size_t length = array.shape[dimension];
  if (!exact || length == 0) return along(cx, "mean", mean_of, a, n);
  NumberArray sums;
  const Value totals = sum(cx, a, n);
  if (!cx.ok() || !read_array(cx, "mean", &totals, 0, &sums)) return Value::nil();
  for (Value& total : sums.items)
    total = divide(cx, total, Value::integer(static_cast<std::int64_t>(length)));
  return cx.ok() ? array_value(cx, sums) : Value::nil();
}
Value variance(NativeContext& cx, const Value* a, std::uint32_t n) {
  return along(cx, "variance", variance_of, a, n);
}
Value standard_deviation(NativeContext& cx, const Value* a, std::uint32_t n) {
  return along(cx, "std", std_of, a, n);
}
Value skew(NativeContext& cx, const Value* a, std::uint32_t n) {
  return along(cx, "skew", skew_of, a, n);
}
Value kurtosis(NativeContext& cx, const Value* a, std::uint32_t n) {
  return along(cx, "kurtosis", kurtosis_of, a, n);
}
Value median(NativeContext& cx, const Value* a, std::uint32_t n) {
  return along(cx, "median", median_of, a, n);
}
Value quantile(NativeContext& cx, const Value* a, std::uint32_t) {
  double p = 0;
  std::vector<double> x;
  if (!read_number(cx, "quantile", a, 0, &p) || !read_numbers(cx, "quantile", a, 1, &x))
    return Value::nil();
  if (!(p >= 0 && p <= 1))
    return cx.fail(Code::R009,
                   fmt::format("quantile: expected a probability from 0 to 1, got {}", p), 0);
  if (x.empty()) return cx.fail(Code::R009, "quantile: there are no numbers", 1);
  return Value::real(quantile_of(std::move(x), p));
}

Value covariance(NativeContext& cx, const Value* a, std::uint32_t n) {
  NumberArray array;
  std::size_t dimension = 0;
  if (!read_along(cx, "covariance", a, n, &array, &dimension)) return Value::nil();
  const Slicing s = slicing(array, dimension);
  if (s.length == 0) return cx.fail(Code::R009, "covariance: there are no numbers", 0);
  const std::size_t width = s.before * s.behind;  // variables: everything but the dimension
  cx.room_for(array.items.size() * sizeof(double));
  std::vector<double> centred(s.length * width);
  for (std::size_t v = 0; v < width; ++v) {
    double total = 0;
    for (std::size_t i = 0; i < s.length; ++i) {
      const double x =
          to_double(array.items[((v / s.behind) * s.length + i) * s.behind + v % s.behind]);
      centred[i * width + v] = x;
      total += x;
    }
    for (std::size_t i = 0; i < s.length; ++i)
      centred[i * width + v] -= total / static_cast<double>(s.length);
  }
  NumberArray result;
  if (array.dimensions() > 1) result.shape = {width, width};
  for (std::size_t v = 0; v < width; ++v) {
    for (std::size_t w = 0; w < width; ++w) {
      double total = 0;
      cx.tick(1 + s.length);
      for (std::size_t i = 0; i < s.length; ++i)
        total += centred[i * width + v] * centred[i * width + w];
      push_within_limits(cx, result.items, Value::real(total / static_cast<double>(s.length)));
    }
  }
  return array_value(cx, result);
}

// --- log scale ---
// (log-sum-exp x y ...) or (log-sum-exp coll).
Value log_sum_exp_native(NativeContext& cx, const Value* a, std::uint32_t n) {
  std::vector<double> x;
  if (n == 1 && !a[0].is_number()) {
    if (!read_numbers(cx, "log-sum-exp", a, 0, &x)) return Value::nil();
  } else {
    if (!check_numbers(cx, "log-sum-exp", a, n)) return Value::nil();
    for (std::uint32_t i = 0; i < n; ++i) x.push_back(to_double(a[i]));
  }
  return Value::real(log_sum_exp(x));
}
Value log_mean_exp_native(NativeContext& cx, const Value* a, std::uint32_t) {
  std::vector<double> x;
  if (!read_numbers(cx, "log-mean-exp", a, 0, &x)) return Value::nil();
  return Value::real(log_mean_exp(x));
}
Value softmax_native(NativeContext& cx, const Value* a, std::uint32_t) {
  std::vector<double> x;
  if (!read_numbers(cx, "softmax", a, 0, &x)) return Value::nil();
  softmax(x, x.data());
  std::vector<Value> p;
  for (double v : x) p.push_back(Value::real(v));
  return vector_of(cx, p);
}

// Kolmogorov-Smirnov: the largest distance between the two empirical distribution functions.
Value kolmogorov_smirnov(NativeContext& cx, const Value* a, std::uint32_t) {
  std::vector<double> x;
  std::vector<double> y;
  if (!read_numbers(cx, "KS", a, 0, &x) || !read_numbers(cx, "KS", a, 1, &y)) return Value::nil();
  if (x.empty() || y.empty())
    return cx.fail(Code::R009, "KS: there are no numbers", x.empty() ? 0 : 1);
  sort_numbers(&x);
  sort_numbers(&y);
  double largest = 0;
  for (std::size_t i = 0, j = 0; i < x.size() && j < y.size();) {
    const double at = std::min(x[i], y[j]);
    while (i < x.size() && x[i] <= at) ++i;
    while (j < y.size() && y[j] <= at) ++j;
    const double gap = static_cast<double>(i) / static_cast<double>(x.size()) -
                       static_cast<double>(j) / static_cast<double>(y.size());
    largest = std::max(largest, std::fabs(gap));
    if (std::isnan(at)) break;
  }
  return Value::real(largest);
}

// Pairs [x log-weight] from a map or a sequence of pairs.
bool read_weighted(NativeContext& cx, const char* function, const Value* a, int index,
                   std::vector<Value>* xs, std::vector<double>* log_weights) {
  std::vector<Value> pairs;
  if (!read_items(cx, function, a, index, &pairs)) return false;
  for (const Value& p : pairs) {
    std::vector<Value> two;
    if (!is_sequential(p)) {
      cx.fail(Code::R001,
              fmt::format("{}: expected pairs [value log-weight], got {}", function, describe(p)),
              index);
      return false;
    }
    if (!read_items(cx, function, &p, 0, &two)) return false;
    if (two.size() != 2 || !two[1].is_number()) {
      cx.fail(Code::R001,
              fmt::format("{}: expected pairs [value log-weight], got {}", function, show(p)),
              index);
      return false;
    }
    xs->push_back(two[0]);
    log_weights->push_back(to_double(two[1]));
  }
  return true;
}
// Sums weights of equal values; `finish` turns (sum relative to the largest, largest) into the
// value of the entry.
template <class Finish>
Value sum_by_value(NativeContext& cx, std::vector<Value>& xs,
                   const std::vector<double>& log_weights, Finish&& finish) {
  double top = -kInfinity;
  for (double w : log_weights) top = std::max(top, w);
  Value map = empty_map(*cx.arena);
  std::vector<double> sums;
  for (std::size_t i = 0; i < xs.size(); ++i) {
    if (!ensure_realised(cx, xs[i])) return Value::nil();
    const double w = std::isinf(top) ? (log_weights[i] == top && top > 0 ? 1.0 : 0.0)
                                     : math::exp(log_weights[i] - top);
    const Value* place = map_find(map, xs[i]);
    if (place) {
      sums[static_cast<std::size_t>(place->i)] += w;
    } else {
      map =
          map_assoc(*cx.arena, map, xs[i], Value::integer(static_cast<std::int64_t>(sums.size())));
      sums.push_back(w);
    }
  }
  Value result = map;
  map_each(map, [&](const Value& x, const Value& place) {
    result = map_assoc(*cx.arena, result, x,
                       Value::real(finish(sums[static_cast<std::size_t>(place.i)], top)));
  });
  return result;
}
// (xs log-weights): {x -> log of the sum of weights, less log of the number of samples}
Value collect_weights(NativeContext& cx, const Value* a, std::uint32_t) {
  std::vector<Value> xs;
  std::vector<double> log_weights;
  if (!read_items(cx, "collect-by", a, 0, &xs) ||
      !read_numbers(cx, "collect-by", a, 1, &log_weights))
    return Value::nil();
  log_weights.resize(xs.size(), -kInfinity);
  const double log_count = math::log(static_cast<double>(xs.size()));
  return sum_by_value(cx, xs, log_weights, [&](double w, double top) {
    return w > 0 ? top + math::log(w) - log_count : -kInfinity;
  });
}
Value empirical_distribution(NativeContext& cx, const Value* a, std::uint32_t) {
  std::vector<Value> xs;
  std::vector<double> log_weights;
  if (!read_weighted(cx, "empirical-distribution", a, 0, &xs, &log_weights)) return Value::nil();
  double top = -kInfinity;
  for (double w : log_weights) top = std::max(top, w);
  double total = 0;
  for (double w : log_weights)
    total += std::isinf(top) ? (w == top && top > 0 ? 1.0 : 0.0) : math::exp(w - top);
  return sum_by_value(cx, xs, log_weights, [&](double w, double) { return w / total; });
}
// {x log-w} or pairs: a vector of pairs [x p] with probabilities that sum to one.
Value normalised_pairs(NativeContext& cx, const Value* a, std::uint32_t) {
  std::vector<Value> xs;
  std::vector<double> log_weights;
  if (!read_weighted(cx, "empirical-expectation", a, 0, &xs, &log_weights)) return Value::nil();
  softmax(log_weights, log_weights.data());
  std::vector<Value> pairs;
  for (std::size_t i = 0; i < xs.size(); ++i)
    pairs.push_back(pair_of(cx, xs[i], Value::real(log_weights[i])));
  return vector_of(cx, pairs);
}

constexpr NativeDef kStatisticsNatives[] = {
    {"sum", 1, 2, sum, kPure, "[array] [array dimension]", "The sums along a dimension (0)."},
    {"mean", 1, 2, mean, kPure, "[array] [array dimension]", "The means along a dimension (0)."},
    {"variance", 1, 2, variance, kPure, "[array] [array dimension]",
     "The population variances along a dimension (0)."},
    {"std", 1, 2, standard_deviation, kPure, "[array] [array dimension]",
     "The population standard deviations along a dimension (0)."},
    {"skew", 1, 2, skew, kPure, "[array] [array dimension]", "The skewness along a dimension (0)."},
    {"kurtosis", 1, 2, kurtosis, kPure, "[array] [array dimension]",
     "The kurtosis along a dimension (0); 3 for a normal distribution."},
    {"median", 1, 2, median, kPure, "[array] [array dimension]",
     "The medians along a dimension (0)."},
    {"quantile", 2, 2, quantile, kPure, "[p numbers]",
     "The number below which a part p of the numbers lies, interpolated."},
    {"covariance", 1, 2, covariance, kPure, "[array] [array dimension]",
     "The population covariance matrix of samples along a dimension (0)."},
    {"log-sum-exp", 0, -1, log_sum_exp_native, kPure, "[coll] [& numbers]",
     "The log of the sum of the exponentials."},
    {"log-mean-exp", 1, 1, log_mean_exp_native, kPure, "[coll]",
     "The log of the mean of the exponentials."},
    {"softmax", 1, 1, softmax_native, kPure, "[log-weights]",
     "The probabilities that are proportional to the exponentials, as a vector."},
    {"KS", 2, 2, kolmogorov_smirnov, kPure, "[xs ys]",
     "The Kolmogorov-Smirnov distance of two samples of numbers."},
    {"%collect-weights", 2, 2, collect_weights, kPure, "[xs log-weights]",
     "A map of values to the log of their mean weight."},
    {"empirical-distribution", 1, 1, empirical_distribution, kPure, "[weighted]",
     "A map of values to probabilities from pairs (or a map) of values and log-weights."},
    {"%normalised-pairs", 1, 1, normalised_pairs, kPure, "[weighted]",
     "Pairs of values and probabilities from pairs of values and log-weights."},
};

}  // namespace

std::span<const NativeDef> statistics_natives() { return kStatisticsNatives; }

}  // namespace chancel
