// SPDX-License-Identifier: Apache-2.0
#include "session/needed_globals.hpp"

#include <gtest/gtest.h>

#include "session/session.hpp"

namespace {

using namespace chancel;

class NeededGlobalsTest : public testing::Test {
 protected:
  bool needs(const char* function, const char* global) {
    NeededGlobals needed(*session_.program());
    const std::vector<bool> all = needed.of({*session_.globals().value(intern(function))});
    const auto index = static_cast<std::size_t>(session_.program()->find_global(intern(global)));
    return index < all.size() && all[index];
  }
  void load(const std::string& text) {
    ASSERT_TRUE(session_.load(text, "test.clj", Dialect::Clojure, LoadMode::Script, nullptr));
  }
  Session session_{std::size_t{256} << 20, 1};
};

TEST_F(NeededGlobalsTest, code_needs_what_its_functions_name) {
  load(
      "(def data (vec (range 100))) (def unused (vec (range 100)))"
      "(defn inner [] (count data)) (defn outer [] (inner))");
  EXPECT_TRUE(needs("outer", "inner"));
  EXPECT_TRUE(needs("outer", "data"));
  EXPECT_FALSE(needs("outer", "unused"));
}

TEST_F(NeededGlobalsTest, code_that_evaluates_forms_may_need_all) {
  load("(def unused (vec (range 100))) (defn any [form] (eval form))");
  EXPECT_TRUE(needs("any", "unused"));
}

}  // namespace
