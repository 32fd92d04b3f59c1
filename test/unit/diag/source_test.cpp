// SPDX-License-Identifier: Apache-2.0
// Offsets, lines and columns.
#include "diag/source.hpp"

#include <gtest/gtest.h>

namespace chancel {
namespace {

void expect_position(const SourceMap& map, std::uint32_t offset, std::uint32_t line,
                     std::uint32_t column) {
  const Position p = map.position(1, offset);
  EXPECT_EQ(p.line, line) << "offset " << offset;
  EXPECT_EQ(p.column, column) << "offset " << offset;
}

TEST(Source, Positions) {
  SourceMap map;
  ASSERT_EQ(map.add("a.clj", "ab\n\u03b1c\n\nend"), 1u);
  expect_position(map, 0, 1, 1);
  expect_position(map, 2, 1, 3);  // the newline itself
  expect_position(map, 3, 2, 1);
  expect_position(map, 5, 2, 2);  // after a two-byte letter
  expect_position(map, 7, 3, 1);
  expect_position(map, 8, 4, 1);
  expect_position(map, 11, 4, 4);
  expect_position(map, 9999, 4, 4);
}

TEST(Source, Lines) {
  SourceMap map;
  map.add("a.clj", "ab\r\ncd\n");
  EXPECT_EQ(map.line_text(1, 1), "ab");
  EXPECT_EQ(map.line_text(1, 2), "cd");
  EXPECT_EQ(map.line_text(1, 3), "");
  EXPECT_EQ(map.line_text(1, 4), "");
  EXPECT_EQ(map.line_text(1, 0), "");
  EXPECT_EQ(map.line_start(1, 2), 4u);
  EXPECT_EQ(map.line_start(1, 99), 7u);
}

TEST(Source, TextOfSpans) {
  SourceMap map;
  map.add("a.clj", "hello");
  EXPECT_EQ(map.add("b.clj", "world"), 2u);
  EXPECT_EQ(map.size(), 2u);
  EXPECT_EQ(map.name(2), "b.clj");
  EXPECT_EQ(map.text(Span{2, 1, 3}), "or");
  EXPECT_EQ(map.text(Span{1, 3, 99}), "lo");
  EXPECT_EQ(map.text(Span{1, 4, 2}), "");
  EXPECT_EQ(map.text(Span{}), "");
  EXPECT_EQ(map.text(Span{7, 0, 1}), "");
}

TEST(Span, Join) {
  EXPECT_EQ(join({1, 2, 4}, {1, 7, 9}), (Span{1, 2, 9}));
  EXPECT_EQ(join({1, 7, 9}, {1, 2, 4}), (Span{1, 2, 9}));
  EXPECT_EQ(join({}, {1, 2, 4}), (Span{1, 2, 4}));
  EXPECT_EQ(join({1, 2, 4}, {}), (Span{1, 2, 4}));
  EXPECT_EQ(join({1, 2, 4}, {2, 0, 9}), (Span{1, 2, 4}));
}

}  // namespace
}  // namespace chancel
