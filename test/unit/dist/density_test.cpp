// SPDX-License-Identifier: Apache-2.0
// Densities on plain numbers (value/density.hpp) against the distribution objects, bit for bit, and
// their derivatives against finite differences, at random parameters and values. A continuous
// distribution without a density fails here unless it is listed.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "by_value.hpp"
#include "dist/distribution.hpp"
#include "dist/parameters.hpp"
#include "slope.hpp"

namespace chancel {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// What a parameter is drawn as.
enum class Draw { Real, Positive, Probability, Count, Whole };

double draw_number(Draw kind, Stream& stream) {
  switch (kind) {
    case Draw::Real:
      return 1.5 * stream.normal();
    case Draw::Positive:
      return std::exp(0.7 * stream.normal());
    case Draw::Probability:
      return 0.05 + 0.9 * stream.uniform();
    case Draw::Count:
      return 1 + static_cast<double>(stream.below(12));
    case Draw::Whole:
      return static_cast<double>(stream.below(9)) - 4;
  }
  return 0;
}

struct Case {
  const char* name;
  std::vector<Draw> parameters;
  // Mends parameters that have to fit each other.
  void (*fit)(double* p) = nullptr;
};

void order_first_two(double* p) { p[1] = p[0] + 0.5 + std::fabs(p[1]); }

std::vector<Case> cases() {
  using enum Draw;
  return {
      {"normal", {Real, Positive}},
      {"flip", {Probability}},
      {"bernoulli", {Probability}},
      {"uniform-continuous", {Real, Real}, order_first_two},
      {"uniform", {Real, Real}, order_first_two},
      {"uniform-discrete", {Whole, Whole}, [](double* p) { p[1] = p[0] + 1 + std::fabs(p[1]); }},
      {"gamma", {Positive, Positive}},
      {"chi-squared", {Positive}},
      {"inverse-gamma", {Positive, Positive}},
      {"beta", {Positive, Positive}},
      {"exponential", {Positive}},
      {"laplace", {Real, Positive}},
      {"student-t", {Positive}},
      {"student-t-loc-scale", {Positive, Real, Positive}},
      {"cauchy", {Real, Positive}},
      {"log-normal", {Real, Positive}},
      {"half-normal", {Positive}},
      {"folded-normal", {Real, Positive}},
      {"folded-normal-positive", {Real, Positive}},
      {"folded-normal-discrete", {Real, Positive}},
      {"truncated-normal", {Real, Positive, Real, Real}, [](double* p) { order_first_two(p + 2); }},
      {"half-student-t", {Positive, Positive}},
      {"half-cauchy", {Positive}},
      {"logistic", {Real, Positive}},
      {"gumbel", {Real, Positive}},
      {"skew-normal", {Real, Positive, Real}},
      {"neg-binomial-log", {Real, Positive}},
      {"von-mises", {Real, Positive}},
      {"pareto", {Positive, Positive}},
      {"weibull", {Positive, Positive}},
      {"poisson", {Positive}},
      {"poisson-log", {Real}},
      {"bernoulli-logit", {Real}},
      {"binomial-logit", {Count, Real}},
      {"neg-binomial", {Positive, Positive}},
      {"flat", {}},
      {"half-flat", {}},
      {"geometric", {Probability}},
      {"natural", {}},
      {"binomial", {Count, Probability}},
      {"negative-binomial", {Positive, Probability}},
      {"beta-binomial", {Count, Positive, Positive}},
      {"hypergeometric",
       {Count, Count, Count},
       [](double* p) { p[0] = std::fmin(p[0], p[1] + p[2]); }},
  };
}

// Continuous distributions that recordings treat as unknown.
const std::set<std::string> kWithout = {"categorical-dp"};

// A continuous distribution, or one with numbers for parameters and values.
bool needs_density(const DistType& type) { return !type.discrete || type.bounds; }

class Numbers {
 public:
  explicit Numbers(const Case& c)
      : type(*find_distribution(c.name)),
        density(*type.density),
        count(c.parameters.size()),
        arena_(heap_),
        case_(c) {}

  const DistType& type;
  const Density& density;
  const std::size_t count;

  // Parameters and a value that is drawn with them.
  std::vector<double> draw(Stream& stream) {
    std::vector<double> row;
    for (const Draw kind : case_.parameters) row.push_back(draw_number(kind, stream));
    if (case_.fit) case_.fit(row.data());
    double x = draw_number(Draw::Positive, stream);
    if (type.improper) {
      row.push_back(x);
      return row;
    }
    const Value v = chancel::draw(type, make(row).as<Dist>(), stream, arena_);
    EXPECT_TRUE(density.read(v, &x));
    row.push_back(x);
    return row;
  }
  Value make(const std::vector<double>& row) {
    std::vector<Value> args;
    for (std::size_t j = 0; j < count; ++j) args.push_back(Value::real(row[j]));
    NativeContext cx(arena_);
    const Value d = type.construct(cx, args.data(), static_cast<std::uint32_t>(count));
    return cx.ok() ? d : Value::nil();
  }
  double by_object(const std::vector<double>& row) {
    const Value d = make(row);
    if (d.is_nil()) return kNaN;
    const double x = row[count];
    const Value v = type.support == DistSupport::Booleans ? Value::boolean(x != 0)
                    : type.discrete ? Value::integer(static_cast<std::int64_t>(x))
                                    : Value::real(x);
    return log_prob(d, v);
  }
  double by_row(const std::vector<double>& row) const {
    std::vector<Lane> lanes;
    for (std::size_t j = 0; j < count; ++j) lanes.push_back({&row[j], 0});
    double out;
    density.log_prob(lanes.data(), {&row[count], 0}, 1, &out);
    return out;
  }
  std::vector<double> gradient(const std::vector<double>& row) const {
    std::vector<double> g(count + 1, 0.0);
    std::vector<Lane> lanes;
    std::vector<AdjointLane> adjoints;
    for (std::size_t j = 0; j < count; ++j) {
      lanes.push_back({&row[j], 0});
      adjoints.push_back({&g[j], 0});
    }
    const double one = 1;
    density.gradient(lanes.data(), {&row[count], 0}, &one, 1, adjoints.data(), {&g[count], 0});
    return g;
  }

 private:
  Heap heap_;
  Arena arena_;
  Case case_;
};

class EveryDensity : public testing::TestWithParam<Case> {
 protected:
  Stream stream_{StreamName{7}, 0, 0};
};

TEST_P(EveryDensity, GradientIsThatOfFiniteDifferences) {
  const Case c = GetParam();
  Numbers numbers(c);
  for (int trial = 0; trial < 40; ++trial) {
    const std::vector<double> row = numbers.draw(stream_);
    const std::vector<double> g = numbers.gradient(row);
    for (std::size_t j = 0; j <= numbers.count; ++j) {
      const bool whole = j < numbers.count ? c.parameters[j] >= Draw::Count : numbers.type.discrete;
      double expected = 0;
      if (!whole) {
        const auto along = [&](double at) {
          std::vector<double> moved = row;
          moved[j] = at;
          return numbers.by_row(moved);
        };
        expected = slope(along, row[j]);
      }
      EXPECT_NEAR(g[j], expected, 1e-6 * std::fmax(std::fabs(expected), 1e-2))
          << c.name << " number " << j << " trial " << trial;
    }
  }
}

// Very small and very large parameters, and values far out. Where differences are too rough to tell,
// the derivative must be a number at least.
TEST_P(EveryDensity, GradientHoldsAtTheEdges) {
  const Case c = GetParam();
  Numbers numbers(c);
  const auto choices = [](Draw kind) -> std::vector<double> {
    switch (kind) {
      case Draw::Real:
        return {0, 1e-6, -2, 30};
      case Draw::Positive:
        return {1e-2, 0.7, 40, 1e4};
      case Draw::Probability:
        return {1e-9, 0.3, 1 - 1e-9};
      default:
        return {1, 7, 1000};
    }
  };
  const std::vector<double> values = {-50,      -3, -1e-6, 0, 1e-8, 1e-3, 0.5,
                                      1 - 1e-9, 1,  2,     3, 12,   200};
  std::vector<std::size_t> at(numbers.count, 0);
  int compared = 0;
  for (bool more = true; more;) {
    std::vector<double> row;
    for (std::size_t j = 0; j < numbers.count; ++j) row.push_back(choices(c.parameters[j])[at[j]]);
    if (c.fit) c.fit(row.data());
    row.push_back(0);
    for (const double x : values) {
      row.back() = x;
      if (!std::isfinite(numbers.by_row(row)) || std::isnan(numbers.by_object(row))) continue;
      const std::vector<double> g = numbers.gradient(row);
      for (std::size_t j = 0; j <= numbers.count; ++j) {
        const bool whole =
            j < numbers.count ? c.parameters[j] >= Draw::Count : numbers.type.discrete;
        if (whole) continue;
        const auto along = [&](double at_j) {
          std::vector<double> moved = row;
          moved[j] = at_j;
          return numbers.by_row(moved);
        };
        const bool inside = std::isfinite(along(row[j] * (1 + 1e-12) + 1e-300)) &&
                            std::isfinite(along(row[j] * (1 - 1e-12) - 1e-300));
        if (!inside) continue;  // at the end of the support there is no slope
        double doubt;
        const double expected = slope(along, row[j], &doubt);
        std::string where = c.name;
        for (const double number : row) where += " " + std::to_string(number);
        EXPECT_TRUE(std::isfinite(g[j])) << where << " number " << j << " expected " << expected;
        if (!(doubt < 1e-7 * std::fabs(expected))) continue;
        ++compared;
        EXPECT_NEAR(g[j], expected, 1e-6 * std::fmax(std::fabs(expected), 1e-5))
            << where << " number " << j;
      }
    }
    more = false;
    for (std::size_t j = 0; j < numbers.count && !more; ++j) {
      more = ++at[j] < choices(c.parameters[j]).size();
      if (!more) at[j] = 0;
    }
  }
  EXPECT_TRUE(compared > 0 || numbers.type.improper || numbers.type.discrete) << c.name;
}

// Every choice of which numbers are shared by the rows and which differ.
TEST_P(EveryDensity, RowsHaveTheBitsOfTheObject) {
  Numbers numbers(GetParam());
  const std::size_t n = numbers.count + 1;
  constexpr std::size_t kRows = 150;
  for (std::size_t shared = 0; shared < std::size_t{1} << n; ++shared) {
    std::vector<std::vector<double>> columns(n, std::vector<double>(kRows));
    std::vector<std::vector<double>> rows;
    const std::vector<double> first = numbers.draw(stream_);
    for (std::size_t r = 0; r < kRows; ++r) {
      std::vector<double> row = numbers.draw(stream_);
      if (r % 7 == 3 && numbers.count > 0)
        row[r / 7 % numbers.count] = r % 2 ? -1 : kNaN;  // mostly refused
      for (std::size_t j = 0; j < n; ++j) {
        if (shared >> j & 1) row[j] = first[j];
        columns[j][r] = row[j];
      }
      rows.push_back(row);
    }
    std::vector<Lane> lanes;
    for (std::size_t j = 0; j < n; ++j) {
      lanes.push_back({columns[j].data(), shared >> j & 1 ? std::size_t{0} : 1});
    }
    std::vector<double> out(kRows);
    numbers.density.log_prob(lanes.data(), lanes[n - 1], kRows, out.data());
    for (std::size_t r = 0; r < kRows; ++r) {
      const double expected = numbers.by_object(rows[r]);
      if (std::isnan(expected)) {
        EXPECT_TRUE(std::isnan(out[r])) << "row " << r << " sharing " << shared;
      } else {
        EXPECT_EQ(std::bit_cast<std::uint64_t>(out[r]), std::bit_cast<std::uint64_t>(expected))
            << out[r] << " for " << expected << ", row " << r << " sharing " << shared;
      }
    }
  }
}

// Adds to what is there, by row or in one sum, and leaves out derivatives that are not wanted.
TEST_P(EveryDensity, AdjointsAddUp) {
  Numbers numbers(GetParam());
  const std::size_t n = numbers.count + 1;
  constexpr std::size_t kRows = 130;
  for (std::size_t shared = 0; shared < std::size_t{1} << n; ++shared) {
    const std::vector<double> first = numbers.draw(stream_);
    std::vector<std::vector<double>> columns(n, std::vector<double>(kRows));
    std::vector<std::vector<double>> expected(n, std::vector<double>(kRows, 2.0));
    std::vector<std::vector<double>> adjoints(n, std::vector<double>(kRows, 2.0));
    std::vector<double> weight;
    for (std::size_t r = 0; r < kRows; ++r) {
      std::vector<double> row;
      // Parameters that no longer fit, or a value outside the support: another row.
      do {
        row = numbers.draw(stream_);
        for (std::size_t j = 0; j < n; ++j) row[j] = shared >> j & 1 ? first[j] : row[j];
      } while (!std::isfinite(numbers.by_row(row)));
      weight.push_back(stream_.normal());
      const std::vector<double> g = numbers.gradient(row);
      for (std::size_t j = 0; j < n; ++j) {
        columns[j][r] = row[j];
        expected[j][shared >> j & 1 ? 0 : r] += weight[r] * g[j];
      }
    }
    std::vector<Lane> lanes;
    std::vector<AdjointLane> out;
    for (std::size_t j = 0; j < n; ++j) {
      const std::size_t step = shared >> j & 1 ? 0 : 1;
      lanes.push_back({columns[j].data(), step});
      out.push_back({adjoints[j].data(), step});
    }
    const std::size_t unwanted = shared % n;
    out[unwanted].at = nullptr;
    numbers.density.gradient(lanes.data(), lanes[n - 1], weight.data(), kRows, out.data(),
                             out[n - 1]);
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t r = 0; r < kRows; ++r) {
        const double right = j == unwanted ? 2.0 : expected[j][r];
        EXPECT_NEAR(adjoints[j][r], right, 1e-9 * (1 + std::fabs(right)))
            << "number " << j << " row " << r << " sharing " << shared;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Dist, EveryDensity, testing::ValuesIn(cases()), [](const auto& info) {
  std::string name = info.param.name;
  for (char& c : name) c = c == '-' ? '_' : c;
  return name;
});

TEST(Density, EveryContinuousDistributionHasOne) {
  std::set<std::string> tested;
  for (const Case& c : cases()) tested.insert(c.name);
  for (const DistType* type : all_distributions()) {
    if (type->density) {
      EXPECT_TRUE(tested.count(type->name)) << type->name << " has no row in this test";
    } else if (!type->wide_density && needs_density(*type)) {
      EXPECT_TRUE(kWithout.count(type->name)) << type->name;
    }
  }
}

TEST(Density, BoundsThatAreParameters) {
  const Density& uniform = *find_distribution("uniform-continuous")->density;
  EXPECT_EQ(uniform.lower, 0);
  EXPECT_EQ(uniform.upper, 1);
  const Density& pareto = *find_distribution("pareto")->density;
  EXPECT_EQ(pareto.lower, 0);
  EXPECT_EQ(pareto.upper, -1);
  EXPECT_EQ(find_distribution("normal")->density->lower, -1);
}

}  // namespace
}  // namespace chancel
