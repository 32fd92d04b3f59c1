// SPDX-License-Identifier: Apache-2.0
#include "project/program_files.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace {

using namespace chancel;
namespace fs = std::filesystem;

class ProgramFilesTest : public testing::Test {
 protected:
  void SetUp() override {
    root_ = fs::canonical(testing::TempDir()) / ("program_files_" + std::to_string(getpid()));
    fs::create_directories(root_ / "p/data");
    fs::create_directories(root_ / "out");
    files_ = files_of(SourceFiles::at((root_ / "p").string()), 0);
  }
  void TearDown() override { fs::remove_all(root_); }
  bool write(const std::string& path, const std::string& text = "x", bool append = false) {
    error_.clear();
    return files_->write(path, text, append, &error_);
  }
  std::string text(const std::string& path) {
    std::ifstream in(root_ / path);
    std::stringstream all;
    all << in.rdbuf();
    return all.str();
  }

  fs::path root_;
  std::shared_ptr<ProgramFiles> files_;
  std::string error_;
};

TEST_F(ProgramFilesTest, writes_below_the_folder) {
  EXPECT_TRUE(write("data/a.txt", "one\n"));
  EXPECT_TRUE(write("data/a.txt", "two\n", true));
  EXPECT_EQ(text("p/data/a.txt"), "one\ntwo\n");
  EXPECT_TRUE(write((root_ / "p/b.txt").string(), "three"));
  EXPECT_EQ(text("p/b.txt"), "three");
  EXPECT_TRUE(files_->remove("b.txt", &error_));
  EXPECT_FALSE(fs::exists(root_ / "p/b.txt"));
  EXPECT_FALSE(files_->remove("b.txt", &error_));
  EXPECT_TRUE(files_->make_folders("x/y", &error_));
  EXPECT_TRUE(write("x/y/z.txt"));
  EXPECT_FALSE(write("no/such.txt"));
}

TEST_F(ProgramFilesTest, refuses_what_is_outside) {
  for (const std::string& path :
       {std::string("../out/a"), std::string("data/../../out/a"), (root_ / "out/a").string(),
        std::string("/tmp/a"), std::string(), std::string(".")}) {
    EXPECT_FALSE(write(path)) << path;
    EXPECT_FALSE(error_.empty()) << path;
  }
  EXPECT_TRUE(fs::is_empty(root_ / "out"));
  EXPECT_FALSE(files_->make_folders("../out/deep", &error_));
}

TEST_F(ProgramFilesTest, refuses_names_with_a_dot) {
  fs::create_directories(root_ / "p/.git/hooks");
  EXPECT_FALSE(write(".git/hooks/pre-commit"));
  EXPECT_FALSE(write(".bashrc"));
  EXPECT_FALSE(files_->make_folders(".hidden/x", &error_));
}

TEST_F(ProgramFilesTest, follows_no_link_that_leads_out) {
  std::ofstream(root_ / "out/secret.txt") << "old";
  fs::create_symlink(root_ / "out/secret.txt", root_ / "p/file");
  fs::create_directory_symlink(root_ / "out", root_ / "p/folder");
  fs::create_symlink(root_ / "out/new.txt", root_ / "p/dangling");
  EXPECT_FALSE(write("file"));
  EXPECT_FALSE(write("folder/new.txt"));
  EXPECT_FALSE(write("dangling"));
  EXPECT_FALSE(files_->make_folders("folder/deep", &error_));
  EXPECT_EQ(text("out/secret.txt"), "old");
  EXPECT_FALSE(fs::exists(root_ / "out/new.txt"));
  fs::create_directory_symlink(root_ / "p/data", root_ / "p/inside");
  EXPECT_TRUE(write("inside/c.txt", "fine")) << error_;
  EXPECT_EQ(text("p/data/c.txt"), "fine");
}

TEST_F(ProgramFilesTest, holds_to_the_output_limit) {
  files_ = files_of(SourceFiles::at((root_ / "p").string()), 10);
  EXPECT_TRUE(write("a.txt", "12345678"));
  EXPECT_FALSE(write("a.txt", "123", true));
}

TEST_F(ProgramFilesTest, there_are_none_without_permission) {
  EXPECT_EQ(files_of(SourceFiles(), 0), nullptr);
}

}  // namespace
