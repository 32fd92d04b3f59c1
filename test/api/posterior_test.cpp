// SPDX-License-Identifier: Apache-2.0
// Means, errors, quantiles, effective sizes and R-hat against the R package posterior on sets of
// draws of known trouble. The statistics were recorded by test/api/posterior/make_reference.R, so
// the gate needs no R.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <sstream>

#include "chancel/summary.hpp"

namespace chancel {
namespace {

struct ReferenceSet {
  std::string name;
  std::vector<double> statistics;
  std::vector<std::vector<double>> chains;
};

std::vector<double> numbers(const std::string& line) {
  std::vector<double> out;
  std::istringstream in(line);
  for (std::string word; in >> word;) out.push_back(std::strtod(word.c_str(), nullptr));
  return out;
}

std::vector<ReferenceSet> reference_sets() {
  std::ifstream in(CHANCEL_SOURCE_DIR "/test/api/posterior/reference.txt");
  std::vector<ReferenceSet> sets;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("set ")) {
      sets.push_back({line.substr(4), {}, {}});
    } else if (sets.back().statistics.empty()) {
      sets.back().statistics = numbers(line);
    } else {
      sets.back().chains.push_back(numbers(line));
    }
  }
  return sets;
}

Estimate summarised(const ReferenceSet& set) {
  SummaryBuilder builder;
  for (std::size_t c = 0; c < set.chains.size(); ++c) {
    for (std::size_t i = 0; i < set.chains[c].size(); ++i) {
      Draw draw;
      draw.chain = static_cast<std::uint32_t>(c);
      draw.sweep = i;
      draw.predicts.push_back({":x", ValueMaker::real(set.chains[c][i])});
      builder.add(draw);
    }
  }
  return builder.summary().estimates.at(0);
}

TEST(Posterior, StatisticsAgreeWithR) {
  const std::vector<ReferenceSet> sets = reference_sets();
  ASSERT_GE(sets.size(), 20u);
  const char* names[] = {"mean", "mcse", "sd",       "mad",      "5%",
                         "50%",  "95%",  "ess_bulk", "ess_tail", "r_hat"};
  for (const ReferenceSet& set : sets) {
    const Estimate e = summarised(set);
    const double ours[] = {e.mean, e.mcse, e.sd,       e.mad,      e.q5,
                           e.q50,  e.q95,  e.ess_bulk, e.ess_tail, e.r_hat};
    ASSERT_EQ(set.statistics.size(), 10u) << set.name;
    for (std::size_t i = 0; i < 10; ++i) {
      const double theirs = set.statistics[i];
      if (std::isnan(theirs)) {
        // posterior says NA of a constant; the error of its mean is zero.
        EXPECT_TRUE(std::isnan(ours[i]) || ours[i] == 0)
            << set.name << " " << names[i] << ": " << ours[i];
      } else {
        EXPECT_NEAR(ours[i], theirs, 1e-6 * std::max(1e-6, std::fabs(theirs)))
            << set.name << " " << names[i];
      }
    }
  }
}

// One label with all threads to itself, and several that share them.
TEST(Posterior, SummariesAreTheSameBitsForAnyNumberOfThreads) {
  for (const int labels : {1, 3}) {
    SummaryBuilder builder;
    Draw draw;
    std::uint64_t state = 5;
    double x = 0;
    for (int i = 0; i < 300'000; ++i) {
      draw.sweep = static_cast<std::uint64_t>(i);
      draw.predicts.clear();
      for (int label = 0; label < labels; ++label) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        x = 0.5 * x + static_cast<double>(state >> 11) * 0x1p-53;
        draw.predicts.push_back({":x" + std::to_string(label), ValueMaker::real(x)});
      }
      builder.add(draw);
    }
    const Summary one = builder.summary({}, 1);
    for (const unsigned threads : {2u, 5u}) {
      const Summary more = builder.summary({}, threads);
      ASSERT_EQ(more.estimates.size(), one.estimates.size());
      for (std::size_t k = 0; k < one.estimates.size(); ++k) {
        const Estimate& a = one.estimates[k];
        const Estimate& b = more.estimates[k];
        EXPECT_EQ(a.label(), b.label());
        const double first[] = {a.mean, a.mcse, a.sd,       a.mad,      a.q5,
                                a.q50,  a.q95,  a.ess_bulk, a.ess_tail, a.r_hat};
        const double second[] = {b.mean, b.mcse, b.sd,       b.mad,      b.q5,
                                 b.q50,  b.q95,  b.ess_bulk, b.ess_tail, b.r_hat};
        for (int f = 0; f < 10; ++f) EXPECT_EQ(first[f], second[f]);
      }
    }
  }
}

}  // namespace
}  // namespace chancel
