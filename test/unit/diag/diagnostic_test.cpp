// SPDX-License-Identifier: Apache-2.0
// The list of codes, the sink, and guessing the name that was meant.
#include "diag/diagnostic.hpp"

#include <gtest/gtest.h>

#include <cctype>
#include <set>
#include <string>

namespace chancel {
namespace {

TEST(Codes, ListIsSound) {
  std::set<std::string> names;
  for (std::size_t i = 0; i < code_count(); ++i) {
    const Code code = static_cast<Code>(i);
    const std::string name = code_name(code);
    EXPECT_TRUE(names.insert(name).second) << name;
    ASSERT_EQ(name.size(), 4u) << name;
    EXPECT_NE(std::string("SFCRDILUX").find(name[0]), std::string::npos) << name;
    for (int d = 1; d < 4; ++d) EXPECT_TRUE(std::isdigit(static_cast<unsigned char>(name[d])));
    EXPECT_NE(std::string(code_title(code)), "");
    EXPECT_EQ(std::string(code_explanation(code)).back(), '.') << name;
  }
  EXPECT_STREQ(code_name(Code::S001), "S001");
  EXPECT_STREQ(code_title(Code::R006), "division by zero");
}

TEST(Sink, CollectsInOrder) {
  DiagnosticSink sink;
  EXPECT_FALSE(sink.has_errors());
  sink.warning(Code::I004, {}, "nothing to condition on");
  EXPECT_FALSE(sink.has_errors());
  sink.error(Code::S001, {1, 0, 1}, "unclosed", "add )").notes.push_back({{1, 2, 3}, "here"});
  EXPECT_TRUE(sink.has_errors());
  ASSERT_EQ(sink.list().size(), 2u);
  EXPECT_EQ(sink.list()[0].severity, Severity::Warning);
  EXPECT_EQ(sink.list()[1].hint, "add )");
  EXPECT_EQ(sink.list()[1].notes[0].text, "here");
  sink.clear();
  EXPECT_FALSE(sink.has_errors());
}

TEST(DidYouMean, NamesOfTheSameParts) {
  const std::vector<std::string> names = {"get-state-observation-mean",
                                          "get-state-transition-vector", "log-sum-exp"};
  EXPECT_EQ(did_you_mean("get-state-obs-mean", names), "get-state-observation-mean");
  EXPECT_EQ(did_you_mean("state-observation-mean", names), "get-state-observation-mean");
  EXPECT_EQ(did_you_mean("get-state", names), "");
  EXPECT_EQ(did_you_mean("get-other-obs-sum", names), "");
}

TEST(DidYouMean, LikelySlipsOnly) {
  const std::vector<std::string> names = {"sample", "observe", "normal", "map",
                                          "mapv",   "reduce",  "flip"};
  EXPECT_EQ(did_you_mean("smaple", names), "sample");
  EXPECT_EQ(did_you_mean("obsrve", names), "observe");
  EXPECT_EQ(did_you_mean("norml", names), "normal");
  EXPECT_EQ(did_you_mean("fli", names), "flip");
  EXPECT_EQ(did_you_mean("mpa", names), "map");
  EXPECT_EQ(did_you_mean("redcue", names), "reduce");
  EXPECT_EQ(did_you_mean("x", names), "");
  EXPECT_EQ(did_you_mean("zzz", names), "");
  EXPECT_EQ(did_you_mean("gaussian", names), "");
  EXPECT_EQ(did_you_mean("sample", {"sample"}), "");
  EXPECT_EQ(did_you_mean("maq", {"mar", "map"}), "map");  // ties by spelling, not by place
  EXPECT_EQ(did_you_mean("norml", {"norm", "normal"}),
            "normal");  // a letter was forgotten, not added
  EXPECT_EQ(did_you_mean("anything", {}), "");
}

}  // namespace
}  // namespace chancel
