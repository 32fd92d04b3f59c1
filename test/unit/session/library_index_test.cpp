// SPDX-License-Identifier: Apache-2.0
#include "session/library_index.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace {

using namespace chancel;

TEST(LibraryIndex, knows_natives_constants_and_the_prelude) {
  const LibraryIndex index;
  ASSERT_NE(index.native(intern("normal")), nullptr);
  EXPECT_NE(index.native(intern("normal"))->dist, nullptr);
  EXPECT_EQ(index.native(intern("no-such-function")), nullptr);
  EXPECT_FALSE(index.prelude_definitions().empty());
  for (const auto& [name, text] : index.prelude_definitions())
    EXPECT_TRUE(text.starts_with("(def")) << name->full;
}

TEST(LibraryIndex, shows_functions_that_draw_from_those_that_do_not) {
  const LibraryIndex index;
  EXPECT_TRUE(index.is_free_of_draws(intern("+")));
  EXPECT_FALSE(index.is_free_of_draws(intern("doquery")));
  EXPECT_FALSE(index.is_free_of_draws(intern("rand")));
}

TEST(LibraryIndex, takes_natives_of_the_host) {
  LibraryIndex index;
  NativeDef def{};
  def.name = "host-function";
  index.add(def);
  EXPECT_EQ(index.native(intern("host-function")), &def);
  EXPECT_EQ(std::count(index.natives().begin(), index.natives().end(), &def), 1);
}

}  // namespace
