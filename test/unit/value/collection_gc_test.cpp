// SPDX-License-Identifier: Apache-2.0
// Collections of every kind live through a collection of the heap unchanged, and can be built on
// afterwards.
#include "build.hpp"

namespace chancel {
namespace {

class CollectionGcTest : public ValueTest {};

TEST_F(CollectionGcTest, EveryKindSurvives) {
  Value big = empty_vector(arena), map_big = empty_map(arena), sorted_big = sorted({});
  Value set_big = empty_set(arena);
  for (int k = 0; k < 3000; ++k) {
    big = vector_conj(arena, big, vec({i(k), str("s" + std::to_string(k))}));
    map_big = map_assoc(arena, map_big, str("key" + std::to_string(k)), list({i(k), d(k)}));
    sorted_big = map_assoc(arena, sorted_big, i(k * 7 % 3001), kw("v"));
    set_big = set_conj(arena, set_big, k % 3 ? i(k) : ratio(k, 7));
  }
  Value all = vec({big, map_big, sorted_big, set_big, map({nil(), i(1), i(0), str("")}),
                   hash_map({nil(), i(1), i(0), i(2), str(""), i(3)}), sorted_set({i(2), i(1)}),
                   seq(cx, big), make_range(arena, i(0), i(10), i(3)), realised(list({i(1)})),
                   cons(arena, i(5), make_range(arena, i(0), i(3), i(1)))});
  const std::string before = pr(all);
  const std::uint32_t hash_before = hash(all);
  heap.collect({&arena}, [&](Evacuator& evacuator) { evacuator.visit(all); });
  EXPECT_EQ(pr(all), before);
  EXPECT_EQ(hash(all), hash_before);

  const Arena::Mark mark = arena.mark();
  Value grown = all;
  for (int k = 0; k < 100; ++k) grown = vector_conj(arena, grown, str(std::to_string(k)));
  arena.collect_since(mark, [&](Evacuator& evacuator) { evacuator.visit(grown); });
  EXPECT_EQ(pr(all), before);
  EXPECT_EQ(grown.as<Vector>()->count, 111u);
  EXPECT_EQ(pr(subvec(arena, grown, 0, 11)), before);
  EXPECT_EQ(pr(vector_nth(grown.as<Vector>(), 110)), "\"99\"");
}

}  // namespace
}  // namespace chancel
