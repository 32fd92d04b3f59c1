// SPDX-License-Identifier: Apache-2.0
#include "data/csv.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "data/scalar.hpp"

namespace chancel::data {
namespace {

std::string kinds(const std::vector<Node>& cells) {
  std::string out;
  for (const Node& n : cells) out += "nbirtao"[static_cast<int>(n.kind)];
  return out;
}

Columns read(std::string_view text) {
  Columns columns;
  DataError error;
  EXPECT_TRUE(read_columns(text, &columns, &error)) << error.message;
  return columns;
}

DataError failure(std::string_view text) {
  Columns columns;
  DataError error;
  EXPECT_FALSE(read_columns(text, &columns, &error)) << text;
  return error;
}

TEST(Csv, one_rule_for_cells) {
  const Columns c =
      read("a\nNA\nnull\nnil\nTRUE\nfalse\n12\n+1\n-.5\n1e3\nNaN\n-Inf\nabc\n\" x\"\n");
  EXPECT_EQ(kinds(c.cells[0]), "nnnbbiirrrrtt");
  EXPECT_EQ(c.cells[0][6].integer, 1);
  EXPECT_EQ(c.cells[0][7].real, -0.5);
  EXPECT_TRUE(std::isinf(c.cells[0][10].real));
  EXPECT_EQ(c.cells[0][12].text, " x");
}

TEST(Csv, numbers_at_the_edge) {
  const Columns c = read("a\n9223372036854775807\n9223372036854775808\n1e-999\n-0e999\n1e308\n");
  EXPECT_EQ(kinds(c.cells[0]), "irrrr");
  EXPECT_EQ(c.cells[0][1].real, 9223372036854775808.0);
  EXPECT_EQ(c.cells[0][2].real, 0.0);
  EXPECT_TRUE(std::signbit(c.cells[0][3].real));
  const DataError e = failure("a,b\n1,2\n3,1e999\n");
  EXPECT_EQ(e.message, "1e999 is too large for a number of 64 bits");
  EXPECT_EQ(e.begin, 10u);
  EXPECT_EQ(e.end, 15u);
  EXPECT_EQ(failure("a\n-1000000e400\n").begin, 2u);
}

TEST(Csv, non_numeric_cells_are_text) {
  const Columns c = read("a\n1.2.3\n0x1F\n1e\n.\n-\n1_000\n12a\nNan1\ninfinite\n");
  EXPECT_EQ(kinds(c.cells[0]), "ttttttttt");
}

TEST(Csv, spreadsheets) {
  EXPECT_EQ(read("\xef\xbb\xbfx,y\r\n1,2\r\n").names, (std::vector<std::string>{"x", "y"}));
  const Columns semicolons = read("x;y\n1,5;a\n-2;b,c\n");
  EXPECT_EQ(kinds(semicolons.cells[0]), "ri");
  EXPECT_EQ(semicolons.cells[0][0].real, 1.5);
  EXPECT_EQ(semicolons.cells[1][1].text, "b,c");
  EXPECT_EQ(read("x\ty\n1\t2\n").names.size(), 2u);
  EXPECT_EQ(read("\"a,b;c\";d\n1;2").names, (std::vector<std::string>{"a,b;c", "d"}));
  EXPECT_EQ(read("x,\n1,2").names, (std::vector<std::string>{"x", "column2"}));
  EXPECT_EQ(read("x\r1\r2\r").cells[0].size(), 2u);
}

TEST(Csv, quoted_cells) {
  const Columns c = read("x,y\n\"a \"\"b\"\"\nc\",\"2\"\n");
  EXPECT_EQ(c.cells[0][0].text, "a \"b\"\nc");
  EXPECT_EQ(c.cells[1][0].integer, 2);
}

TEST(Csv, mistakes_have_a_place) {
  const DataError open = failure("x,y\n1,2\n3,\"four\n5,6\n");
  EXPECT_EQ(open.message, "this quote is never closed");
  EXPECT_EQ(open.begin, 10u);
  const DataError row = failure("x,y\n1,2\n3\n");
  EXPECT_EQ(row.message, "this row has 1 cell, the header has 2");
  EXPECT_EQ(row.begin, 8u);
  EXPECT_EQ(row.end, 9u);
  const DataError twice = failure("x,y,x\n");
  EXPECT_EQ(twice.begin, 4u);
  EXPECT_EQ(failure("").message, "the file has no header");
  const DataError last = failure("x\n1e999");  // without a line end
  EXPECT_EQ(last.begin, 2u);
  EXPECT_EQ(last.end, 7u);
}

TEST(Csv, texts_that_read_as_themselves) {
  for (const char* text : {"abc", "a1", "na", "Nanny"}) EXPECT_TRUE(reads_as_text(text)) << text;
  for (const char* text : {"", "NA", "nil", "True", "+1", "1e999", "Inf"})
    EXPECT_FALSE(reads_as_text(text)) << text;
}

}  // namespace
}  // namespace chancel::data
