// SPDX-License-Identifier: Apache-2.0
// A directory that a stranger has filled: what may be read and written there.
#include "report/run_folder.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "chancel/chancel.hpp"

namespace {

using chancel::report::RunFolder;
namespace fs = std::filesystem;

constexpr std::uint64_t kMany = 1000;  // bytes

class RunFolderTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "run_folder_XXXXXX").string();
    root_ = ::mkdtemp(name.data());
    fs::create_directory(root_ / "run");
    put(root_ / "outside", "precious");
  }
  void TearDown() override { fs::remove_all(root_); }

  static void put(const fs::path& path, const std::string& text) { std::ofstream(path) << text; }
  static std::string text_of(const fs::path& path) {
    std::ifstream in(path);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  // The code of the error that it throws.
  template <class Do>
  static std::string code(Do act) {
    try {
      act();
    } catch (const chancel::Error& error) {
      return error.messages().front().code;
    }
    return "";
  }
  fs::path in_run(const std::string& name) const { return root_ / "run" / name; }

  fs::path root_;
};

TEST_F(RunFolderTest, ReplacesAndReads) {
  RunFolder folder(in_run("").string());
  EXPECT_FALSE(folder.has("a"));
  folder.replace("a", "one");
  folder.replace("a", "two");
  EXPECT_EQ(folder.read("a", kMany), "two");
  EXPECT_EQ(folder.contents("a").bytes, 3u);
  EXPECT_EQ(folder.contents("a").lines, 0u);
  EXPECT_EQ(folder.read("a", 3), "two");
  EXPECT_EQ(code([&] { folder.read("a", 2); }), "U003");
  EXPECT_EQ(folder.contents("a", 2).bytes, 2u);
  EXPECT_FALSE(folder.has("a.new"));
}

TEST_F(RunFolderTest, NamesStayInside) {
  RunFolder folder(in_run("").string());
  for (const char* name : {"../outside", "", ".", "..", "x/y"}) {
    EXPECT_EQ(code([&] { folder.read(name, kMany); }), "U003") << name;
    EXPECT_EQ(code([&] { folder.replace(name, "x"); }), "U003") << name;
    EXPECT_EQ(code([&] { folder.open_to_write(name, true); }), "U003") << name;
  }
  EXPECT_EQ(text_of(root_ / "outside"), "precious");
}

TEST_F(RunFolderTest, SymbolicLinksAreRefused) {
  fs::create_symlink(root_ / "outside", in_run("link"));
  RunFolder folder(in_run("").string());
  EXPECT_TRUE(folder.has("link"));
  EXPECT_EQ(code([&] { folder.read("link", kMany); }), "U003");
  EXPECT_EQ(code([&] { folder.open_to_write("link", true); }), "U003");
  folder.replace("link", "new");  // the link itself is replaced
  EXPECT_EQ(folder.read("link", kMany), "new");
  EXPECT_EQ(text_of(root_ / "outside"), "precious");
}

TEST_F(RunFolderTest, DraftsAreNotWrittenThroughLinks) {
  fs::create_symlink(root_ / "outside", in_run("a.new"));
  RunFolder folder(in_run("").string());
  folder.replace("a", "new");
  EXPECT_EQ(folder.read("a", kMany), "new");
  EXPECT_EQ(text_of(root_ / "outside"), "precious");
}

TEST_F(RunFolderTest, HardLinksAreNotWritten) {
  fs::create_hard_link(root_ / "outside", in_run("hard"));
  RunFolder folder(in_run("").string());
  EXPECT_EQ(code([&] { folder.open_to_write("hard", true); }), "U003");
  EXPECT_EQ(text_of(root_ / "outside"), "precious");
}

TEST_F(RunFolderTest, PipesAndFoldersAreRefusedWithoutWaiting) {
  ASSERT_EQ(::mkfifo(in_run("pipe").c_str(), 0600), 0);
  fs::create_directory(in_run("folder"));
  RunFolder folder(in_run("").string());
  for (const char* name : {"pipe", "folder"}) {
    EXPECT_EQ(code([&] { folder.read(name, kMany); }), "U003") << name;
    EXPECT_NE(code([&] { folder.open_to_write(name, false); }), "") << name;
  }
}

TEST_F(RunFolderTest, OneRecorderAtATime) {
  RunFolder first(in_run("").string()), second(in_run("").string());
  first.lock();
  EXPECT_EQ(code([&] { second.lock(); }), "U004");
}

TEST_F(RunFolderTest, AFileInItsPlaceIsNamed) {
  EXPECT_EQ(code([&] { RunFolder(root_ / "outside"); }), "U002");
  EXPECT_EQ(code([&] { RunFolder((root_ / "outside").string(), RunFolder::Use::Create); }), "U004");
  EXPECT_EQ(code([&] { RunFolder((root_ / "none").string()); }), "U002");
}

}  // namespace
