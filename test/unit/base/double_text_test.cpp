// SPDX-License-Identifier: Apache-2.0
#include "base/double_text.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <string>

namespace chancel {
namespace {

TEST(DoubleTextTest, LaysNumbersOutAsJavaDoes) {
  const std::pair<double, const char*> kCases[] = {
      {0.0, "0.0"},        {-0.0, "-0.0"},           {1.0, "1.0"},   {0.001, "0.001"},
      {0.00099, "9.9E-4"}, {9999999.0, "9999999.0"}, {1e7, "1.0E7"}, {12345678.5, "1.23456785E7"},
      {-1e-5, "-1.0E-5"},  {1e300, "1.0E300"},
  };
  for (const auto& [value, text] : kCases) EXPECT_EQ(java_double_text(value), text);
}

// Fills the stack below with one letter.
[[gnu::noinline]] void litter(char letter) {
  char text[4096];
  std::memset(text, letter, sizeof text);
  asm volatile("" : : "r"(text) : "memory");
}

// What stood where the digits go must not matter: an old `e` after them was once taken for theirs.
TEST(DoubleTextTest, DoesNotReadWhatItDidNotWrite) {
  for (const char letter : {'e', '.', '-', '0', '9'}) {
    for (const double value : {1e-5, 2.5e-7, 1e10, 1.25e22, 1.7976931348623157e308}) {
      litter(letter);
      std::string out;
      append_java_double(out, value);
      EXPECT_EQ(std::stod(out), value) << out;
      EXPECT_EQ(out.find('e'), std::string::npos) << out;
    }
  }
}

}  // namespace
}  // namespace chancel
