// SPDX-License-Identifier: Apache-2.0
// Compilers as child processes: what they make, how many there are, and that nothing is left of them.
#include "native/compiler_process.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <memory>
#include <thread>
#include <vector>

#include "native/compilation.hpp"

namespace {

using chancel::native::CompilerProcess;
namespace fs = std::filesystem;

class CompilerProcessTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "compiler_process_XXXXXX").string();
    root_ = ::mkdtemp(name.data());
    compiler_ = chancel::native::system_compiler();
    ASSERT_FALSE(compiler_.empty());
  }
  void TearDown() override { fs::remove_all(root_); }

  static CompilerProcess::State wait(CompilerProcess& process) {
    CompilerProcess::State now = process.look();
    for (; now == CompilerProcess::State::Running; now = process.look()) ::usleep(500);
    return now;
  }
  // A script in place of the compiler.
  std::string script(const std::string& text) {
    const fs::path file = root_ / "cc";
    std::ofstream(file) << "#!/bin/sh\n" << text;
    fs::permissions(file, fs::perms::owner_all);
    return file;
  }

  fs::path root_;
  std::string compiler_;
};

TEST_F(CompilerProcessTest, MakesASharedObjectAndRemovesItsFolder) {
  {
    CompilerProcess process(root_, "one", {compiler_, "int f(void) { return 7; }\n"});
    ASSERT_EQ(wait(process), CompilerProcess::State::Done);
    EXPECT_GT(fs::file_size(process.output()), 0u);
  }
  EXPECT_TRUE(fs::is_empty(root_));
}

TEST_F(CompilerProcessTest, AMistakeFails) {
  CompilerProcess process(root_, "one", {compiler_, "int f(void) { return }\n"});
  EXPECT_EQ(wait(process), CompilerProcess::State::Failed);
  EXPECT_EQ(CompilerProcess::running_now(), 0u);
}

TEST_F(CompilerProcessTest, OneThatIsNotLookedAtKeepsNoPlace) {
  const unsigned most = std::max(2u, std::thread::hardware_concurrency()) - 1;
  std::vector<std::unique_ptr<CompilerProcess>> others;
  for (unsigned i = 0; i < most; ++i)
    others.push_back(std::make_unique<CompilerProcess>(
        root_, std::to_string(i), CompilerProcess::Job{compiler_, "int x;\n"}));
  CompilerProcess last(root_, "last", {compiler_, "int f(void) { return 7; }\n"});
  EXPECT_EQ(wait(last), CompilerProcess::State::Done);  // for ever, where they keep their places
  for (const auto& process : others) EXPECT_EQ(wait(*process), CompilerProcess::State::Done);
}

TEST_F(CompilerProcessTest, NoMoreThanOneLessThanTheCores) {
  const std::string compiler = script("sleep 1000\n");
  const unsigned most = std::max(2u, std::thread::hardware_concurrency()) - 1;
  std::vector<std::unique_ptr<CompilerProcess>> all;
  for (unsigned i = 0; i < most + 2; ++i)
    all.push_back(std::make_unique<CompilerProcess>(root_, std::to_string(i),
                                                    CompilerProcess::Job{compiler, "int x;\n"}));
  EXPECT_EQ(CompilerProcess::running_now(), most);
  all.erase(all.begin());  // the place of the first is free
  EXPECT_EQ(CompilerProcess::running_now(), most - 1);
  for (const auto& process : all) process->look();
  EXPECT_EQ(CompilerProcess::running_now(), most);
  all.clear();
  EXPECT_EQ(CompilerProcess::running_now(), 0u);
}

TEST_F(CompilerProcessTest, TheGroupEndsWithTheObject) {
  const fs::path pid = root_ / "pid";
  const std::string compiler = script("echo $$ > " + pid.string() + ".new; mv " + pid.string() +
                                      ".new " + pid.string() + "; sleep 1000 & wait\n");
  pid_t child = 0;
  {
    CompilerProcess process(root_, "one", {compiler, "int x;\n"});
    while (!fs::exists(pid)) ::usleep(500);
    std::ifstream(pid) >> child;
    ASSERT_EQ(::kill(child, 0), 0);
  }
  // Killed, and reaped by the process that has taken it over.
  for (int i = 0; i < 20000 && ::kill(child, 0) == 0; ++i) {
    std::ifstream stat("/proc/" + std::to_string(child) + "/stat");
    std::string number, name, state;
    if (stat >> number >> name >> state && state == "Z") break;
    ::usleep(500);
  }
  EXPECT_FALSE(fs::exists(root_ / "one"));
}

TEST_F(CompilerProcessTest, LimitsOnMemory) {
  const fs::path limit = root_ / "limit";
  CompilerProcess process(
      root_, "one",
      {script("ulimit -v > " + limit.string() + "; ulimit -c >> " + limit.string()), "int x;\n"});
  EXPECT_EQ(wait(process), CompilerProcess::State::Done);
  std::string memory, core;
  std::ifstream(limit) >> memory >> core;
  EXPECT_NE(memory, "unlimited");
  EXPECT_EQ(core, "0");
}

}  // namespace
