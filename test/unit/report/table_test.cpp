// SPDX-License-Identifier: Apache-2.0
// Layout of the summary, its JSON, and the order of advice.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "chancel/summary.hpp"
#include "report/command_to_repeat.hpp"
#include "report/json_text.hpp"
#include "report/text_table.hpp"

namespace chancel {

namespace {

using namespace report;

Estimate real_row(const std::string& label) {
  Estimate row;
  row.predict = label;
  row.numeric = true;
  row.mean = 1.25;
  row.mcse = 0.0123;
  row.sd = 0.5;
  row.mad = 0.49;
  row.q5 = 0.4;
  row.q50 = 1.2;
  row.q95 = 2.1;
  row.ess_bulk = 1652.4;
  row.ess_tail = 1200;
  row.r_hat = 1.001;
  return row;
}

Estimate discrete_row(const std::string& label, const std::string& path) {
  Estimate row = real_row(label);
  row.path = path;
  row.kind = Estimate::Kind::Discrete;
  row.support = {{"0", 0.25, 0.01}, {"1", 0.75, 0.01}};
  row.distinct = 2;
  return row;
}

Summary summary_of(std::vector<Estimate> rows) {
  Summary summary;
  summary.draws = summary.sweeps = 2000;
  summary.chains = 1;
  summary.weight_ess = 2000;
  summary.estimates = std::move(rows);
  return summary;
}

TEST(Table, HasStansColumnsAndAMatrixOfProbabilities) {
  RunStatistics statistics;
  statistics.log_evidence = -41.25;
  statistics.log_evidence_se = 0.02;
  RunInfo info;
  info.seed = 7;
  info.command = "chancel infer a.clj --seed 7";
  const std::string text = table(
      summary_of({real_row(":mu"), discrete_row(":states", "[0]"), discrete_row(":states", "[1]")}),
      statistics, info);
  EXPECT_EQ(text.substr(0, text.find("\n\nLog")),
            "      Mean     MCSE  StdDev     MAD      5%    50%    95%  ESS_bulk  ESS_tail  R_hat\n"
            ":mu  1.250  0.01230  0.5000  0.4900  0.4000  1.200  2.100      1652      1200  1.001\n"
            "\n"
            "                       P(0)             P(1)  ESS_bulk  R_hat\n"
            ":states[0]  0.2500 ± 0.0100  0.7500 ± 0.0100      1652  1.001\n"
            ":states[1]  0.2500 ± 0.0100  0.7500 ± 0.0100      1652  1.001");
  EXPECT_NE(text.find("Log evidence  -41.2500 ± 0.0200\n"), std::string::npos) << text;
  EXPECT_NE(text.find("Seed          7\n"), std::string::npos);
  EXPECT_NE(text.find("Repeat        chancel infer a.clj --seed 7\n"), std::string::npos);
  EXPECT_EQ(text.find("warning"), std::string::npos) << text;
}

TEST(Table, PutsManyValuesBelowOrSideBySide) {
  Estimate many = discrete_row(":n", "");
  many.support.clear();
  for (int i = 0; i < 8; ++i) many.support.push_back({std::to_string(i), 0.125, 0.01});
  many.distinct = 8;
  many.presence = 0.5;
  const std::string text = table(summary_of({many}), {}, {});
  EXPECT_EQ(text.substr(0, text.find("  1 ")),
            "     probability    MCSE\n"
            ":n  mean 1.250 ± 0.01230, sd 0.5000  ESS_bulk 1652  R_hat 1.001  in 50.0 % of draws\n"
            "  0       0.1250  0.0100\n");
  Estimate second = many;
  many.path = "[0]";
  second.path = "[1]";
  second.presence = 1;
  const std::string dense = table(summary_of({many, second}), {}, {});
  EXPECT_NE(dense.find("P(7)  MCSE <=  ESS_bulk  R_hat\n"), std::string::npos) << dense;
  EXPECT_NE(dense.find(":n[1]  0.125  0.125"), std::string::npos) << dense;
}

TEST(AdviceTest, PutsTheGravestFirst) {
  Estimate stuck = real_row(":mu");
  stuck.r_hat = 1.5;
  stuck.ess_bulk = 40;
  const std::vector<Advice> list = advise(summary_of({stuck, real_row(":x")}), {});
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(list[0].weight, Advice::Weight::Grave);
  EXPECT_NE(list[0].message.find("R_hat of :mu is 1.50"), std::string::npos);
  EXPECT_NE(list[1].message.find(":mu has an effective sample size of 40"), std::string::npos);
}

TEST(AdviceTest, NamesTheWorstRHatHoweverFewTheDraws) {
  Estimate few = real_row(":few");
  few.r_hat = 1.039;
  few.ess_bulk = 60;
  Estimate many = real_row(":many");
  many.r_hat = 1.02;
  const std::vector<Advice> list = advise(summary_of({many, few}), {});
  ASSERT_FALSE(list.empty());
  EXPECT_NE(list[0].message.find("R_hat of :few is 1.039"), std::string::npos) << list[0].message;
}

TEST(AdviceTest, SuggestsAnotherWayWhenNearlyNothingIsThere) {
  Estimate row = real_row(":mu");
  row.ess_bulk = 12;
  RunStatistics statistics;
  statistics.family = "single-site";
  statistics.proposals = 1000;
  statistics.accepted = 500;
  statistics.continuous_draws = 3;
  statistics.other_engines = {{"nuts", "gradient"}, {"pgibbs", "particle-chain"}};
  std::vector<Advice> list = advise(summary_of({row}), statistics);
  ASSERT_EQ(list.size(), 1u);
  EXPECT_EQ(list[0].hint.find("times as long"), std::string::npos) << list[0].hint;
  EXPECT_NE(list[0].hint.find("-a pgibbs"), std::string::npos);
  EXPECT_NE(list[0].hint.find("-a nuts"), std::string::npos);
  EXPECT_NE(list[0].hint.find("centre the predictors"), std::string::npos);
  EXPECT_NE(list[0].hint.find("non-centred form"), std::string::npos);
  row.ess_bulk = 30;  // no multiple of a length from a handful of draws
  list = advise(summary_of({row}), statistics);
  EXPECT_EQ(list[0].hint.find("times as long"), std::string::npos) << list[0].hint;
  row.ess_bulk = 60;
  list = advise(summary_of({row}), statistics);
  EXPECT_NE(list[0].hint.find("about 2 times as long"), std::string::npos) << list[0].hint;
}

TEST(AdviceTest, NamesTheRemedyForDivergences) {
  const Summary summary = summary_of({real_row(":mu")});
  RunStatistics statistics;
  statistics.engine = "nuts";
  statistics.family = "gradient";
  statistics.warmup = 1000;
  statistics.divergences = summary.draws / 200;  // a few give no warning
  EXPECT_TRUE(advise(summary, statistics).empty());
  statistics.divergences = summary.draws / 10;
  std::vector<Advice> list = advise(summary, statistics);
  ASSERT_EQ(list.size(), 1u);
  EXPECT_EQ(list[0].weight, Advice::Weight::Doubt);
  EXPECT_NE(list[0].hint.find("non-centred"), std::string::npos) << list[0].hint;
  statistics.divergences = summary.draws / 2;
  EXPECT_EQ(advise(summary, statistics)[0].weight, Advice::Weight::Grave);
}

TEST(AdviceTest, SaysWhereDivergencesGather) {
  const Summary summary = summary_of({real_row(":mu")});
  RunStatistics statistics;
  statistics.engine = "nuts";
  statistics.family = "gradient";
  statistics.warmup = 1000;
  statistics.divergences = 12;
  statistics.divergence_places = {{4, 9, "tau", -1.8, true, true, true},
                                  {5, 3, "theta", 0.2, false, true, false}};
  RunInfo info;
  EXPECT_NE(table(summary, statistics, info)
                .find("Divergences   12; they gather at small values of tau (line 4)"),
            std::string::npos);
  statistics.divergences = 200;
  std::vector<Advice> list = advise(summary, statistics);
  ASSERT_EQ(list.size(), 1u);
  EXPECT_NE(
      list[0].message.find("200 of 2000 moves diverged, mostly at small values of tau (line 4)"),
      std::string::npos)
      << list[0].message;
  EXPECT_NE(list[0].hint.find("draw what has the scale tau in non-centred form"),
            std::string::npos);
  statistics.divergence_places[0] = {7, 9, "", 1.5, true, true, false};
  list = advise(summary, statistics);
  EXPECT_NE(list[0].message.find("mostly at large values of the draw at line 7"),
            std::string::npos);
  EXPECT_NE(list[0].hint.find("take shorter steps"), std::string::npos);
  statistics.divergence_places[0].gathers = false;
  EXPECT_EQ(advise(summary, statistics)[0].message.find("mostly"), std::string::npos);
}

TEST(AdviceTest, TheSameRemedyIsSaidOnce) {
  Estimate row = real_row(":mu");
  row.ess_bulk = 5;
  row.r_hat = 2;
  const Summary summary = summary_of({row});
  const std::vector<Advice> list = advise(summary, {});
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(list[0].hint, list[1].hint);
  const std::string text = advice_text(summary, {});
  EXPECT_EQ(text.find("hint:"), text.rfind("hint:")) << text;
}

TEST(AdviceTest, NamesLabelsThatHardlyVaryApart) {
  Estimate row = real_row(":slope");
  row.ess_bulk = 12;
  Summary summary = summary_of({row});
  summary.strongest = {":intercept", ":slope", -0.997};
  const std::vector<Advice> list = advise(summary, {});
  ASSERT_EQ(list.size(), 1u);
  EXPECT_NE(
      list[0].hint.find(":intercept and :slope are correlated by -0.997: centre the predictors"),
      std::string::npos)
      << list[0].hint;
  summary.strongest->value = 0.5;
  EXPECT_EQ(advise(summary, {})[0].hint.find("correlated"), std::string::npos);
}

// A hidden Markov model has no predictors to centre and no gradients.
TEST(AdviceTest, NamesNoGradientsWhereAllPredictsAreDiscrete) {
  Estimate row = discrete_row(":state", "");
  row.r_hat = 2.1;
  RunStatistics statistics;
  statistics.discrete_draws = 17;
  statistics.other_engines = {{"enumerate", "list"}, {"lmh", "single-site"}};
  for (const char* family : {"particle-chain", "single-site"}) {
    statistics.family = family;
    const std::string hint = advise(summary_of({row}), statistics).at(0).hint;
    EXPECT_EQ(hint.find("nuts"), std::string::npos) << hint;
    EXPECT_EQ(hint.find("predictors"), std::string::npos) << hint;
    EXPECT_NE(hint.find("-a enumerate"), std::string::npos) << hint;
  }
}

TEST(AdviceTest, SuggestsAnotherEngineForDiscreteDrawsBesideGradientMoves) {
  Estimate row = discrete_row(":switch", "");
  row.r_hat = 2.1;
  RunStatistics statistics;
  statistics.engine = "nuts";
  statistics.family = "gradient";
  statistics.warmup = 1000;
  statistics.discrete_draws = 1;
  statistics.other_engines = {{"pgibbs", "particle-chain"}};
  const std::vector<Advice> list = advise(summary_of({row}), statistics);
  ASSERT_EQ(list.size(), 1u);
  EXPECT_NE(list[0].hint.find("mixture"), std::string::npos) << list[0].hint;
  EXPECT_NE(list[0].hint.find("-a pgibbs"), std::string::npos) << list[0].hint;
}

TEST(AdviceTest, EnergyThatChangesLittleIsANoteWhileTheDrawsSuffice) {
  Estimate row = real_row(":x");
  Summary summary = summary_of({row});
  summary.energy_fraction = 0.3;
  EXPECT_TRUE(advise(summary, {}).empty());
  summary.energy_fraction = 0.1;
  std::vector<Advice> list = advise(summary, {});
  ASSERT_EQ(list.size(), 1u);
  EXPECT_EQ(list[0].weight, Advice::Weight::Note);
  summary.estimates[0].r_hat = 1.05;
  list = advise(summary, {});
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(list[1].weight, Advice::Weight::Doubt);
  EXPECT_NE(list[1].message.find("E-BFMI 0.10"), std::string::npos);
}

TEST(AdviceTest, GivesMoreWarmUpToEnginesThatHaveOne) {
  Estimate row = real_row(":mu");
  row.r_hat = 1.02;
  RunStatistics statistics;
  statistics.warmup = 1000;
  std::vector<Advice> list = advise(summary_of({row}), statistics);
  ASSERT_EQ(list.size(), 1u);
  EXPECT_NE(list[0].hint.find("--warmup"), std::string::npos) << list[0].hint;
  row.r_hat = 1.3;
  statistics.engine = "nuts";
  statistics.family = "gradient";
  list = advise(summary_of({row}), statistics);
  EXPECT_NE(list[0].hint.find("--warmup 2000"), std::string::npos) << list[0].hint;
  EXPECT_EQ(list[0].hint.find("-a nuts"), std::string::npos) << list[0].hint;
}

TEST(AdviceTest, DoesNotTrustALabelThatNeverChanged) {
  Estimate row = real_row(":x");
  row.ess_bulk = row.ess_tail = row.r_hat = row.mcse = std::nan("");
  row.change = Estimate::Change::No;
  RunStatistics statistics;
  statistics.proposals = 1999;
  statistics.accepted = 1000;
  statistics.sites = {{3, 10, 1000, 1000}, {4, 10, 999, 0}};
  std::vector<Advice> list = advise(summary_of({row}), statistics);
  ASSERT_FALSE(list.empty());
  EXPECT_EQ(list[0].weight, Advice::Weight::Grave);
  EXPECT_NE(list[0].message.find(":x never changed in 2000 draws"), std::string::npos);
  EXPECT_NE(list[0].message.find("0 of 999 proposals were accepted at line 4"), std::string::npos)
      << list[0].message;
  row.change = Estimate::Change::Fixed;
  statistics.sites.clear();
  EXPECT_TRUE(advise(summary_of({row}), statistics).empty());
  // Independent draws that all agree say how improbable anything else is.
  row.change = Estimate::Change::No;
  statistics = {};
  statistics.independent = true;
  list = advise(summary_of({row}), statistics);
  ASSERT_EQ(list.size(), 1u);
  EXPECT_EQ(list[0].weight, Advice::Weight::Note);
  EXPECT_NE(list[0].message.find("below 0.0015"), std::string::npos) << list[0].message;
}

TEST(AdviceTest, SaysOnceThatWeightsCollapsed) {
  Summary summary = summary_of({real_row(":x")});
  summary.weighted = true;
  summary.weight_ess = 1.5;
  RunStatistics statistics;
  Message message;
  message.code = "I007";
  message.error = false;
  message.message = "ESS fell to 1.2";
  message.line = 12;
  statistics.warnings.push_back(message);
  const std::vector<Advice> list = advise(summary, statistics);
  ASSERT_EQ(list.size(), 1u);
  EXPECT_EQ(list[0].message, "ESS fell to 1.2 (line 12)");
}

TEST(JsonSummary, IsAnObjectWithNullForWhatIsNotDefined) {
  Estimate row = real_row(":mu");
  row.r_hat = std::nan("");
  RunInfo info;
  info.algorithm = "smc";
  const auto parsed =
      nlohmann::json::parse(json(summary_of({row, discrete_row(":s", "[0]")}), {}, info));
  EXPECT_EQ(parsed["algorithm"], "smc");
  EXPECT_TRUE(parsed["log_evidence"].is_null());
  EXPECT_TRUE(parsed["predicts"][":mu"]["rhat"].is_null());
  EXPECT_EQ(parsed["predicts"][":mu"]["quantiles"]["50%"], 1.2);
  EXPECT_EQ(parsed["predicts"][":s[0]"]["support"][1]["p"], 0.75);
}

TEST(JsonText, EscapesAndNamesWhatJsonCannotSay) {
  std::string out;
  append_json_string(out, "a\"b\\c\n\x01\xC3\xA4\xFF");
  EXPECT_EQ(out, "\"a\\\"b\\\\c\\n\\u0001\xC3\xA4\xEF\xBF\xBD\"");
  out.clear();
  append_json_number(out, -std::numeric_limits<double>::infinity());
  EXPECT_EQ(out, "\"-Infinity\"");
  EXPECT_EQ(label_text(":a"), ":a");
  EXPECT_EQ(label_text("\"my \\\"label\\\"\""), "my \"label\"");
}

TEST(Numbers, AreShort) {
  EXPECT_EQ(short_number(0), "0");
  EXPECT_EQ(short_number(-1.23456), "-1.235");
  EXPECT_EQ(short_number(0.0123456), "0.01235");
  EXPECT_EQ(short_number(12345.678), "12345.7");
  EXPECT_EQ(short_number(1.5e9), "1.5e+09");
  EXPECT_EQ(short_number(std::nan("")), "-");
  EXPECT_EQ(bytes_text(1234567), "1.2 MB");
  EXPECT_EQ(count_text(2.5e6), "2.5 million");
  EXPECT_EQ(seconds_text(3725), "1 h 02 min");
}

// A repetition leaves out the time limit, and no other word of the command.
TEST(Repeat, ARunThatWasCutHasItsRoundsAndNoTimeLimit) {
  RunInfo info;
  info.command =
      "chancel infer a.clj -v '[\"x --timeout 3\" '\\'' ]' --timeout 300ms --rounds=99 --seed 1";
  RunStatistics statistics;
  statistics.rounds = 12;
  EXPECT_EQ(command_to_repeat(info, statistics), info.command);
  statistics.cut = true;
  EXPECT_EQ(command_to_repeat(info, statistics),
            "chancel infer a.clj -v '[\"x --timeout 3\" '\\'' ]' --seed 1 --rounds 12");
  info.command = "chancel infer --timeout=1 a.clj";
  EXPECT_EQ(command_to_repeat(info, statistics), "chancel infer a.clj --rounds 12");
  info.command.clear();
  EXPECT_EQ(command_to_repeat(info, statistics), "");
}

}  // namespace
}  // namespace chancel
