// SPDX-License-Identifier: Apache-2.0
// The heap itself: limits, marks, both kinds of collection, alarms, deep copies.
#include "value/heap.hpp"

#include <gtest/gtest.h>

#include "value/collections.hpp"
#include "value/equality.hpp"

namespace chancel {
namespace {

class HeapTest : public ::testing::Test {
 protected:
  Heap heap;
  Arena arena{heap};

  Value numbers(std::int64_t count) {
    std::vector<Value> items;
    for (std::int64_t i = 0; i < count; ++i) items.push_back(Value::integer(i));
    return make_vector(arena, items.data(), items.size());
  }
  void garbage(std::size_t bytes) {
    const Arena::Mark start = arena.mark();
    while (arena.allocated_since(start) < bytes) numbers(100);
  }
};

TEST_F(HeapTest, CountsWhatIsInUse) {
  EXPECT_EQ(heap.used(), 0u);
  garbage(std::size_t{3} << 20);
  EXPECT_GE(heap.used(), std::size_t{3} << 20);
  EXPECT_GE(heap.peak(), heap.used());
}

TEST_F(HeapTest, AllocationPastTheLimitThrows) {
  Heap small{std::size_t{4} << 20};
  Arena in_small{small};
  EXPECT_THROW(
      {
        for (;;) in_small.allocate(Tag::String, 1024);
      },
      MemoryLimit);
  EXPECT_LE(small.used(), std::size_t{4} << 20);
}

TEST_F(HeapTest, CollectionKeepsWhatRootsReachAndDropsTheRest) {
  Value kept = numbers(1000);
  garbage(std::size_t{8} << 20);
  const std::size_t before = heap.used();
  heap.collect({&arena}, [&](Evacuator& e) { e.visit(kept); });
  EXPECT_LT(heap.used(), before / 4);
  EXPECT_TRUE(equal(kept, numbers(1000)));
}

TEST_F(HeapTest, TwoRootsOfOneObjectStayOne) {
  Value a = numbers(50);
  Value b = a;
  heap.collect({&arena}, [&](Evacuator& e) {
    e.visit(a);
    e.visit(b);
  });
  EXPECT_EQ(a.o, b.o);
}

TEST_F(HeapTest, CollectionSinceAMarkLeavesOlderObjectsWhereTheyAre) {
  Value old = numbers(10);
  const Object* place = old.o;
  const Arena::Mark mark = arena.mark();
  Value young = make_vector(arena, &old, 1);
  garbage(std::size_t{8} << 20);
  const std::size_t before = heap.used();
  arena.collect_since(mark, [&](Evacuator& e) {
    e.visit(old);
    e.visit(young);
  });
  EXPECT_EQ(old.o, place);
  EXPECT_EQ(vector_nth(young.as<Vector>(), 0).o, place);
  EXPECT_LT(heap.used(), before / 4);
}

TEST_F(HeapTest, RememberedObjectsKeepWhatTheyWereGivenLater) {
  auto* lazy = arena.make<LazySeq>(Tag::LazySeq);
  lazy->state = 0;
  lazy->id = 1;
  lazy->value = Value::nil();
  const Arena::Mark mark = arena.mark();
  lazy->value = numbers(20);
  lazy->state = 1;
  arena.remember(lazy);
  arena.collect_since(mark, [](Evacuator&) {});
  EXPECT_TRUE(equal(lazy->value, numbers(20)));
}

TEST_F(HeapTest, AlarmIsSetOnceEnoughWasAllocated) {
  bool due = false;
  arena.set_alarm(&due, std::size_t{2} << 20);
  numbers(10);
  EXPECT_FALSE(due);
  garbage(std::size_t{8} << 20);
  EXPECT_TRUE(due);
}

TEST_F(HeapTest, DroppedBlocksAreUsedAgain) {
  heap.set_nursery(std::size_t{1} << 20);
  for (int round = 0; round < 20; ++round) {
    garbage(std::size_t{4} << 20);
    EXPECT_TRUE(heap.wants_collection());
    heap.collect({&arena}, [](Evacuator&) {});
  }
  EXPECT_LE(heap.peak(), std::size_t{16} << 20);
}

TEST_F(HeapTest, ObjectsLargerThanABlock) {
  Value large = make_string(arena, std::string(std::size_t{1} << 20, 'x'));
  heap.collect({&arena}, [&](Evacuator& e) { e.visit(large); });
  EXPECT_EQ(string_view_of(large).size(), std::size_t{1} << 20);
}

TEST_F(HeapTest, DeepCopyIsWholeAndKeepsSharing) {
  const Value shared = numbers(3);
  const Value both[2] = {shared, shared};
  const Value pair = make_vector(arena, both, 2);
  Heap other;
  Arena to(other);
  const Value copy = deep_copy(pair, to, [](const Object*) { return false; });
  EXPECT_TRUE(equal(copy, pair));
  EXPECT_NE(copy.o, pair.o);
  EXPECT_EQ(vector_nth(copy.as<Vector>(), 0).o, vector_nth(copy.as<Vector>(), 1).o);
  const Value same =
      deep_copy(pair, to, [&](const Object* o) { return block_of(o)->heap == &heap; });
  EXPECT_EQ(same.o, pair.o);
}

}  // namespace
}  // namespace chancel
