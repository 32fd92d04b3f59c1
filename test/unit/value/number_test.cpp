// SPDX-License-Identifier: Apache-2.0
// The numeric tower: results as Clojure gives them, overflow and
// division by zero as failures.
#include <cmath>
#include <limits>

#include "build.hpp"

namespace chancel {
namespace {

class NumberTest : public ValueTest {
 protected:
  using Operation = Value (*)(NativeContext&, const Value&, const Value&);
  std::string run(Operation f, const Value& a, const Value& b) { return pr(f(cx, a, b)); }
  Code failure(Operation f, const Value& a, const Value& b) {
    NativeContext fresh(arena);
    f(fresh, a, b);
    EXPECT_EQ(fresh.status, NativeContext::Status::Failed);
    return fresh.failure.code;
  }
};

TEST_F(NumberTest, Arithmetic) {
  EXPECT_EQ(run(add, i(1), i(2)), "3");
  EXPECT_EQ(run(add, i(1), d(2)), "3.0");
  EXPECT_EQ(run(add, ratio(1, 3), ratio(2, 3)), "1N");
  EXPECT_EQ(run(add, ratio(1, 2), d(0.25)), "0.75");
  EXPECT_EQ(run(add, ratio(1, 2), i(1)), "3/2");
  EXPECT_EQ(run(subtract, ratio(1, 2), ratio(1, 3)), "1/6");
  EXPECT_EQ(run(multiply, ratio(2, 3), ratio(3, 2)), "1N");
  EXPECT_EQ(run(divide, i(6), i(4)), "3/2");
  EXPECT_EQ(run(divide, i(6), i(-3)), "-2");
  EXPECT_EQ(run(divide, i(1), i(-3)), "-1/3");
  EXPECT_EQ(run(divide, d(1), i(4)), "0.25");
  EXPECT_EQ(run(divide, d(1), d(0)), "##Inf");
  EXPECT_EQ(run(divide, i(0), i(5)), "0");
}

TEST_F(NumberTest, QuotRemMod) {
  EXPECT_EQ(run(quotient, i(7), i(-2)), "-3");
  EXPECT_EQ(run(remainder, i(7), i(-2)), "1");
  EXPECT_EQ(run(modulo, i(7), i(-2)), "-1");
  EXPECT_EQ(run(modulo, i(-7), i(2)), "1");
  EXPECT_EQ(run(remainder, i(-7), i(2)), "-1");
  EXPECT_EQ(run(quotient, i(-7), i(2)), "-3");
  EXPECT_EQ(run(quotient, d(7.5), i(2)), "3.0");
  EXPECT_EQ(run(remainder, d(7.5), i(2)), "1.5");
  EXPECT_EQ(run(modulo, d(-7.5), i(2)), "0.5");
  EXPECT_EQ(run(modulo, ratio(-1, 3), ratio(1, 4)), "1/6");
  EXPECT_EQ(run(remainder, ratio(7, 3), ratio(1, 2)), "1/3");
  EXPECT_EQ(run(quotient, ratio(7, 3), ratio(1, 2)), "4N");
  EXPECT_EQ(run(modulo, i(5), d(-2.5)), "0.0");
  EXPECT_EQ(run(modulo, i(4), i(-2)), "0");
  EXPECT_EQ(run(remainder, i(INT64_MIN), i(-1)), "0");
}

TEST_F(NumberTest, Failures) {
  EXPECT_EQ(failure(add, i(INT64_MAX), i(1)), Code::R005);
  EXPECT_EQ(failure(subtract, i(INT64_MIN), i(1)), Code::R005);
  EXPECT_EQ(failure(multiply, i(INT64_MAX), i(2)), Code::R005);
  EXPECT_EQ(failure(quotient, i(INT64_MIN), i(-1)), Code::R005);
  EXPECT_EQ(failure(divide, i(1), i(0)), Code::R006);
  EXPECT_EQ(failure(quotient, i(1), i(0)), Code::R006);
  EXPECT_EQ(failure(remainder, d(1), i(0)), Code::R006);
  EXPECT_EQ(failure(modulo, i(1), i(0)), Code::R006);
  EXPECT_EQ(failure(add, i(1), nil()), Code::R001);
  EXPECT_EQ(failure(add, kw("a"), d(1)), Code::R001);
  add(cx, i(1), str("x"));
  EXPECT_EQ(cx.failure.message, "+: expected a number, got the string \"x\"");
  EXPECT_EQ(cx.failure.argument, 1);
}

TEST_F(NumberTest, RatiosUseTheFullRange) {
  EXPECT_EQ(run(divide, i(INT64_MIN), i(-1)), "9223372036854775808N");
  EXPECT_EQ(run(add, ratio(1, INT64_MAX), ratio(1, INT64_MAX - 1)),
            "18446744073709551613/85070591730234615838173535747377725442");
  EXPECT_EQ(run(multiply, ratio(INT64_MAX, 2), ratio(2, INT64_MAX)), "1N");
  EXPECT_EQ(pr(ratio(INT64_MIN, 2)), "-4611686018427387904");
  EXPECT_EQ(pr(ratio(INT64_MIN, 3)), "-9223372036854775808/3");
  EXPECT_EQ(pr(ratio(4, -8)), "-1/2");
  EXPECT_DOUBLE_EQ(to_double(ratio(INT64_MAX, 2)), 4.611686018427388e18);
  EXPECT_EQ(to_double(ratio(1, 3)), 1.0 / 3);
}

TEST_F(NumberTest, Order) {
  EXPECT_EQ(number_order(cx, "<", i(1), i(2)), -1);
  EXPECT_EQ(number_order(cx, "<", d(2), i(1)), 1);
  EXPECT_EQ(number_order(cx, "<", ratio(1, 2), d(0.5)), 0);
  EXPECT_EQ(number_order(cx, "<", ratio(1, 3), ratio(1, 2)), -1);
  EXPECT_EQ(number_order(cx, "<", d(std::nan("")), i(1)), 2);
  EXPECT_TRUE(numeric_equal(i(1), d(1)));
  EXPECT_FALSE(numeric_equal(d(std::nan("")), d(std::nan(""))));
  EXPECT_TRUE(cx.ok());
  number_order(cx, "<", i(1), str("a"));
  EXPECT_EQ(cx.failure.message, "<: expected a number, got the string \"a\"");
}

}  // namespace
}  // namespace chancel
