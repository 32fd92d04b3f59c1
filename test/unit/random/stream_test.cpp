// SPDX-License-Identifier: Apache-2.0
// Streams: the generator against Random123's published answers, naming, and the shapes of the
// uniform, normal and exponential draws. Statistical bounds have a false-alarm rate of 1e-9 each;
// seeds are fixed.
#include "random/stream.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <vector>

#include "random/blocks.hpp"
#include "random/neighbours.hpp"
#include "random/ziggurat_table.hpp"

namespace chancel {
namespace {

// Dvoretzky-Kiefer-Wolfowitz: the empirical CDF of n draws strays further than this with
// probability 1e-9.
double dkw_bound(std::size_t n) {
  return std::sqrt(std::log(2 / 1e-9) / (2 * static_cast<double>(n)));
}

double distance(std::vector<double> x, const std::function<double(double)>& cdf) {
  std::sort(x.begin(), x.end());
  const auto n = static_cast<double>(x.size());
  double worst = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double f = cdf(x[i]);
    worst = std::max({worst, f - static_cast<double>(i) / n, static_cast<double>(i + 1) / n - f});
  }
  return worst;
}

double normal_cdf(double z) { return 0.5 * std::erfc(-z / std::sqrt(2.0)); }

TEST(Stream, GeneratorGivesTheKnownAnswers) {
  // kat_vectors of Random123 1.14, philox4x32 10: zeros, ones, digits of pi.
  const auto block = [](std::uint64_t a, std::uint64_t b, std::uint64_t key) {
    std::array<std::uint64_t, 2> out;
    philox4x32(a, b, key, out.data());
    return out;
  };
  using Block = std::array<std::uint64_t, 2>;
  const std::uint64_t ones = ~std::uint64_t{0};
  EXPECT_EQ(block(0, 0, 0), (Block{0xe169c58d6627e8d5u, 0x9b00dbd8bc57ac4cu}));
  EXPECT_EQ(block(ones, ones, ones), (Block{0x41c83b0e408f276du, 0x6d5451fda20bc7c6u}));
  EXPECT_EQ(block(0x85a308d3243f6a88u, 0x0370734413198a2eu, 0x299f31d0a4093822u),
            (Block{0x94fdccebd16cfe09u, 0x24126ea15001e420u}));
}

TEST(Stream, BlocksMadeTogetherAreTheSame) {
  const StreamName name = StreamName{7}.child(1, 2);
  for (const std::size_t count : {1u, 15u, 16u, 33u, 64u, 100u}) {
    std::vector<std::uint64_t> first(count), second(count);
    const std::uint32_t slot = 0xffffffe0u;  // the slots go over the end of 32 bits
    blocks_of_slots((std::uint64_t{slot} << 32) | 9, 3, name.key, count, first.data(),
                    second.data());
    for (std::size_t i = 0; i < count; ++i) {
      std::uint64_t block[2];
      philox4x32((std::uint64_t{slot + static_cast<std::uint32_t>(i)} << 32) | 9, 3, name.key,
                 block);
      EXPECT_EQ(first[i], block[0]) << i;
      EXPECT_EQ(second[i], block[1]) << i;
    }
    blocks_in_a_row(5, 0xfffffffau, name.key, count, first.data(), second.data());
    for (std::size_t i = 0; i < count; ++i) {
      std::uint64_t block[2];
      philox4x32(5, 0xfffffffau + i, name.key, block);
      EXPECT_EQ(first[i], block[0]) << i;
      EXPECT_EQ(second[i], block[1]) << i;
    }
  }
}

TEST(Stream, NeighboursAreTheSameStreams) {
  const StreamName name = StreamName{7}.child(3, 4);
  Neighbours neighbours(name, 5);
  Stream fast;
  for (const std::uint32_t slot : {0u, 1u, 2u, 31u, 32u, 40u, 7u, 100u, 0xfffffff0u, 3u}) {
    neighbours.reset(fast, slot);
    Stream plain(name, slot, 5);
    for (int i = 0; i < 5; ++i) EXPECT_EQ(fast.next(), plain.next()) << slot;
  }
}

TEST(Stream, UniformsByTheArrayAreTheSame) {
  for (const int before : {0, 1, 2, 5})
    for (const std::size_t count : {0u, 1u, 2u, 3u, 50u, 301u}) {
      Stream together(StreamName{9}, 1, 2), single(StreamName{9}, 1, 2);
      for (int i = 0; i < before; ++i) EXPECT_EQ(together.next(), single.next());
      std::vector<double> all(count);
      together.uniforms_open(all.data(), count);
      for (const double u : all) EXPECT_EQ(u, single.uniform_open());
      EXPECT_EQ(together.drawn(), single.drawn());
      for (int i = 0; i < 3; ++i) EXPECT_EQ(together.next(), single.next());
    }
}

TEST(Stream, SameNameGivesTheSameDraws) {
  const StreamName name = StreamName{7}.child(1, 2);
  Stream a(name, 3, 4);
  Stream b(name, 3, 4);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(a.next(), b.next());
  a.reset(name, 3, 4);
  b.reset(name, 3, 4);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(a.normal(), b.normal());
}

TEST(Stream, DifferentNamesGiveDifferentDraws) {
  const StreamName name{7};
  std::vector<std::uint64_t> firsts;
  for (std::uint32_t slot = 0; slot < 10; ++slot) {
    for (std::uint32_t step = 0; step < 10; ++step)
      firsts.push_back(Stream(name, slot, step).next());
  }
  for (std::uint64_t i = 0; i < 10; ++i) {
    firsts.push_back(Stream(name.child(1, i), 0, 0).next());
    firsts.push_back(Stream(name.child(2, i), 0, 0).next());
  }
  std::sort(firsts.begin(), firsts.end());
  EXPECT_EQ(std::adjacent_find(firsts.begin(), firsts.end()), firsts.end());
}

struct Fixed : Stream::Source {
  std::vector<std::uint64_t> words;
  std::size_t at = 0;
  std::uint64_t next() override { return words[at++ % words.size()]; }
};

TEST(Stream, ASourceReplacesTheGenerator) {
  Fixed source;
  source.words = {std::uint64_t{1} << 63, 0};
  Stream stream;
  stream.set_source(&source);
  EXPECT_EQ(stream.uniform(), 0.5);
  EXPECT_EQ(stream.uniform(), 0.0);
  // Layer 0, positive, half of the base strip.
  EXPECT_EQ(stream.normal(), 0.5 * ziggurat::kEdge[0]);
  EXPECT_EQ(source.at, 3u);
}

TEST(Stream, UniformsStayInsideTheirIntervals) {
  Fixed source;
  source.words = {0, ~std::uint64_t{0}};
  Stream stream;
  stream.set_source(&source);
  EXPECT_EQ(stream.uniform(), 0.0);
  EXPECT_LT(stream.uniform(), 1.0);
  EXPECT_GT(stream.uniform_open(), 0.0);
  EXPECT_LT(stream.uniform_open(), 1.0);
}

TEST(Stream, BelowIsUniform) {
  Stream stream(StreamName{11}, 0, 0);
  const std::size_t n = 700000;
  std::vector<double> counts(7, 0);
  for (std::size_t i = 0; i < n; ++i) ++counts[stream.below(7)];
  double chi = 0;
  for (double c : counts) chi += (c - 1e5) * (c - 1e5) / 1e5;
  EXPECT_LT(chi, 53.4);  // the 1 - 1e-9 quantile of chi-squared with 6 degrees of freedom
}

TEST(Ziggurat, LayersHaveEqualAreas) {
  using namespace ziggurat;
  const double r = kEdge[1];
  const double tail = std::sqrt(std::acos(-1.0) / 2) * std::erfc(r / std::sqrt(2.0));
  const double area = r * std::exp(-0.5 * r * r) + tail;
  EXPECT_NEAR(kEdge[0] * std::exp(-0.5 * r * r), area, 1e-15);
  for (int i = 1; i < kLayers; ++i) {
    EXPECT_GT(kEdge[i], kEdge[i + 1]);
    EXPECT_NEAR(kEdge[i] * (kHeight[i + 1] - kHeight[i]), area, 1e-15) << i;
    EXPECT_NEAR(kHeight[i], std::exp(-0.5 * kEdge[i] * kEdge[i]), 1e-15) << i;
  }
  EXPECT_EQ(kEdge[kLayers], 0.0);
  EXPECT_EQ(kHeight[kLayers], 1.0);
}

TEST(Normal, DrawsFollowTheCdf) {
  Stream stream(StreamName{1}, 0, 0);
  std::vector<double> x(1000000);
  for (double& v : x) v = stream.normal();
  EXPECT_LT(distance(x, normal_cdf), dkw_bound(x.size()));
  // The tail beyond the base layer has its own sampler: 2 Phi(-r) of the draws, +- 6.1 sd.
  const double r = ziggurat::kEdge[1];
  const double expected = 2 * normal_cdf(-r) * static_cast<double>(x.size());
  const auto beyond = std::count_if(x.begin(), x.end(), [r](double v) { return std::fabs(v) > r; });
  EXPECT_NEAR(static_cast<double>(beyond), expected, 6.1 * std::sqrt(expected));
}

TEST(Normal, TailDrawsFollowTheCdf) {
  Stream stream(StreamName{2}, 0, 0);
  const double r = ziggurat::kEdge[1];
  std::vector<double> x;
  while (x.size() < 2000) {
    const double v = std::fabs(stream.normal());
    if (v > r) x.push_back(v);
  }
  const auto cdf = [r](double v) { return 1 - normal_cdf(-v) / normal_cdf(-r); };
  EXPECT_LT(distance(x, cdf), dkw_bound(x.size()));
}

TEST(Normal, SuccessiveDrawsAreUncorrelated) {
  Stream stream(StreamName{3}, 0, 0);
  const int n = 1000000;
  double sum = 0;
  double squares = 0;
  double last = stream.normal();
  for (int i = 0; i < n; ++i) {
    const double next = stream.normal();
    sum += last * next;
    squares += last * last * next * next;
    last = next;
  }
  EXPECT_LT(std::fabs(sum / n), 6.1 / std::sqrt(n));
  EXPECT_NEAR(squares / n, 1, 6.1 * std::sqrt(8.0 / n) * 1.5);
}

TEST(Normal, ABiasedSamplerWouldBeCaught) {
  Stream stream(StreamName{4}, 0, 0);
  std::vector<double> x(1000000);
  for (double& v : x) v = 1.02 * stream.normal() + 0.01;
  EXPECT_GT(distance(x, normal_cdf), dkw_bound(x.size()));
}

TEST(Exponential, DrawsFollowTheCdf) {
  Stream stream(StreamName{5}, 0, 0);
  std::vector<double> x(1000000);
  for (double& v : x) v = stream.exponential();
  EXPECT_LT(distance(x, [](double v) { return -std::expm1(-v); }), dkw_bound(x.size()));
  EXPECT_GT(*std::min_element(x.begin(), x.end()), 0);
}

// The same bits on every machine and with either compiler.
TEST(Stream, DrawsAreTheSameEverywhere) {
  Stream stream(StreamName{42}, 1, 2);
  std::uint64_t words = 0;
  for (int i = 0; i < 1000; ++i) words = mix64(words ^ stream.next());
  double sum = 0;
  for (int i = 0; i < 1000; ++i) sum += stream.normal();
  EXPECT_EQ(words, 14828244344251659764u);
  EXPECT_EQ(sum, 0x1.4c4edf7b25968p+0);
}

}  // namespace
}  // namespace chancel
