// SPDX-License-Identifier: Apache-2.0
// Texts of C that the system's compiler makes shared objects of, and their cache.
#include "native/compilation.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <vector>

namespace chancel::native {
namespace {

namespace fs = std::filesystem;

// With a cache of its own.
class CompilationTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const char* before = std::getenv("XDG_CACHE_HOME")) before_ = before;
    std::string name = fs::temp_directory_path() / "compilation-test-XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    cache_ = name;
    setenv("XDG_CACHE_HOME", name.c_str(), 1);
  }
  void TearDown() override {
    if (before_.empty())
      unsetenv("XDG_CACHE_HOME");
    else
      setenv("XDG_CACHE_HOME", before_.c_str(), 1);
    fs::remove_all(cache_);
  }
  static Compilation::State finish(Compilation& c) {
    return c.look([] { return true; });
  }
  // What `int entry(void)` of the text gives.
  static int run(const std::string& text) {
    const auto c = Compilation::begin(text);
    if (finish(*c) != Compilation::State::Done) return -1;
    auto* const entry = reinterpret_cast<int (*)()>(c->shared_object()->find("entry"));
    return entry ? entry() : -2;
  }
  std::vector<fs::path> cached() const {
    std::vector<fs::path> out;
    for (const auto& entry : fs::recursive_directory_iterator(cache_))
      if (entry.is_regular_file()) out.push_back(entry.path());
    return out;
  }
  fs::path cache_;
  std::string before_;
};

TEST_F(CompilationTest, ATextBecomesFunctionsThatRunsShare) {
  const std::string text = "int entry(void) { return 42; }\n";
  const auto c = Compilation::begin(text);
  EXPECT_EQ(Compilation::begin(text), c);
  ASSERT_EQ(finish(*c), Compilation::State::Done);
  const std::shared_ptr<SharedObject> object = c->shared_object();
  auto* const entry = reinterpret_cast<int (*)()>(object->find("entry"));
  ASSERT_NE(entry, nullptr);
  EXPECT_EQ(entry(), 42);
  EXPECT_EQ(object->find("another"), nullptr);
  EXPECT_EQ(Compilation::running_now(), 0u);
}

TEST_F(CompilationTest, WhatIsCachedIsDoneAtOnce) {
  const std::string text = "int entry(void) { return 3; }\n";
  EXPECT_EQ(run(text), 3);
  ASSERT_EQ(cached().size(), 1u);  // the object alone: sources and temporary files are gone
  EXPECT_EQ(cached()[0].extension(), ".so");
  const auto again = Compilation::begin(text);
  EXPECT_EQ(again->look({}), Compilation::State::Done);
  EXPECT_EQ(Compilation::running_now(), 0u);
}

TEST_F(CompilationTest, ADamagedObjectIsMadeAgain) {
  const std::string text = "int entry(void) { return 4; }\n";
  EXPECT_EQ(run(text), 4);
  ASSERT_EQ(cached().size(), 1u);
  const fs::path file = cached()[0];
  const auto size = fs::file_size(file);
  fs::resize_file(file, size / 2);
  EXPECT_EQ(run(text), 4);
  EXPECT_EQ(fs::file_size(file), size);
  // One that others could have written is not loaded, either.
  fs::permissions(file, fs::perms::others_write, fs::perm_options::add);
  EXPECT_EQ(run(text), 4);
  EXPECT_EQ(fs::status(file).permissions() & fs::perms::others_write, fs::perms::none);
}

TEST_F(CompilationTest, ATextWithAMistakeFails) {
  const auto c = Compilation::begin("int entry(void) { return \n");
  EXPECT_EQ(finish(*c), Compilation::State::Failed);
  EXPECT_EQ(c->shared_object(), nullptr);
  EXPECT_TRUE(cached().empty());
}

TEST_F(CompilationTest, ACompilationThatIsDroppedLeavesNothing) {
  { const auto c = Compilation::begin("int entry(void) { return 5; }\n"); }
  EXPECT_EQ(Compilation::running_now(), 0u);
  for (const fs::path& file : cached()) EXPECT_EQ(file.extension(), ".so") << file;
}

TEST_F(CompilationTest, AssemblyNamesTheFunction) {
  EXPECT_NE(assembly_of("int entry(void) { return 6; }\n").find("entry:"), std::string::npos);
  EXPECT_EQ(assembly_of("int entry(void) { return \n"), "the C compiler does not take it\n");
}

}  // namespace
}  // namespace chancel::native
