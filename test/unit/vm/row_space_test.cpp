// SPDX-License-Identifier: Apache-2.0
// Headerless rows: their memory, where a particle is found, what a collection does with them, and
// the execution that is made of one.
#include "vm/row_space.hpp"

#include <gtest/gtest.h>

#include "value/collections.hpp"
#include "value/equality.hpp"
#include "vm/frame.hpp"
#include "vm/row.hpp"

namespace chancel {
namespace {

TEST(RowSpace, GivesTheMemoryOfTheGenerationBeforeTheLast) {
  Heap heap;
  RowSpace space(heap);
  space.begin_generation();
  char* const first = space.take(1000);
  char* const behind = space.take(24);
  EXPECT_EQ(behind, first + 1000);
  space.begin_generation();
  char* const second = space.take(1000);
  EXPECT_NE(second, first);
  space.begin_generation();
  EXPECT_EQ(space.take(1000), first);
}

TEST(RowSpace, APieceMayBeAsLargeAsABlock) {
  Heap heap;
  RowSpace space(heap);
  space.begin_generation();
  EXPECT_NE(space.take(kBlockSize - sizeof(Block)), nullptr);
  EXPECT_EQ(space.take(kBlockSize), nullptr);
  EXPECT_NE(space.take(100), nullptr);
}

TEST(RowBlock, IsFoundByItsParticles) {
  std::vector<RowBlock> blocks(3);
  const std::size_t bounds[][2] = {{0, 4}, {4, 6}, {9, 12}};
  for (std::size_t i = 0; i < 3; ++i) {
    blocks[i].begin = bounds[i][0];
    blocks[i].end = bounds[i][1];
  }
  const int where[] = {0, 0, 0, 0, 1, 1, -1, -1, -1, 2, 2, 2, -1};
  for (std::size_t p = 0; p < std::size(where); ++p)
    EXPECT_EQ(find_block(blocks, p), where[p] < 0 ? nullptr : &blocks[where[p]]) << p;
  EXPECT_EQ(find_block({}, 0), nullptr);
}

// Four particles with a value, an object and a number each; one value is common to all.
class BlockTest : public ::testing::Test {
 protected:
  static constexpr std::size_t kFirst = 10, kCount = 4;

  BlockTest() {
    register_frame_scanners();
    point.common = point.values = point.pointers = point.numbers = 1;
    auto* const common =
        static_cast<Common*>(arena.allocate(Tag::Common, bytes_with<Common>(point.common)));
    common->point = &point;
    common->count = 1;
    common->values[0] = vector_of(100);
    space.begin_generation();
    const std::size_t bytes = row_value_bytes(point);
    block = {
        kFirst, kFirst + kCount, kFirst + kCount, bytes, space.take(kCount * bytes), &point, common,
        {}};
    block.sides.applications = 77;
    for (std::size_t i = kFirst; i < block.end; ++i) {
      auto* const value = reinterpret_cast<Value*>(block.row(i));
      *value = vector_of(static_cast<std::int64_t>(i));
      auto** const object = reinterpret_cast<Object**>(value + 1);
      *object = vector_of(static_cast<std::int64_t>(i) + 1000).o;
      *reinterpret_cast<double*>(object + 1) = static_cast<double>(i) / 2;
    }
  }
  Value vector_of(std::int64_t first) {
    const Value items[] = {Value::integer(first), Value::keyword(intern("a"))};
    return make_vector(arena, items, 2);
  }
  void check(std::size_t i) {
    const Execution x = block.execution(i, arena);
    ASSERT_EQ(x.top->tag, Tag::Row);
    EXPECT_EQ(x.applications, 77u);
    auto* const row = static_cast<Row*>(x.top);
    EXPECT_EQ(row->aux, 1);
    EXPECT_TRUE(equal(row->values[0], vector_of(static_cast<std::int64_t>(i))));
    EXPECT_TRUE(
        equal(Value::object(row->pointers()[0]), vector_of(static_cast<std::int64_t>(i) + 1000)));
    EXPECT_EQ(*reinterpret_cast<double*>(row->numbers()), static_cast<double>(i) / 2);
    EXPECT_TRUE(equal(row->common->values[0], vector_of(100)));
  }

  Heap heap;
  Arena arena{heap};
  RowSpace space{heap};
  ResumePoint point;
  RowBlock block;
};

TEST_F(BlockTest, MakesAnExecutionOfARow) {
  for (std::size_t i = kFirst; i < block.end; ++i) check(i);
}

TEST_F(BlockTest, ACollectionMovesWhatRowsHold) {
  const Object* const before = block.common;
  heap.collect({&arena}, [&](Evacuator& e) {
    block.visit_common(e);
    block.visit(kFirst, kFirst + 2, e);  // as two threads would
    block.visit(kFirst + 2, block.end, e);
  });
  EXPECT_NE(block.common, before);
  for (int i = 0; i < 1000; ++i) vector_of(i);  // over what was there
  for (std::size_t i = kFirst; i < block.end; ++i) check(i);
}

}  // namespace
}  // namespace chancel
