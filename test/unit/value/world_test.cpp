// SPDX-License-Identifier: Apache-2.0
#include "value/world.hpp"

#include "build.hpp"

namespace chancel {
namespace {

class WorldTest : public ValueTest {
 protected:
  Value memo(std::uint64_t id) {
    auto* m = arena.make<Memo>(Tag::Memo);
    m->id = id;
    m->function = Value::nil();
    return Value::object(m);
  }
};

TEST_F(WorldTest, ForksDoNotSeeEachOthersChanges) {
  cell_store(cx, 1, i(10));
  NativeContext fork(arena);
  fork.world = cx.world;
  cell_store(fork, 1, i(11));
  cell_store(fork, 2, i(20));
  EXPECT_TRUE(equal(*cell_find(cx.world, 1), i(10)));
  EXPECT_EQ(cell_find(cx.world, 2), nullptr);
  EXPECT_TRUE(equal(*cell_find(fork.world, 1), i(11)));
  EXPECT_TRUE(equal(*cell_find(fork.world, 2), i(20)));
}

TEST_F(WorldTest, NumbersContinueFromTheWorldOfAFork) {
  EXPECT_EQ(fresh_id(cx), 1u);
  NativeContext fork(arena);
  fork.world = cx.world;
  EXPECT_EQ(fresh_id(fork), 2u);
  EXPECT_EQ(fresh_id(cx), 2u);
  EXPECT_GE(top_level_id(), std::uint64_t{1} << 62);
}

TEST_F(WorldTest, MemoTablesTellCallsByFunctionAndArguments) {
  const Value f = memo(1), g = memo(2);
  const Value pair[2] = {i(1), i(2)};
  const Value whole = vec({i(1), i(2)});
  Value key, out;
  EXPECT_FALSE(memo_find(cx, f, pair, 2, &key, &out));
  memo_store(cx, f, key, i(12));
  EXPECT_TRUE(memo_find(cx, f, pair, 2, &key, &out));
  EXPECT_TRUE(equal(out, i(12)));
  EXPECT_FALSE(memo_find(cx, f, &whole, 1, &key, &out));  // (f [1 2]) is not (f 1 2)
  EXPECT_FALSE(memo_find(cx, g, pair, 2, &key, &out));
}

TEST_F(WorldTest, LazyCellsChangeAtTopLevelOnly) {
  const Value outside = lazy(), inside = lazy();
  lazy_store(cx, outside, list({i(1)}));
  EXPECT_EQ(show(outside), "(1)");
  cx.in_query = true;
  lazy_store(cx, inside, list({i(2)}));
  EXPECT_EQ(show(inside), "(...)");  // its value is in the world
  EXPECT_EQ(print(cx, inside, true), "(2)");
}

TEST_F(WorldTest, CollectionsKeepWhatAWorldRemembers) {
  const Value f = memo(1), argument = str("argument");
  Value key, out;
  EXPECT_FALSE(memo_find(cx, f, &argument, 1, &key, &out));
  memo_store(cx, f, key, vec({str("result")}));
  cell_store(cx, 7, str("cell"));
  set_delayed_draws(cx, vec({str("draw")}));
  Value held = f;
  heap.collect({&arena}, [&](Evacuator& e) {
    e.visit(cx.world);
    e.visit(held);
  });
  const Value again = str("argument");
  ASSERT_TRUE(memo_find(cx, held, &again, 1, &key, &out));
  EXPECT_EQ(show(out), "[\"result\"]");
  EXPECT_EQ(show(*cell_find(cx.world, 7)), "\"cell\"");
  EXPECT_EQ(show(delayed_draws(cx)), "[\"draw\"]");
}

}  // namespace
}  // namespace chancel
