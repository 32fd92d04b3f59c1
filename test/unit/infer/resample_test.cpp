// SPDX-License-Identifier: Apache-2.0
// Resampling by enumeration: the random source runs through a grid of uniforms that the weights'
// cumulated sums lie on, so expectations are exact sums and no test here has a chance of false
// alarm. (Multinomial with many particles uses sorted uniforms and is tested by moments, with a
// stated one.)
#include "infer/resample.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

namespace chancel {
namespace {

// Gives the digits of a number in base `cells`, each as the middle of its cell of [0, 1).
class Grid final : public Stream::Source {
 public:
  explicit Grid(std::uint64_t cells) : cells_(cells) {}
  void start(std::uint64_t index) {
    index_ = index;
    used_ = 0;
  }
  std::uint64_t next() override {
    const std::uint64_t digit = index_ % cells_;
    index_ /= cells_;
    ++used_;
    return static_cast<std::uint64_t>((static_cast<long double>(digit) + 0.5L) /
                                      static_cast<long double>(cells_) * 18446744073709551616.0L);
  }
  int used() const { return used_; }
  bool complete() const { return index_ == 0; }  // no digit was left over

 private:
  std::uint64_t cells_;
  std::uint64_t index_ = 0;
  int used_ = 0;
};

using Ancestors = std::vector<std::uint32_t>;
using Distribution = std::map<Ancestors, double>;

std::uint64_t power(std::uint64_t base, int exponent) {
  std::uint64_t r = 1;
  while (exponent-- > 0) r *= base;
  return r;
}

// The distribution of what `draw` gives when every uniform takes each of `cells` values with equal
// chance; at most `most` uniforms.
template <class Draw>
Distribution enumerate(std::uint64_t cells, int most, Draw draw) {
  Distribution distribution;
  const std::uint64_t runs = power(cells, most);
  Grid grid(cells);
  for (std::uint64_t i = 0; i < runs; ++i) {
    grid.start(i);
    Stream stream;
    stream.set_source(&grid);
    distribution[draw(stream)] += 1.0 / static_cast<double>(runs);
    EXPECT_LE(grid.used(), most);
  }
  return distribution;
}

struct Case {
  std::vector<double> weights;
  std::uint64_t cells;  // a multiple of every denominator that the scheme meets
};

double sum_of(const std::vector<double>& w) {
  double s = 0;
  for (double x : w) s += x;
  return s;
}

class Scheme : public ::testing::TestWithParam<Resampling> {};

TEST_P(Scheme, OffspringAreUnbiased) {
  // Weights over 8, three and four particles: all cumulated sums times N lie on the grid of 8.
  for (const std::vector<double>& w :
       {std::vector<double>{1, 3, 4}, {5, 0, 3}, {0, 8, 0}, {2, 2, 4}, {1, 1, 6}}) {
    Resampler r;
    std::vector<double> expected(w.size(), 0);
    const Distribution distribution = enumerate(8, static_cast<int>(w.size()), [&](Stream& s) {
      Ancestors a(w.size());
      r.draw(GetParam(), w, s, a);
      return a;
    });
    double mass = 0;
    for (const auto& [a, p] : distribution) {
      mass += p;
      for (std::uint32_t parent : a) expected[parent] += p;
      for (std::size_t i = 0; i < a.size(); ++i) {
        EXPECT_GT(w[a[i]], 0) << "offspring of a particle without weight";
        EXPECT_LE(a[i > 0 ? i - 1 : 0], a[i]) << "siblings are neighbours";
      }
    }
    EXPECT_NEAR(mass, 1, 1e-12);
    for (std::size_t i = 0; i < w.size(); ++i)
      EXPECT_NEAR(expected[i], w[i] / sum_of(w) * static_cast<double>(w.size()), 1e-12) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(All, Scheme,
                         ::testing::Values(Resampling::Multinomial, Resampling::Systematic,
                                           Resampling::Stratified, Resampling::Residual),
                         [](const auto& info) { return std::string(resampling_name(info.param)); });

// What conditional resampling must satisfy: draw the particle m of slot 0 by its weight, then the
// rest given that slot 0 has ancestor m; the result is the unconditional distribution. For
// multinomial it is that of independent ancestors; as survivors are put in place, only numbers
// of offspring are compared.
std::vector<std::uint32_t> offspring(const Ancestors& a) {
  std::vector<std::uint32_t> n(a.size(), 0);
  for (std::uint32_t parent : a) ++n[parent];
  return n;
}

TEST(ConditionalMultinomial, OthersAreIndependent) {
  const std::vector<double> w = {1, 3, 4};
  Resampler r;
  const Distribution distribution = enumerate(8, 2, [&](Stream& s) {
    Ancestors a(3);
    r.draw_conditional(Resampling::Multinomial, w, s, a);
    EXPECT_EQ(a[0], 0u);
    return offspring(a);
  });
  for (std::uint32_t i = 0; i < 3; ++i)
    for (std::uint32_t j = 0; j < 3; ++j) {
      std::vector<std::uint32_t> n = {1, 0, 0};
      ++n[i];
      ++n[j];
      double expected = 0;
      for (std::uint32_t x = 0; x < 3; ++x)
        for (std::uint32_t y = 0; y < 3; ++y) {
          std::vector<std::uint32_t> m = {1, 0, 0};
          ++m[x];
          ++m[y];
          if (m == n) expected += w[x] * w[y] / 64;
        }
      EXPECT_NEAR(distribution.at(n), expected, 1e-12);
    }
}

// The unconditional algorithm of Chopin & Singh: systematic offspring in order, then turned by a
// uniform cycle.
Distribution turned_systematic(const std::vector<double>& w, std::uint64_t cells) {
  Distribution distribution;
  const std::size_t n = w.size();
  for (std::uint64_t c = 0; c < cells; ++c) {
    const double u = (static_cast<double>(c) + 0.5) / static_cast<double>(cells);
    Ancestors ordered;
    double cumulated = 0;
    double point = u;
    for (std::size_t i = 0; i < n; ++i) {
      cumulated += w[i] * static_cast<double>(n) / sum_of(w);
      for (; point < cumulated - 1e-12; point += 1)
        ordered.push_back(static_cast<std::uint32_t>(i));
    }
    for (std::size_t turn = 0; turn < n; ++turn) {
      Ancestors a(n);
      for (std::size_t i = 0; i < n; ++i) a[i] = ordered[(i + turn) % n];
      distribution[a] += 1.0 / static_cast<double>(cells * n);
    }
  }
  return distribution;
}

// draw_conditional keeps particle 0; here particle m is kept by turning the labels so that m comes
// first.
Distribution conditional_systematic(const std::vector<double>& w, std::uint32_t kept,
                                    std::uint64_t cells) {
  const std::size_t n = w.size();
  std::vector<double> turned(n);
  for (std::size_t i = 0; i < n; ++i) turned[i] = w[(i + kept) % n];
  Resampler r;
  const Distribution distribution = enumerate(cells, 3, [&](Stream& s) {
    Ancestors a(n);
    r.draw_conditional(Resampling::Systematic, turned, s, a);
    EXPECT_EQ(a[0], 0u);
    for (std::uint32_t& x : a) x = static_cast<std::uint32_t>((x + kept) % n);
    return a;
  });
  return distribution;
}

TEST(ConditionalSystematic, MixesToTheUnconditionalDistribution) {
  // The grid must hold the uniform of u within [0, expected), the choice between its two parts and
  // the choice of the cycle (up to three). Weights over 6 with three particles: u lies on halves,
  // parts on thirds and fourths.
  for (const std::vector<double>& w :
       {std::vector<double>{1, 2, 3}, {3, 2, 1}, {4, 1, 1}, {1, 4, 1}, {2, 2, 2}}) {
    const std::uint64_t cells = 24;
    // With labels turned, the order in which the cumulated sum is taken is turned as well; the
    // distribution with a uniform cycle is that of the turned order. So compare for each kept
    // particle with the distribution of the same order, given slot 0.
    for (std::uint32_t kept = 0; kept < 3; ++kept) {
      std::vector<double> turned(3);
      for (std::size_t i = 0; i < 3; ++i) turned[i] = w[(i + kept) % 3];
      const Distribution all = turned_systematic(turned, cells * 6);
      Distribution given;
      double mass = 0;
      for (const auto& [a, p] : all)
        if (a[0] == 0) {
          given[a] += p;
          mass += p;
        }
      EXPECT_NEAR(mass, turned[0] / sum_of(w),
                  1e-12);  // slot 0 comes from particle 0 with its weight
      Distribution conditional = conditional_systematic(w, kept, cells);
      for (const auto& [a, p] : given) {
        Ancestors named = a;
        for (std::uint32_t& x : named) x = (x + kept) % 3;
        EXPECT_NEAR(conditional[named], p / mass, 1e-12);
        conditional.erase(named);
      }
      for (const auto& [a, p] : conditional) EXPECT_NEAR(p, 0, 1e-12);
    }
  }
}

TEST(Multinomial, ManyParticlesBySortedUniforms) {
  // Offspring of a particle are binomial: mean and variance over 20000 draws. Each of the 8 checks
  // is at 6 standard errors: false alarm below 1e-7 for all (fixed seed).
  const std::size_t n = 40;
  std::vector<double> w(n, 1);
  w[3] = 10;
  w[7] = 0;
  const double sum = sum_of(w);
  Resampler r;
  const int runs = 20000;
  std::vector<double> s1(n, 0), s2(n, 0);
  Ancestors a(n);
  for (int k = 0; k < runs; ++k) {
    Stream s(StreamName{7}, 0, static_cast<std::uint32_t>(k));
    r.draw(Resampling::Multinomial, w, s, a);
    const auto counts = offspring(a);
    for (std::size_t i = 0; i < n; ++i) {
      s1[i] += counts[i];
      s2[i] += static_cast<double>(counts[i]) * counts[i];
    }
  }
  for (const std::size_t i : {std::size_t{0}, std::size_t{3}, std::size_t{20}, n - 1}) {
    const double p = w[i] / sum;
    const double mean = static_cast<double>(n) * p;
    const double variance = mean * (1 - p);
    EXPECT_NEAR(s1[i] / runs, mean, 6 * std::sqrt(variance / runs)) << i;
    const double fourth =
        variance *
        (1 + 3 * variance * (1 - 2 / static_cast<double>(n)));  // of a binomial, above its value
    EXPECT_NEAR(s2[i] / runs - mean * mean, variance, 6 * std::sqrt(fourth / runs)) << i;
  }
  EXPECT_EQ(s1[7], 0);
}

// On any number of threads; here slices are run backwards.
TEST(Resampler, SlicesDoNotMatter) {
  for (const std::size_t n : {100u, 512u, 1025u, 5000u}) {
    std::vector<double> w(n);
    Stream weights(StreamName{5}, 0, static_cast<std::uint32_t>(n));
    for (double& x : w) x = weights.uniform() < 0.3 ? 0 : weights.exponential();
    for (std::size_t i = n - n / 7; i < n; ++i) w[i] = 0;
    w[0] = 0.1;
    for (const unsigned parts : {2u, 3u, 7u}) {
      const InSlices in_slices = [&](std::size_t count,
                                     const std::function<void(std::size_t, std::size_t)>& work) {
        for (unsigned m = parts; m-- > 0;) work(count * m / parts, count * (m + 1) / parts);
      };
      for (const Resampling scheme : {Resampling::Multinomial, Resampling::Systematic,
                                      Resampling::Stratified, Resampling::Residual})
        for (const bool conditional : {false, true}) {
          if (conditional && scheme != Resampling::Multinomial && scheme != Resampling::Systematic)
            continue;
          Resampler one, several;
          Ancestors a(n), b(n);
          Stream s(StreamName{6}, 0, 0), t(StreamName{6}, 0, 0);
          if (conditional) {
            one.draw_conditional(scheme, w, s, a);
            several.draw_conditional(scheme, w, t, b, in_slices);
          } else {
            one.draw(scheme, w, s, a);
            several.draw(scheme, w, t, b, in_slices);
          }
          EXPECT_EQ(a, b);
          EXPECT_EQ(one.distinct(), several.distinct());
          EXPECT_EQ(s.next(), t.next());
          for (const std::uint32_t parent : a) EXPECT_GT(w[parent], 0);
        }
    }
  }
}

// The weights of a slice, and sums of the others, give the same offspring of the slice as all
// weights.
TEST(Resampler, OffspringOfASliceNeedsItsWeightsOnly) {
  constexpr std::size_t kCount = 9 * RunningSums::kPiece + 77;
  Stream numbers(StreamName{8}, 0, 0);
  const auto random = [&] { return numbers.uniform(); };
  for (int round = 0; round < 40; ++round) {
    std::vector<double> weights(kCount);
    // Some rounds have whole pieces without weight, at the end too.
    const std::size_t behind = round % 4 == 3 ? 3 * RunningSums::kPiece + 5 : kCount;
    for (std::size_t i = 0; i < behind; ++i)
      weights[i] = round % 3 == 0 ? random() : std::pow(random(), 40);
    if (round % 4 == 1) std::fill(weights.begin() + 600, weights.begin() + 2000, 0.0);
    std::size_t last = kCount - 1;
    while (!(weights[last] > 0)) --last;
    const Stream stream(StreamName{9}, 0, static_cast<std::uint32_t>(round));
    Stream same = stream;
    Resampler whole;
    std::vector<std::uint32_t> expected(kCount);
    whole.draw(Resampling::Systematic, weights, same, expected);

    std::vector<double> sums(pieces_of(kCount));
    for_pieces(kCount, {}, [&](std::size_t p, std::size_t begin, std::size_t end) {
      sums[p] = RunningSums::piece(std::span<const double>(weights).subspan(begin, end - begin));
    });
    std::vector<std::uint32_t> found(kCount, ~0u);
    std::uint32_t distinct = 0;
    // Of whole pieces, and not.
    const std::size_t off = round % 5 == 0 ? 0 : static_cast<std::size_t>(random() * 500);
    const std::size_t bounds[] = {0, RunningSums::kPiece + off, 4 * RunningSums::kPiece,
                                  4 * RunningSums::kPiece, kCount};
    for (int s = 0; s < 4; ++s) {
      std::vector<double> known(kCount, NAN);
      const auto know = [&](std::size_t from, std::size_t to) {
        for (std::size_t i = from; i < to; ++i) known[i] = weights[i];
      };
      know(bounds[s], bounds[s + 1]);
      if (off > 0) know(RunningSums::kPiece, 2 * RunningSums::kPiece);  // it is divided
      Resampler part;
      Stream again = stream;
      std::vector<std::uint32_t> slots(kCount, ~0u);
      part.draw_slice({known, bounds[s], bounds[s + 1], sums, last}, again, slots);
      distinct += part.distinct();
      const std::size_t from = part.first_child(bounds[s], known);
      const std::size_t to = part.first_child(bounds[s + 1], known);
      for (std::size_t i = 0; i < kCount; ++i) {
        if (i >= from && i < to) found[i] = slots[i];
        EXPECT_TRUE(slots[i] == ~0u || slots[i] == expected[i]);
      }
    }
    EXPECT_EQ(found, expected);
    EXPECT_EQ(distinct, whole.distinct());
  }
}

TEST(DrawIndex, NeverPicksWithoutWeight) {
  Grid grid(4);
  const std::vector<double> w = {0, 1, 0, 3, 0};
  std::vector<int> seen(5, 0);
  for (std::uint64_t i = 0; i < 4; ++i) {
    grid.start(i);
    Stream s;
    s.set_source(&grid);
    ++seen[draw_index(w, 4, s)];
  }
  EXPECT_EQ(seen, (std::vector<int>{0, 1, 0, 3, 0}));
}

}  // namespace
}  // namespace chancel
