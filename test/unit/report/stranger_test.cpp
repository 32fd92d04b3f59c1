// SPDX-License-Identifier: Apache-2.0
// Run directories whose files were made to do harm: each ends with U003.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "chancel/run_directory.hpp"

namespace {

namespace fs = std::filesystem;

class StrangerTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "stranger_XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
    chancel::RunDescription run;
    run.info.program = "program.clj";
    run.info.query = "q";
    run.info.algorithm = "lmh";
    run.draws_format = "ndjson";
    run.source = "(defquery q 1)";
    chancel::RunRecorder(folder_.string(), run);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string text_of(const char* name) const {
    std::ifstream in(folder_ / name);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  void put(const char* name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
  }
  std::string messages() const {
    try {
      chancel::DrawReader draws(folder_.string());
      while (draws.next()) {
      }
    } catch (const chancel::Error& error) {
      return error.messages().front().code + ": " + error.messages().front().message;
    }
    return "";
  }

  fs::path folder_;
};

TEST_F(StrangerTest, draws_that_are_not_objects) {
  EXPECT_EQ(messages(), "");
  for (const char* line : {"[1]\n", "3\n", "[]\n", "\"index\"\n"}) {
    put("draws.ndjson", line);
    EXPECT_NE(messages().find("it is not an object"), std::string::npos) << line << messages();
  }
}

TEST_F(StrangerTest, an_array_in_place_of_a_number) {
  const std::string run = text_of("run.json");
  const std::string thin = "\"thin\": 1";
  const std::size_t at = run.find(thin);
  ASSERT_NE(at, std::string::npos);
  const auto put_thin = [&](const std::string& value) {
    put("run.json", run.substr(0, at) + "\"thin\": " + value + run.substr(at + thin.size()));
  };
  put_thin("[1, 2]");
  EXPECT_NE(messages().find("thin is array, and must be a whole number"), std::string::npos);
  put_thin(std::string(500000, '[') + std::string(500000, ']'));
  EXPECT_NE(messages().find("it is nested too deeply"), std::string::npos) << messages();
}

TEST_F(StrangerTest, a_description_that_would_fill_memory) {
  fs::resize_file(folder_ / "run.json", std::uintmax_t{1} << 34);  // without blocks on the disk
  EXPECT_NE(messages().find("it has 17179869184 bytes"), std::string::npos) << messages();
}

}  // namespace
