// SPDX-License-Identifier: Apache-2.0
// exp, log and what is made of them: within a unit in the last place of long double results over their
// whole range, the values that C asks for at the edges, and arrays with the same bits as single numbers. The
// bits of some results are pinned: they must be the same on every machine.
#include "math/elementary.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "math/lanes.hpp"

namespace chancel {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
const double kEdges[] = {0.0,       -0.0,       1.0,         -1.0,   0.5,    -0.5,
                         2.0,       -2.0,       3.0,         -3.0,   5e-324, 1e-310,
                         2.3e-308,  1e-17,      1e308,       -1e308, 709.7,  -709.0,
                         709.79,    -745.1,     -745.2,      -1e-17, 1e16,   9007199254740993.0,
                         kInfinity, -kInfinity, std::nan("")};

double unit_at(double y) { return std::nextafter(std::fabs(y), kInfinity) - std::fabs(y); }

// The largest error in units in the last place.
template <class Ours, class Exact, class Draw>
double worst(Ours ours, Exact exact, Draw draw) {
  double most = 0;
  for (int i = 0; i < 200000; ++i) {
    const double x = draw();
    const long double t = exact(static_cast<long double>(x));
    if (!std::isfinite(static_cast<double>(t)) || std::fabs(static_cast<double>(t)) < 1e-307)
      continue;
    const auto error = static_cast<double>(std::fabs(ours(x) - t));
    most = std::max(most, error / unit_at(static_cast<double>(t)));
  }
  return most;
}

class Elementary : public testing::Test {
 protected:
  double uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(generator_);
  }
  // Of any size and sign.
  double any(double largest) {
    const double x = uniform(-1, 1);
    const double sizes[] = {1, 1e-3, 1e-9, largest};
    return x * sizes[generator_() % 4];
  }
  std::mt19937_64 generator_{7};
};

TEST_F(Elementary, ErrorsAreBelowAUnit) {
  const auto for_exp = [&] { return any(700); };
  const auto for_log = [&] {
    const double u = uniform(0, 1);
    switch (generator_() % 3) {
      case 0:
        return u;
      case 1:
        return 1 + (u - 0.5) * 0.1;
      default:
        return std::exp((2 * u - 1) * 700);
    }
  };
  EXPECT_LT(worst([](double x) { return math::exp(x); }, expl, for_exp), 0.52);
  EXPECT_LT(worst([](double x) { return math::expm1(x); }, expm1l, for_exp), 0.9);
  EXPECT_LT(worst([](double x) { return math::log(x); }, logl, for_log), 0.52);
  EXPECT_LT(worst([](double x) { return math::log1p(x); }, log1pl,
                  [&] { return generator_() % 2 ? uniform(-1, 1) : std::fabs(any(1e15)); }),
            0.53);
  for (const double y : {2.0, 0.5, -1.5, 17.3, 3.0, 1e-3})
    EXPECT_LT(worst([&](double x) { return math::pow(x, y); },
                    [&](long double x) { return powl(x, y); }, [&] { return uniform(0, 10); }),
              0.53);
  EXPECT_LT(
      worst([&](double y) { return math::pow(1.0000001, y); },
            [&](long double y) { return powl(1.0000001, y); }, [&] { return uniform(-1e9, 1e9); }),
      0.53);
}

bool close(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  if (a == b) return std::signbit(a) == std::signbit(b);
  return std::fabs(a - b) <= std::max(1e-15 * std::fabs(b), 1e-323);
}

TEST_F(Elementary, EdgesAreThoseOfC) {
  for (const double x : kEdges) {
    EXPECT_TRUE(close(math::exp(x), std::exp(x))) << x;
    EXPECT_TRUE(close(math::expm1(x), std::expm1(x))) << x;
    EXPECT_TRUE(close(math::log(x), std::log(x))) << x;
    EXPECT_TRUE(close(math::log1p(x), std::log1p(x))) << x;
    for (const double y : kEdges)
      EXPECT_TRUE(close(math::pow(x, y), std::pow(x, y)))
          << x << " ^ " << y << " is " << math::pow(x, y);
  }
}

TEST_F(Elementary, ArraysHaveTheSameBits) {
  for (const std::size_t count : {1u, 7u, 128u, 1000u}) {
    std::vector<double> x(count), e(count), l(count);
    for (int round = 0; round < 50; ++round) {
      for (double& v : x) v = any(700);
      // Now and then one that is not ordinary.
      if (round % 2) x[generator_() % count] = kEdges[generator_() % std::size(kEdges)];
      const double less = round % 3;
      math::exp_all(x.data(), less, e.data(), count);
      math::log_all(x.data(), l.data(), count);
      for (std::size_t i = 0; i < count; ++i) {
        const double one_exp = math::exp(x[i] - less), one_log = math::log(x[i]);
        EXPECT_TRUE(std::isnan(one_exp) || std::memcmp(&e[i], &one_exp, 8) == 0) << x[i];
        EXPECT_TRUE(std::isnan(one_log) || std::memcmp(&l[i], &one_log, 8) == 0) << x[i];
      }
    }
  }
}

// A hash of the bits of many results.
TEST_F(Elementary, BitsAreTheSameEverywhere) {
  std::uint64_t hash = 0;
  const auto add = [&](double v) {
    std::uint64_t bits;
    std::memcpy(&bits, &v, 8);
    hash = (hash ^ bits) * 0x100000001b3ull;
    hash ^= hash >> 29;
  };
  for (int i = -20000; i <= 20000; ++i) {
    const double x = i * 0.0354321;
    add(math::exp(x));
    add(math::expm1(x * 1e-3));
    add(math::log(x * x + 1e-9));
    add(math::log1p(x * 1e-3 + 0.7087));
    add(math::pow(x * x + 1e-9, 1.37 + i * 1e-4));
  }
  EXPECT_EQ(hash, 19305300245890457u);
}

}  // namespace
}  // namespace chancel
