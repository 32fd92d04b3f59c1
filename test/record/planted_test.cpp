// SPDX-License-Identifier: Apache-2.0
// Planted mistakes (record/planted.hpp): each must be seen on some program of this folder.
#include "record/planted.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "recorded_program.hpp"

namespace chancel {
RecordMistake record_mistake = RecordMistake::None;
}  // namespace chancel

namespace {

using namespace recorded;
using chancel::record_mistake;
using chancel::RecordMistake;

// The first difference that is seen while this mistake is planted; empty: none is.
std::string first_difference(RecordMistake mistake) {
  const std::filesystem::path root = CHANCEL_SOURCE_DIR;
  for (const char* file :
       {"test/record/programs/control.clj", "test/record/programs/values.clj",
        "test/record/programs/arrays.clj", "models/posteriordb/kidiq-kidscore_momiq.clj"}) {
    const std::filesystem::path path = root / file;
    const std::filesystem::path data =
        path.parent_path() / "data" / (path.stem().string() + ".json");
    Source source(read_file(path), std::filesystem::exists(data) ? read_file(data) : "");
    for (const auto& query : source.queries()) {
      record_mistake = mistake;
      const std::unique_ptr<Program> program = Program::of(source, query);
      std::string seen;
      if (program->begin(1).empty()) {
        seen = program->compare(1, 30);
        if (seen.empty()) seen = program->compare_gradient(1, 2);
        if (seen.empty()) seen = program->compare_steps(1, {}, 200);
      }
      record_mistake = RecordMistake::None;
      if (!seen.empty()) return query.name->full + ": " + seen;
    }
  }
  return "";
}

TEST(Planted, NothingIsSeenWithoutAMistake) {
  EXPECT_EQ(first_difference(RecordMistake::None), "");
}

TEST(Planted, EveryMistakeIsSeen) {
  for (int i = 1; i <= static_cast<int>(RecordMistake::SharedSlopeLost); ++i) {
    const std::string seen = first_difference(static_cast<RecordMistake>(i));
    EXPECT_NE(seen, "") << "mistake " << i;
  }
}

}  // namespace
