// SPDX-License-Identifier: Apache-2.0
#include "session/test_record.hpp"

#include <gtest/gtest.h>

namespace {

using namespace chancel;

TEST(TestRecord, the_last_definition_of_a_test_counts) {
  TestRecord record;
  record.add(intern("first"), "a.clj", 1);
  record.add(intern("second"), "a.clj", 2);
  record.add(intern("first"), "a.clj", 9);
  ASSERT_EQ(record.tests.size(), 2u);
  EXPECT_EQ(record.tests[0].name, intern("second"));
  EXPECT_EQ(record.tests[1].line, 9);
}

}  // namespace
