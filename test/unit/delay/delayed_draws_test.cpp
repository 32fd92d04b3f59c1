// SPDX-License-Identifier: Apache-2.0
// When draws that were put off are made, and what control may ask without them.
#include "delaying.hpp"
#include "random/stream.hpp"
#include "value/equality.hpp"

namespace chancel {
namespace {

using Status = NativeContext::Status;
using DelayedDrawsTest = DelayTest;

TEST_F(DelayedDrawsTest, ADrawIsAskedForWhenItsValueIsNeeded) {
  const Value v = put_off(dist("normal", {real(1), real(2)}), 17);
  ASSERT_TRUE(v.is(Tag::Node));
  EXPECT_TRUE(cx.ok());
  EXPECT_FALSE(draws.waits(cx));

  const Dist* const d = wanted_for(v);
  EXPECT_STREQ(d->type->name, "normal");
  EXPECT_EQ(parameter(d, 0), 1);
  EXPECT_EQ(parameter(d, 1), 2);
  EXPECT_EQ(draws.wanted().site, 17u);
  EXPECT_TRUE(draws.waits(cx));

  answer(real(0.75));
  EXPECT_FALSE(draws.waits(cx));
  EXPECT_EQ(pinned(v).d, 0.75);
  EXPECT_EQ(pinned(vector({v, v})).as<Vector>()->count, 2u);  // and it is asked for once
}

TEST_F(DelayedDrawsTest, ArithmeticKeepsAffineFormsOpen) {
  const Value x = put_off(dist("normal", {real(0), real(1)}));
  const Value y = put_off(dist("normal", {real(0), real(1)}));
  // 2 x + 3 - (x - y) = x + y + 3
  const Value twice = draws.combine(cx, '*', real(2), x);
  const Value sum =
      draws.combine(cx, '-', draws.combine(cx, '+', twice, real(3)), draws.combine(cx, '-', x, y));
  ASSERT_TRUE(cx.ok());
  ASSERT_TRUE(sum.is(Tag::Node));
  const Dist* const first = wanted_for(sum);
  EXPECT_STREQ(first->type->name, "normal");
  answer(real(10));
  wanted_for(sum);
  answer(real(0.5));
  EXPECT_EQ(pinned(sum).d, 13.5);
  // What cancels is a number at once.
  EXPECT_EQ(draws.combine(cx, '-', twice, twice).d, 0);
}

TEST_F(DelayedDrawsTest, AProductOfTwoDrawsNeedsOneOfThem) {
  const Value x = put_off(dist("normal", {real(0), real(1)}));
  const Value y = put_off(dist("normal", {real(0), real(1)}));
  draws.combine(cx, '*', x, y);
  EXPECT_EQ(cx.status, Status::NeedDraw);
  answer(real(3));
  const Value product = draws.combine(cx, '*', x, y);  // three times the other
  ASSERT_TRUE(cx.ok());
  ASSERT_TRUE(product.is(Tag::Node));
  wanted_for(product);
  answer(real(-2));
  EXPECT_EQ(pinned(product).d, -6);
}

TEST_F(DelayedDrawsTest, ControlAsksForDrawsThatDecideIt) {
  const Value number = put_off(dist("normal", {real(0), real(1)}));
  EXPECT_TRUE(draws.test(cx, SymbolicHook::Test::Truth, number));  // every number is true
  EXPECT_FALSE(draws.test(cx, SymbolicHook::Test::Nil, number));
  EXPECT_TRUE(cx.ok());

  const Value coin = put_off(dist("flip", {real(0.25)}), 5);
  draws.test(cx, SymbolicHook::Test::Truth, coin);
  EXPECT_EQ(cx.status, Status::NeedDraw);
  EXPECT_EQ(draws.wanted().site, 5u);
  answer(Value::boolean(false));
  EXPECT_FALSE(draws.test(cx, SymbolicHook::Test::Truth, coin));

  draws.order(cx, "<", number, real(1));
  EXPECT_EQ(cx.status, Status::NeedDraw);
  answer(real(-4));
  EXPECT_LT(draws.order(cx, "<", number, real(1)), 0);
  EXPECT_TRUE(draws.same(cx, number, real(-4)));
}

TEST_F(DelayedDrawsTest, ForksShareWhatIsOpenAndDrawForThemselves) {
  const Value v = put_off(dist("normal", {real(0), real(1)}));
  World* const fork = cx.world;
  wanted_for(v);
  answer(real(1));
  World* const one = cx.world;
  cx.world = fork;
  wanted_for(v);
  answer(real(2));
  EXPECT_EQ(pinned(v).d, 2);
  cx.world = one;
  EXPECT_EQ(pinned(v).d, 1);
}

TEST_F(DelayedDrawsTest, WithAStreamItDrawsInsteadOfAsking) {
  const Value v = put_off(dist("gamma", {real(2), real(3)}));
  Stream stream(StreamName{4}, 0, 0), same(StreamName{4}, 0, 0);
  draws.draw_from(&stream);
  const Value drawn = pinned(v);
  const Value plain = dist("gamma", {real(2), real(3)});
  const Value expected = plain.as<Dist>()->type->sample(cx, plain.as<Dist>(), same);
  EXPECT_TRUE(equal(drawn, expected));
  EXPECT_TRUE(equal(pinned(v), expected));
}

TEST_F(DelayedDrawsTest, MessagesShowANumberAndDrawNothing) {
  const Value v = put_off(dist("normal", {real(0), real(1)}));
  EXPECT_EQ(draws.present(cx, v).d, 1);
  EXPECT_TRUE(cx.ok());
  EXPECT_FALSE(draws.waits(cx));
  wanted_for(v);
  answer(real(0.5));
  EXPECT_EQ(draws.present(cx, v).d, 0.5);
}

}  // namespace
}  // namespace chancel
