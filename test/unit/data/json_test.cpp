// SPDX-License-Identifier: Apache-2.0
#include "data/json.hpp"

#include <gtest/gtest.h>

#include "data/values.hpp"
#include "value/print.hpp"

namespace chancel::data {
namespace {

std::string read(std::string_view text) {
  Document document;
  DataError error;
  if (!read_json(text, &document, &error))
    return std::to_string(error.begin) + "-" + std::to_string(error.end) + ": " + error.message;
  Heap heap;
  Arena arena(heap);
  return show(to_value(document, arena));
}

TEST(Json, values) {
  EXPECT_EQ(read("\xef\xbb\xbf {\"x\": [1, -2.5, 1e3, true, null], \"y\": {}, \"z\": []} \n"),
            "{:x [1 -2.5 1000.0 true nil], :y {}, :z []}");
  EXPECT_EQ(read("[[], [[]], {\"a\": {\"b\": [{}]}}]"), "[[] [[]] {:a {:b [{}]}}]");
  EXPECT_EQ(read("\"a\\n\\u00e9\\ud83d\\ude00\\\"\""), "\"a\\n\xc3\xa9\xf0\x9f\x98\x80\\\"\"");
  EXPECT_EQ(read("18446744073709551616"), "1.8446744073709552E19");
  EXPECT_EQ(read("[NaN, -Infinity, 1e-400]"), "[##NaN ##-Inf 0.0]");
  EXPECT_EQ(read("7"), "7");
}

TEST(Json, mistakes_have_a_place) {
  EXPECT_EQ(read("{\"x\": 1e999}"), "6-11: 1e999 is too large for a number of 64 bits");
  EXPECT_EQ(read("[1, 2"), "0-1: this [ is never closed");
  EXPECT_EQ(read("[1 2]"), "3-4: a comma or ] was expected here");
  EXPECT_EQ(read("[1,]"), "3-4: a value was expected here");
  EXPECT_EQ(read("{'x': 1}"), "1-2: a key in double quotes was expected here");
  EXPECT_EQ(read("{\"x\" 1}"), "5-6: a colon after the key was expected here");
  EXPECT_EQ(read("{\"x\": 1, \"y\": 2, \"x\": 3}"), "17-20: the key x comes twice");
  EXPECT_EQ(read("1 2"), "2-3: the data ends before this");
  EXPECT_EQ(read(""), "0-0: there is no data");
  EXPECT_EQ(read("[\"abc"), "1-2: this string is never closed");
  EXPECT_EQ(read("[\"a\\q\"]"), "3-5: JSON has no such escape");
  EXPECT_EQ(read("[1}"), "2-3: a comma or ] was expected here");
}

TEST(Json, depth_is_bounded) {
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  EXPECT_EQ(read(nested(kMaxDepth)).substr(0, 3), "[[[");
  EXPECT_EQ(read(nested(kMaxDepth + 1)), "1000-1001: nested more than 1000 levels deep");
  EXPECT_EQ(read(std::string(3000000, '[')), "1000-1001: nested more than 1000 levels deep");
}

// Every prefix of a text is refused with a place inside it, and none crashes.
TEST(Json, cut_anywhere) {
  const std::string text = "{\"a\": [1.5, \"x\\u0041\\n\", {\"b\": null}], \"c\": -2}";
  for (std::size_t n = 0; n < text.size(); ++n) {
    Document document;
    DataError error;
    EXPECT_FALSE(read_json(text.substr(0, n), &document, &error)) << n;
    EXPECT_LE(error.begin, n);
    EXPECT_FALSE(error.message.empty());
  }
}

}  // namespace
}  // namespace chancel::data
