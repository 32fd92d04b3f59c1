// SPDX-License-Identifier: Apache-2.0
// Planted mistakes (base/planted.hpp): each must be seen on some program of this folder.
#include "base/planted.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "recorded_program.hpp"

namespace {

using namespace recorded;
using chancel::Mistake;
using chancel::PlantedMistake;

// The first difference that is seen while this mistake is planted; empty: none is.
std::string first_difference(Mistake mistake) {
  const std::filesystem::path root = CHANCEL_SOURCE_DIR;
  for (const char* file : {"test/record/programs/control.clj", "test/record/programs/values.clj",
                           "test/record/programs/arrays.clj", "test/record/programs/plates.clj",
                           "test/record/programs/branches.clj", "test/record/programs/rows.clj",
                           "models/posteriordb/kidiq-kidscore_momiq.clj"}) {
    const std::filesystem::path path = root / file;
    const std::filesystem::path data =
        path.parent_path() / "data" / (path.stem().string() + ".json");
    Source source(read_file(path), std::filesystem::exists(data) ? read_file(data) : "");
    for (const auto& query : source.queries()) {
      const PlantedMistake plant(mistake);
      const std::unique_ptr<RecordedProgram> program = RecordedProgram::of(source, query);
      std::string seen;
      if (program->begin(1).empty()) {
        seen = program->compare(1, 30);
        if (seen.empty()) seen = program->compare_gradient(1, 2);
        if (seen.empty()) seen = program->compare_steps(1, {}, 200);
      }
      if (!seen.empty()) return query.name->full + ": " + seen;
    }
  }
  return "";
}

TEST(Planted, NothingIsSeenWithoutAMistake) { EXPECT_EQ(first_difference(Mistake::None), ""); }

TEST(Planted, EveryMistakeIsSeen) {
  for (int i = static_cast<int>(Mistake::GuardFlipped); i <= static_cast<int>(Mistake::TermKept);
       ++i) {
    const std::string seen = first_difference(static_cast<Mistake>(i));
    EXPECT_NE(seen, "") << "mistake " << i;
  }
}

}  // namespace
