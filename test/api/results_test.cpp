// SPDX-License-Identifier: Apache-2.0
// What a run says about itself when it has several chains, and values read in one walk.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "chancel/chancel.hpp"

namespace chancel {
namespace {

constexpr const char* kGaussian =
    "(defquery g (let [x (sample (normal 0 1))] (observe (normal x 1) 3) (predict :x x)))";

TEST(Results, EvidenceOfChainsIsTheLogOfTheMeanOfZ) {
  // One sweep of one particle a chain: no chain knows its own error, and Z is the weight of its
  // only draw.
  Model model = Model::compile(kGaussian);
  InferOptions options;
  options.algorithm = "smc";
  options.engine_options = read_engine_options(":number-of-particles 1");
  options.samples = 1;
  options.chains = 20;
  options.seed = 6;
  options.threads = 1;
  Inference run = model.infer("g", options);
  double sum = 0;
  while (const Draw* d = run.next()) sum += std::exp(d->log_weight);
  const double mean = sum / 20;
  EXPECT_NEAR(*run.statistics().log_evidence, std::log(mean), 1e-12);
  // Twenty weights that lie far apart tell no error.
  const RunStatistics& statistics = run.statistics();
  EXPECT_FALSE(statistics.log_evidence_se.has_value());
  EXPECT_EQ(statistics.evidence_parts, 20u);
  EXPECT_GT(statistics.evidence_spread, 1.5);
  EXPECT_GT(statistics.evidence_top_share, 0.1);
}

TEST(Results, DrawsKnowWhatTheRunHadDone) {
  Model model = Model::compile(kGaussian);
  InferOptions options;
  options.threads = 1;
  options.samples = 300;
  options.burn = 0;
  options.algorithm = "lmh";
  double seconds = 0;
  Inference steps = model.infer("g", options);
  while (const Draw* d = steps.next()) {
    EXPECT_EQ(d->run_simulations, d->index + 1);
    EXPECT_GE(d->run_seconds, seconds);
    seconds = d->run_seconds;
  }
  options.algorithm = "pgibbs";
  options.engine_options = read_engine_options(":number-of-particles 10");
  Inference sweeps = model.infer("g", options);
  std::uint64_t applications = 0;
  while (const Draw* d = sweeps.next()) {
    // A plain sweep for the evidence follows every twenty.
    EXPECT_EQ(d->run_simulations, 10 * (d->sweep + 1 + (d->sweep + 1) / 20));
    applications = d->run_applications;
  }
  EXPECT_EQ(applications, sweeps.statistics().applications);
}

TEST(Results, ChainsOfParallelEnginesAreToldApart) {
  Model model = Model::compile(kGaussian);
  InferOptions options;
  options.algorithm = "plmh";
  options.engine_options = read_engine_options(":number-of-threads 3");
  options.samples = 30;
  options.chains = 2;
  std::map<std::uint32_t, int> draws_of;
  for (const Draw& d : model.infer("g", options)) ++draws_of[d.chain];
  const std::map<std::uint32_t, int> expected = {{0, 10}, {1, 10}, {2, 10},
                                                 {3, 10}, {4, 10}, {5, 10}};
  EXPECT_EQ(draws_of, expected);
}

TEST(Results, DrawsBeforeAFailureAreHandedOut) {
  // The 40th execution or so meets a normal of negative spread.
  Model model = Model::compile(
      "(defquery f (let [x (sample (uniform-continuous 0 1))] (observe (normal 0 (- 0.97 x)) 0) "
      "(predict :x x)))");
  InferOptions options;
  options.algorithm = "lmh";
  options.samples = 100000;
  options.burn = 0;
  options.seed = 3;
  Inference run = model.infer("f", options);
  std::uint64_t count = 0;
  EXPECT_THROW(while (run.next())++ count, Error);
  EXPECT_GT(count, 0u);
  EXPECT_EQ(run.next(), nullptr);
}

TEST(Results, ItemsOfAListComeInOneWalk) {
  Model model = Model::compile("(defquery l (predict :l (list 1 2.5 :k)) (predict :s #{7}))");
  InferOptions options;
  options.algorithm = "importance";
  options.samples = 1;
  Inference run = model.infer("l", options);
  const Draw* d = run.next();
  ASSERT_NE(d, nullptr);
  const std::vector<ValueView> items = (*d)["l"].items();
  ASSERT_EQ(items.size(), 3u);
  EXPECT_EQ(items[0].integer(), 1);
  EXPECT_EQ(items[1].number(), 2.5);
  EXPECT_EQ(items[2].text(), "k");
  EXPECT_EQ((*d)["l"].at(1).number(), 2.5);
  EXPECT_THROW((*d)["l"].at(3), Error);
  EXPECT_EQ((*d)["s"].items().at(0).integer(), 7);
}

}  // namespace
}  // namespace chancel
