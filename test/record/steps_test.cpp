// SPDX-License-Identifier: Apache-2.0
// Single-site steps worked out from recordings (record/dataflow.hpp), on every query of models/,
// examples/ and test/record/programs: the same bits as steps that run the program.
#include <gtest/gtest.h>

#include "program_files.hpp"
#include "recorded_program.hpp"

namespace {

using namespace recorded;
using chancel::SingleSiteSettings;

constexpr int kSteps = 300;

SingleSiteSettings lmh() { return {}; }
SingleSiteSettings rmh() {
  SingleSiteSettings s;
  s.walk_share = 0.7;
  s.warmup = kSteps / 2;
  return s;
}
SingleSiteSettings almh() {
  SingleSiteSettings s;
  s.adaptive = true;
  s.warmup = kSteps / 2;
  return s;
}

SingleSiteSettings beside_nuts() {
  SingleSiteSettings s;
  s.held_only = true;
  return s;
}

// Queries of which a recording has answered some steps.
int check(const fs::path& file, int steps) {
  std::string name;
  const std::string data = data_of(file, &name);
  Source source(read_file(file), data, name);
  int recorded = 0;
  for (const auto& query : source.queries()) {
    bool some = false;
    std::uint64_t seed = 1;
    for (const SingleSiteSettings& settings : {lmh(), rmh(), almh(), beside_nuts()}) {
      const std::unique_ptr<RecordedProgram> program = RecordedProgram::of(source, query);
      if (!program) continue;
      EXPECT_EQ(program->compare_steps(seed++, settings, steps), "") << query.name->full;
      some = some || program->recorded_steps() > 0;
    }
    recorded += some ? 1 : 0;
  }
  return recorded;
}

int check_all(const char* folder, int steps) {
  int recorded = 0;
  for (const fs::path& file : programs_below(folder)) {
    SCOPED_TRACE(file.string());
    recorded += check(file, steps);
  }
  return recorded;
}

TEST(Steps, OfModelsAreThoseOfTheProgram) { EXPECT_GE(check_all("models", kSteps), 30); }
TEST(Steps, OfExamplesAreThoseOfTheProgram) { EXPECT_GE(check_all("examples", 60), 8); }
TEST(Steps, OfProgramsForItAreThoseOfTheProgram) {
  EXPECT_GE(check_all("test/record/programs", 120), 40);
}

}  // namespace
