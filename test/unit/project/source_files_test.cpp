// SPDX-License-Identifier: Apache-2.0
#include "project/source_files.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace {

using namespace chancel;
namespace fs = std::filesystem;

class SourceFilesTest : public testing::Test {
 protected:
  void SetUp() override {
    root_ = fs::path(testing::TempDir()) / ("source_files_" + std::to_string(getpid()));
    fs::create_directories(root_ / "program" / "lib");
    write("program/main.clj");
    write("program/lib/data_set.clj");
    write("outside.clj");
    fs::create_symlink(root_ / "outside.clj", root_ / "program" / "link.clj");
  }
  void TearDown() override { fs::remove_all(root_); }
  void write(const std::string& name) { std::ofstream(root_ / name) << "(ns a)\n"; }

  fs::path root_;
};

TEST_F(SourceFilesTest, nothing_can_be_loaded_without_a_folder) {
  const SourceFiles none;
  std::string why;
  EXPECT_FALSE(none.allowed());
  EXPECT_FALSE(none.resolve("main.clj", &why));
}

TEST_F(SourceFilesTest, a_namespace_is_a_path_below_the_program) {
  const SourceFiles folder((root_ / "program" / "main.clj").string());
  const auto found = folder.find("lib.data-set", "user");
  ASSERT_TRUE(found);
  EXPECT_TRUE(fs::equivalent(*found, root_ / "program" / "lib" / "data_set.clj"));
  EXPECT_FALSE(folder.find("lib.other", "user"));
}

TEST_F(SourceFilesTest, files_outside_are_refused) {
  const SourceFiles folder = SourceFiles::at((root_ / "program").string());
  std::string why;
  EXPECT_TRUE(folder.resolve("lib/data_set.clj", &why));
  for (const std::string& path :
       {std::string("../outside.clj"), (root_ / "outside.clj").string(), std::string("link.clj")}) {
    why.clear();
    EXPECT_FALSE(folder.resolve(path, &why)) << path;
    EXPECT_FALSE(why.empty()) << path;
  }
}

}  // namespace
