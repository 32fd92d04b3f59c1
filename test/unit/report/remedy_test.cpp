// SPDX-License-Identifier: Apache-2.0
// What the statistics of a run say about the cause of its trouble.
#include "report/remedy.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace chancel::report {
namespace {

RunStatistics of_chains(const std::vector<std::pair<double, double>>& densities) {
  RunStatistics statistics;
  statistics.family = "gradient";
  statistics.warmup = 1000 * densities.size();
  for (const auto& [mean, sd] : densities)
    statistics.chain_densities.push_back(
        {static_cast<std::uint32_t>(statistics.chain_densities.size()), 500, mean, sd, 0.8});
  return statistics;
}

Summary of_rows(std::vector<Estimate> rows) {
  Summary summary;
  summary.draws = summary.sweeps = 2000;
  summary.chains = 4;
  summary.estimates = std::move(rows);
  return summary;
}

Estimate row_of(const std::string& label, const std::string& path = "") {
  Estimate row;
  row.predict = label;
  row.path = path;
  row.numeric = true;
  row.sd = row.mad = 1;
  row.ess_bulk = row.ess_tail = 6;
  row.r_hat = 1.8;
  return row;
}

bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

TEST(Remedy, chains_that_stay_lower_are_named_with_where_they_are) {
  const RunStatistics statistics = of_chains({{-30, 1.2}, {-41, 1.1}, {-30.4, 1.4}, {-29.8, 1.3}});
  const auto apart = chains_apart(statistics);
  ASSERT_TRUE(apart);
  EXPECT_EQ(apart->low, std::vector<std::size_t>{1});
  Estimate row = row_of(":x");
  row.chain_means = {5, -5, 5.5, 4.5};
  const Summary summary = of_rows({row});
  const std::string text = apart_text(*apart, summary, statistics);
  EXPECT_TRUE(has(text, "chain 1 of 4 stays where the log density is -41 ± 1.1")) << text;
  EXPECT_TRUE(has(text, ":x is -5.000 there, 5.000 elsewhere")) << text;
  EXPECT_TRUE(has(remedy(summary, statistics, &row), "compare more chains"));
}

TEST(Remedy, chains_whose_densities_vary_as_much_as_they_differ_are_not_apart) {
  EXPECT_FALSE(chains_apart(of_chains({{-30, 3}, {-34, 3}, {-31, 3}})));
  EXPECT_FALSE(chains_apart(of_chains({{-30, 0.1}, {-31, 0.1}})));  // near enough
  EXPECT_FALSE(chains_apart(of_chains({{-30, 1}})));
  RunStatistics unknown = of_chains({{-30, 1}, {-60, 1}});
  unknown.chain_densities[0].draws = 3;
  EXPECT_FALSE(chains_apart(unknown));
}

TEST(Remedy, orders_differ_only_where_densities_agree) {
  Summary summary = of_rows({row_of(":means", "[0]"), row_of(":means", "[1]")});
  summary.exchanged = ExchangedLabels{":means", 1.8, 1.002, false};
  RunStatistics statistics = of_chains({{-30, 1}, {-30.2, 1}});
  EXPECT_TRUE(orders_differ(summary, statistics));
  EXPECT_TRUE(has(remedy(summary, statistics, nullptr), "(sample (ordered"));
  statistics.chain_densities[1].mean = -60;
  EXPECT_FALSE(orders_differ(summary, statistics));
  EXPECT_FALSE(has(remedy(summary, statistics, nullptr), "ordered"));
}

TEST(Remedy, names_only_engines_that_take_the_program) {
  Estimate state = row_of(":states", "[3]");
  state.kind = Estimate::Kind::Discrete;
  RunStatistics statistics;
  statistics.family = "particle-chain";
  statistics.discrete_draws = 40;
  statistics.other_engines = {{"enumerate", "list"}};
  std::string text = remedy(of_rows({state}), statistics, &state);
  EXPECT_TRUE(has(text, "more particles (--particles)")) << text;
  EXPECT_TRUE(has(text, "-a enumerate")) << text;
  EXPECT_FALSE(has(text, "nuts")) << text;
  EXPECT_FALSE(has(text, "regression")) << text;
  statistics.other_engines.clear();
  text = remedy(of_rows({state}), statistics, &state);
  EXPECT_FALSE(has(text, "-a ")) << text;
}

TEST(Remedy, parts_of_one_value_are_not_a_regression) {
  Estimate row = row_of(":path", "[4]");
  RunStatistics statistics = of_chains({{-30, 1}, {-30, 1}, {-30, 1}, {-30, 1}});
  statistics.continuous_draws = 30;
  Summary summary = of_rows({row});
  for (const char* family : {"gradient", "single-site"}) {
    statistics.family = family;
    EXPECT_FALSE(has(remedy(summary, statistics, &row), "regression")) << family;
  }
  summary.strongest = {":path[3]", ":path[4]", 0.99, 1, true};
  EXPECT_TRUE(
      has(remedy(summary, statistics, &row), ":path[3] and :path[4] are correlated by 0.990"));
  EXPECT_FALSE(has(remedy(summary, statistics, &row), "regression"));
}

TEST(Remedy, distinguishes_sums_from_slopes_of_predictors) {
  Estimate row = row_of(":a");
  RunStatistics statistics = of_chains({{-30, 1}, {-30, 1}, {-30, 1}, {-30, 1}});
  Summary summary = of_rows({row});
  summary.strongest = {":a", ":b", -0.999, -1.01, false};
  EXPECT_TRUE(has(remedy(summary, statistics, &row), "little but their sum"));
  summary.strongest->slope = 0.99;
  summary.strongest->value = 0.999;
  EXPECT_TRUE(has(remedy(summary, statistics, &row), "little but their difference"));
  summary.strongest->slope = -2010;
  EXPECT_TRUE(has(remedy(summary, statistics, &row), "centre the predictors"));
}

TEST(Remedy, a_short_warm_up_comes_before_all_else) {
  Estimate row = row_of(":f", "[0]");
  RunStatistics statistics = of_chains({{-30, 1}, {-60, 1}, {-30, 1}, {-30, 1}});
  statistics.warmup = 40;
  EXPECT_TRUE(has(remedy(of_rows({row}), statistics, &row), "--warmup 1000"));
  statistics.family = "single-site";
  EXPECT_FALSE(has(remedy(of_rows({row}), statistics, &row), "--warmup"));
}

TEST(Remedy, priors_without_bounds_are_the_cause_of_heavy_tails) {
  Estimate row = row_of(":slope");
  row.sd = 30;
  RunStatistics statistics = of_chains({{-30, 1}, {-30, 1}, {-30, 1}, {-30, 1}});
  EXPECT_TRUE(has(remedy(of_rows({row}), statistics, &row), "heavy tails"));
  statistics.improper_draws = true;
  EXPECT_TRUE(has(remedy(of_rows({row}), statistics, &row), "improper prior"));
}

}  // namespace
}  // namespace chancel::report
