// SPDX-License-Identifier: Apache-2.0
#include "session/host_values.hpp"

#include <gtest/gtest.h>

#include "value/print.hpp"

namespace {

using namespace chancel;

class SessionTest : public testing::Test {
 protected:
  bool load(const std::string& text, LoadMode mode = LoadMode::Script) {
    last_.clear();
    LoadEvents events;
    events.evaluated = [&](const LoadEvents::Evaluated& e) {
      last_ = show(e.value);
      return true;
    };
    return session_.load(text, "test.clj", Dialect::Clojure, mode, nullptr, events);
  }
  Code first_error() { return session_.diagnostics().list().front().code; }

  Session session_{std::size_t{256} << 20, 1};
  std::string last_;
};

TEST_F(SessionTest, definitions_stay_from_text_to_text) {
  ASSERT_TRUE(load("(def a 2) (defn twice [x] (* 2 x))"));
  ASSERT_TRUE(load("(twice (+ a 1))"));
  EXPECT_EQ(last_, "6");
}

TEST_F(SessionTest, what_a_program_redefines_does_not_reach_the_library) {
  ASSERT_TRUE(load("(defn reduce [& more] :mine) (reduce + [1 2])"));
  EXPECT_EQ(last_, ":mine");
  ASSERT_TRUE(load("(frequencies [1 1 2])"));
  EXPECT_EQ(last_, "{1 2, 2 1}");
}

TEST_F(SessionTest, macros_are_expanded_and_their_failures_point_at_the_call) {
  ASSERT_TRUE(load("(defmacro unless [c x] `(if ~c nil ~x)) (unless false 7)"));
  EXPECT_EQ(last_, "7");
  EXPECT_FALSE(load("(defmacro bad [x] (/ x 0)) (bad 1)"));
  EXPECT_EQ(first_error(), Code::F009);
}

TEST_F(SessionTest, a_check_runs_nothing) {
  EXPECT_TRUE(load("(def a (/ 1 0))", LoadMode::Check));
  EXPECT_FALSE(session_.globals().value(intern("a")));
}

TEST_F(SessionTest, definitions_mode_leaves_other_forms_alone) {
  EXPECT_TRUE(load("(def a 1) (/ 1 0)", LoadMode::Definitions));
  EXPECT_EQ(show(*session_.globals().value(intern("a"))), "1");
}

TEST_F(SessionTest, names_are_known_once_they_are_defined) {
  EXPECT_FALSE(session_.names().known(intern("mine")));
  EXPECT_TRUE(session_.names().known(intern("map")));
  ASSERT_TRUE(load("(def mine 1)"));
  EXPECT_TRUE(session_.names().known(intern("mine")));
  EXPECT_FALSE(session_.names().in_library(intern("mine")));
}

TEST_F(SessionTest, one_value_is_read_from_a_text) {
  EXPECT_EQ(show(*read_value(session_, "[1 {:a 2}]", "value")), "[1 {:a 2}]");
  EXPECT_FALSE(read_value(session_, "1 2", "value"));
  EXPECT_EQ(first_error(), Code::U003);
}

TEST_F(SessionTest, the_same_note_counts_once) {
  const Diagnostic note{Code::I010, Severity::Warning, {}, "said", "", {}};
  session_.services().note(note);
  session_.services().note(note);
  EXPECT_EQ(session_.services().take_notes().size(), 1u);
  session_.services().note(note);
  EXPECT_TRUE(session_.services().take_notes().empty());
}

}  // namespace
