// SPDX-License-Identifier: Apache-2.0
// Texts of data as values: --value, --data x.edn, read-string and the public ValueMaker all come here.
#include <gtest/gtest.h>

#include "front/front.hpp"
#include "value/print.hpp"

namespace chancel {
namespace {

class ReadValuesTest : public ::testing::Test {
 protected:
  std::vector<Value> read(const char* text, Budget* budget = nullptr) {
    sink.clear();
    return read_values(sources, sources.add("text", text), arena, sink, budget);
  }
  Heap heap;
  Arena arena{heap};
  SourceMap sources;
  DiagnosticSink sink;
};

class CountingBudget final : public Budget {
 public:
  std::size_t asked = 0;

 private:
  void grant(std::size_t bytes) override { asked += bytes; }
};

TEST_F(ReadValuesTest, OneValueForEachForm) {
  const std::vector<Value> values = read("[1 2.5 \"a\"] {:k #{nil}} x");
  ASSERT_EQ(values.size(), 3u);
  EXPECT_EQ(show(values[0]), "[1 2.5 \"a\"]");
  EXPECT_EQ(show(values[1]), "{:k #{nil}}");
  EXPECT_EQ(show(values[2]), "x");
  EXPECT_TRUE(read(" ; nothing\n").empty());
  EXPECT_FALSE(sink.has_errors());
}

TEST_F(ReadValuesTest, NoneWhereSomethingIsWrong) {
  EXPECT_TRUE(read("[1 2] (3").empty());
  ASSERT_TRUE(sink.has_errors());
  EXPECT_EQ(sink.list().front().code, Code::S001);
}

TEST_F(ReadValuesTest, ReadingIsPaidFor) {
  CountingBudget budget;
  std::string many = "[";
  for (int i = 0; i < 50000; ++i) many += "1 ";
  EXPECT_EQ(read((many + "]").c_str(), &budget).size(), 1u);
  EXPECT_GT(budget.asked, 50000u);
}

}  // namespace
}  // namespace chancel
