// SPDX-License-Identifier: Apache-2.0
// Derivatives of distributions over collections (WideDensity) against finite differences. Numbers
// that are equal in the text of a case (the halves of a symmetric matrix) move together, and their
// derivatives add up.
#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "by_value.hpp"
#include "dist/distribution.hpp"
#include "dist/sequence.hpp"
#include "literal.hpp"
#include "slope.hpp"
#include "value/equality.hpp"
#include "value/print.hpp"

namespace chancel {
namespace {

struct Case {
  const char* name;
  const char* args;
  const char* x;
  // A distribution that is the first argument.
  const char* base = nullptr;
  const char* base_args = "";
};

const Case kCases[] = {
    {"mvn", "[0.3 -1.2] [[2.1 0.5] [0.5 1.3]]", "[0.7 0.9]"},
    {"mvn", "(0.1 0.2 0.4) ((2.1 0.5 -0.3) (0.5 1.3 0.6) (-0.3 0.6 1.9))", "(1.1 1.2 1.4)"},
    {"mvn", "[0.3] [[2.1]]", "[0.7]"},
    {"multivariate-t", "4.5 [0.3 -1.2] [[2.1 0.5] [0.5 1.3]]", "[0.7 0.9]"},
    {"dirichlet", "[1.5 0.7 3.2]", "[0.2 0.35 0.45]"},
    {"dirichlet", "[1 2.5]", "[0.2 0.8]"},
    {"discrete", "[0.5 0.25 1.5]", "1"},
    {"discrete", "(0.5 0.25 1.5)", "2"},
    {"categorical", "[[:a 0.5] [:b 0.25] [:c 1.5]]", ":b"},
    {"categorical", "[[7 0.5] [8 0.25] [7 1.5]]", "7"},
    {"categorical", "{:a 0.5, :b 0.25}", ":a"},
    {"multinomial", "6 [0.5 0.25 1.5]", "[1 0 5]"},
    {"dirichlet-multinomial", "6 [0.5 0.25 1.5]", "[1 0 5]"},
    {"wishart", "3.5 [[0.7 0.1] [0.1 0.3]]", "[[1.2 0.4] [0.4 0.9]]"},
    {"wishart", "5.5 [[2.1 0.5 -0.3] [0.5 1.3 0.6] [-0.3 0.6 1.9]]",
     "[[4.1 0.51 -0.31] [0.51 5.3 0.61] [-0.31 0.61 6.9]]"},
    {"inverse-wishart", "3.5 [[0.7 0.1] [0.1 0.3]]", "[[1.2 0.4] [0.4 0.9]]"},
    {"inverse-wishart", "5.5 [[2.1 0.5 -0.3] [0.5 1.3 0.6] [-0.3 0.6 1.9]]",
     "[[4.1 0.51 -0.31] [0.51 5.3 0.61] [-0.31 0.61 6.9]]"},
    {"lkj", "2 0.75", "[[1 0.3] [0.3 1]]"},
    {"lkj", "3 2.5", "[[1 0.3 -0.2] [0.3 1 0.1] [-0.2 0.1 1]]"},
    {"lkj-cholesky", "2 0.75", "[[1 0] [0.6 0.8]]"},
    {"lkj-cholesky", "3 2.5", "[[1 0 0] [0.6 0.8 0] [0.36 0.48 0.8000001]]"},
    {"categorical-logit", "[0.5 -1.5 2.5]", "1"},
    {"ordered-logistic", "0.4 [-1.3 0.25 3.1]", "0"},
    {"ordered-logistic", "0.4 [-1.3 0.25 3.1]", "2"},
    {"ordered-logistic", "-0.4 [-1.3 0.25 3.1]", "3"},
    {"ordered-logistic", "45 [-1.3 0.25]", "1"},
    {"ordered-logistic", "-45 [-1.3 0.25]", "1"},
    {"ordered-probit", "0.4 [-1.3 0.25 3.1]", "0"},
    {"ordered-probit", "0.4 [-1.3 0.25 3.1]", "1"},
    {"ordered-probit", "12.5 [-1.3 0.25 3.1]", "1"},
    {"ordered-probit", "-11.5 [-1.3 0.25 3.1]", "3"},
    {"ordered", "3", "[-0.3 0.25 1.5]", "normal", "0.5 1.25"},
    {"ordered", "2", "[0.3 0.7]", "gamma", "2.5 1.25"},
    {"truncated", "-0.4 1.7", "0.3", "normal", "0.5 1.25"},
    {"truncated", "0.2 ##Inf", "0.3", "normal", "0.5 1.25"},
    {"truncated", "5.2 9.5", "6.3", "normal", "0.5 1.25"},
    {"truncated", "##-Inf 9.5", "6.3", "cauchy", "0.5 1.25"},
    {"truncated", "0.4 1.7", "0.9", "gamma", "2.5 1.25"},
    {"truncated", "0.1 0.7", "0.5", "beta", "2.5 1.25"},
    {"truncated", "0.4 1.7", "0.9", "log-normal", "0.5 1.25"},
    {"truncated", "0.4 1.7", "0.9", "exponential", "1.25"},
    {"truncated", "0.4 1.7", "0.9", "student-t", "4.25"},
    {"truncated", "0.4 1.7", "0.9", "logistic", "0.5 1.25"},
    {"truncated", "0.4 1.7", "0.9", "laplace", "0.5 1.25"},
    {"truncated", "0.4 1.7", "0.9", "gumbel", "0.5 1.25"},
    {"truncated", "1 ##Inf", "2", "poisson", "1.25"},
    {"truncated", "2 5", "3", "binomial", "9 0.25"},
    {"censored", "-0.4 1.7", "0.3", "normal", "0.5 1.25"},
    {"censored", "-0.4 1.7", "-0.5", "normal", "0.55 1.25"},
    {"censored", "-0.4 1.7", "2.9", "normal", "0.5 1.25"},
    {"censored", "##-Inf 2.7", "4.5", "weibull", "1.5 1.25"},
    {"censored", "0.2 2.7", "0.1", "weibull", "1.5 1.25"},
    {"censored", "##-Inf 2.7", "4.5", "exponential", "1.25"},
    {"censored", "##-Inf 3", "3.5", "poisson", "1.25"},
    {"censored", "1 5", "2", "poisson", "1.25"},
};

// `v` with `to` in place of every number that equals `from`.
Value replace(Arena& arena, const Value& v, double from, double to) {
  if (v.is(Tag::Double) && v.d == from) return Value::real(to);
  if (v.is(Tag::Dist)) {
    const auto* d = v.as<Dist>();
    std::vector<Value> args;
    for (std::uint32_t i = 0; i < d->type->parameter_count; ++i) {
      args.push_back(replace(arena, d->values[i], from, to));
    }
    NativeContext cx(arena);
    return d->type->construct(cx, args.data(), d->type->parameter_count);
  }
  if (is_map(v)) {
    Value map = empty_map(arena);
    map_each(v, [&](const Value& key, const Value& item) {
      map = map_assoc(arena, map, key, replace(arena, item, from, to));
    });
    return map;
  }
  if (!v.is(Tag::Vector) && !v.is(Tag::Cons)) return v;
  std::vector<Value> items;
  each_item(v, [&](const Value& item) {
    items.push_back(replace(arena, item, from, to));
    return true;
  });
  return v.is(Tag::Vector) ? make_vector(arena, items.data(), items.size())
                           : make_list(arena, items.data(), items.size());
}

class EveryWideDensity : public testing::TestWithParam<Case> {};

TEST_P(EveryWideDensity, GradientIsThatOfFiniteDifferences) {
  const Case c = GetParam();
  const DistType& type = *find_distribution(c.name);
  ASSERT_NE(type.wide_density, nullptr);
  const WideDensity& density = *type.wide_density;
  Heap heap;
  Arena arena(heap);
  NativeContext cx(arena);
  std::vector<Value> args = Literal(arena, c.args).all();
  if (c.base) {
    const std::vector<Value> base = Literal(arena, c.base_args).all();
    args.insert(args.begin(), find_distribution(c.base)->construct(
                                  cx, base.data(), static_cast<std::uint32_t>(base.size())));
  }
  const Value x = Literal(arena, c.x).all()[0];
  const auto count = static_cast<std::uint32_t>(args.size());
  std::vector<Value> numbers;
  ASSERT_TRUE(density.parameters(args.data(), count, &numbers));
  const std::size_t parameters = numbers.size();
  ASSERT_TRUE(density.numbers(x, &numbers));
  const Value d = type.construct(cx, args.data(), count);
  ASSERT_TRUE(cx.ok()) << cx.failure.message;
  std::vector<double> g(numbers.size(), std::nan(""));
  density.gradient(cx, d.as<Dist>(), x, g.data());

  std::set<double> seen;
  for (const Value& number : numbers) {
    if (!number.is(Tag::Double) || std::isinf(number.d) || !seen.insert(number.d).second) continue;
    double sum = 0;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      if (equal(numbers[i], number)) sum += g[i];
    }
    const auto along = [&](double at) {
      std::vector<Value> moved = args;
      for (Value& v : moved) v = replace(arena, v, number.d, at);
      NativeContext other(arena);
      const Value distribution = type.construct(other, moved.data(), count);
      return other.ok() ? log_prob(distribution, replace(arena, x, number.d, at)) : std::nan("");
    };
    const double expected = slope(along, number.d);
    EXPECT_NEAR(sum, expected, 1e-6 * std::fmax(std::fabs(expected), 1e-2))
        << c.name << " at " << show(number);
  }
  EXPECT_FALSE(seen.empty());
  EXPECT_EQ(type.discrete ? 0 : density.size(d.as<Dist>()), numbers.size() - parameters);
}

INSTANTIATE_TEST_SUITE_P(Dist, EveryWideDensity, testing::ValuesIn(kCases));

// Numbers that are nodes of a recording come out as they are; other things are not known.
TEST(WideDensity, NodesAreNumbers) {
  Heap heap;
  Arena arena(heap);
  const Value items[] = {Value::node(4), Value::real(0.5)};
  const Value weights = make_vector(arena, items, 2);
  std::vector<Value> numbers;
  EXPECT_TRUE(find_distribution("discrete")->wide_density->parameters(&weights, 1, &numbers));
  ASSERT_EQ(numbers.size(), 2u);
  EXPECT_TRUE(numbers[0].is(Tag::Node));
  const std::vector<Value> odd = Literal(arena, "[0.5 :a]").all();
  EXPECT_FALSE(find_distribution("discrete")->wide_density->parameters(odd.data(), 1, &numbers));
}

TEST(WideDensity, EveryOneHasACase) {
  std::set<std::string> tested;
  for (const Case& c : kCases) tested.insert(c.name);
  for (const DistType* type : all_distributions()) {
    if (type->wide_density) {
      EXPECT_TRUE(tested.count(type->name)) << type->name;
      EXPECT_EQ(type->density, nullptr) << type->name;
    }
  }
}

}  // namespace
}  // namespace chancel
