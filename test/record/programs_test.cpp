// SPDX-License-Identifier: Apache-2.0
// Every query of models/, examples/ and test/record/programs: recorded at random coordinates and
// compared with plain executions at others; gradients against differences.
#include <gtest/gtest.h>

#include <map>

#include "program_files.hpp"
#include "recorded_program.hpp"

namespace {

using namespace recorded;
struct Counts {
  int queries = 0, recorded = 0, smooth = 0;
};

// What a query is compared at.
Counts check(const fs::path& file, int points) {
  Counts counts;
  std::string name;
  const std::string data = data_of(file, &name);
  Source source(read_file(file), data, name);
  for (const auto& query : source.queries()) {
    ++counts.queries;
    for (const std::uint64_t seed : {1, 2, 3}) {
      SCOPED_TRACE(query.name->full + " seed " + std::to_string(seed));
      const std::unique_ptr<RecordedProgram> program = RecordedProgram::of(source, query);
      if (!program) break;
      const std::string refused = program->begin(seed);
      if (!refused.empty()) {
        std::printf("%s %s: %s\n", file.filename().c_str(), query.name->full.c_str(),
                    refused.c_str());
        break;
      }
      if (seed == 1) ++counts.recorded;
      EXPECT_EQ(program->compare(seed, points), "");
      EXPECT_EQ(program->compare_gradient(seed, 2), "");
      counts.smooth += program->smooth_points();
    }
  }
  return counts;
}

class Files : public testing::TestWithParam<fs::path> {};
TEST_P(Files, AgreeWithPlainExecutions) { check(GetParam(), 30); }

std::string name_of(const testing::TestParamInfo<fs::path>& info) {
  std::string name = info.param.stem();
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name + "_" + std::to_string(info.index);
}
INSTANTIATE_TEST_SUITE_P(Models, Files, testing::ValuesIn(programs_below("models")), name_of);
INSTANTIATE_TEST_SUITE_P(Examples, Files, testing::ValuesIn(programs_below("examples")), name_of);
INSTANTIATE_TEST_SUITE_P(Programs, Files, testing::ValuesIn(programs_below("test/record/programs")),
                         name_of);

// Nothing is pinned in these programs, and slopes are compared.
TEST(Smooth, FunctionsOfDrawsAreNodes) {
  for (const char* file : {"arrays.clj", "edges.clj"}) {
    Source source(read_file(kRoot / "test/record/programs" / file));
    for (const auto& query : source.queries()) {
      SCOPED_TRACE(query.name->full);
      if (query.name->full.starts_with("failures")) continue;
      const std::unique_ptr<RecordedProgram> program = RecordedProgram::of(source, query);
      ASSERT_EQ(program->begin(1), "");
      EXPECT_EQ(program->compare_gradient(1, 6), "");
      EXPECT_EQ(program->density().pinned_by(), "");
      EXPECT_GT(program->smooth_points(), 0);
    }
  }
}

// Most rows of these programs belong to plates, and the others are few.
TEST(Plates, TakeRowsOfOneShape) {
  Source source(read_file(kRoot / "test/record/programs/plates.clj"));
  const std::map<std::string, int> rows = {{"one-loop", 300},       {"matrix-rows", 600},
                                           {"means-first", 600},    {"two-observes-a-row", 600},
                                           {"groups-of-rows", 600}, {"branches", 300},
                                           {"recurrence", 300},     {"volatility", 120},
                                           {"draws-in-rows", 40},   {"comparisons-in-rows", 300},
                                           {"scores-by-hand", 300}, {"predictions", 300},
                                           {"nothing-varies", 400}, {"softmax-rows", 0}};
  for (const auto& query : source.queries()) {
    SCOPED_TRACE(query.name->full);
    const std::unique_ptr<RecordedProgram> program = RecordedProgram::of(source, query);
    ASSERT_EQ(program->begin(1), "");
    const int wanted = rows.at(query.name->full);
    EXPECT_GE(program->density().rows_of_plates(), 0.8 * wanted);
    EXPECT_EQ(program->compare_gradient(1, 3), "");
    EXPECT_GT(program->smooth_points(), 0);
  }
}

// A held draw without a known density must have the same distribution everywhere.
TEST(Broken, DistributionsWithoutDensityMustNotDependOnDraws) {
  Source source(read_file(kRoot / "test/record/programs/nested.clj"));
  const std::map<std::string, bool> broken = {{"argument-is-a-draw", true},
                                              {"closure-over-a-draw", true},
                                              {"own-distribution-depends-on-a-draw", true},
                                              {"fixed-inner", false}};
  for (const auto& query : source.queries()) {
    if (query.name->full == "inner") continue;
    const std::unique_ptr<RecordedProgram> program = RecordedProgram::of(source, query);
    ASSERT_EQ(program->begin(1), "");
    EXPECT_EQ(program->compare(1, 30), "");
    EXPECT_EQ(program->density().broken().has_value(), broken.at(query.name->full))
        << query.name->full;
  }
}

// Draws from mixtures move where the parts have one support; others are held, and none is refused.
TEST(OwnDistributions, MoveWhereTheirSupportIsKnown) {
  Source source(read_file(kRoot / "test/record/programs/own_distributions.clj"));
  const std::map<std::string, std::pair<int, int>> moving_and_held = {
      {"mixture-of-normals", {1, 0}},      {"mixture-with-draws", {5, 0}},
      {"mixture-of-two-supports", {1, 1}}, {"mixtures-elsewhere-than-on-the-line", {5, 0}},
      {"mixture-of-counts", {1, 1}},       {"counts-with-more-zeros", {1, 1}},
      {"own-distribution", {1, 2}},        {"bounds-that-move", {12, 0}},
      {"truncated-twice", {0, 1}}};
  for (const auto& query : source.queries()) {
    SCOPED_TRACE(query.name->full);
    const auto [moving, held] = moving_and_held.at(query.name->full);
    for (const std::uint64_t seed : {1, 2, 3}) {
      const std::unique_ptr<RecordedProgram> program = RecordedProgram::of(source, query);
      ASSERT_EQ(program->begin(seed), "");
      EXPECT_EQ(program->density().dimension(), moving);
      EXPECT_EQ(program->density().held_draws(), held);
      EXPECT_EQ(program->compare_gradient(seed, 4), "");
      EXPECT_EQ(program->smooth_points() > 0, moving > 0);
    }
  }
}

// A draw is predictive only if no execution observes anything after it.
TEST(Predictive, DrawsThatMayBeObservedBelongToTheDensity) {
  Source source(read_file(kRoot / "test/record/programs/predictive.clj"));
  const std::map<std::string, std::pair<int, int>> moving_and_held = {
      {"observed-later-or-not", {1, 0}}, {"draw-observed-or-not", {2, 0}},
      {"draw-decides", {2, 0}},          {"discrete-draw-decides", {1, 1}},
      {"factor-or-not", {2, 0}},         {"truly-predictive", {2, 0}}};
  for (const auto& query : source.queries()) {
    const auto [moving, held] = moving_and_held.at(query.name->full);
    for (const std::uint64_t seed : {1, 2, 3, 4, 5}) {
      const std::unique_ptr<RecordedProgram> program = RecordedProgram::of(source, query);
      ASSERT_EQ(program->begin(seed), "");
      EXPECT_EQ(program->density().dimension(), moving) << query.name->full;
      EXPECT_EQ(program->density().held_draws(), held) << query.name->full;
    }
  }
}

}  // namespace
