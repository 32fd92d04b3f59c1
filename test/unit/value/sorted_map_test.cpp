// SPDX-License-Identifier: Apache-2.0
// Sorted maps and sets against std::map, with the tree's balance checked, and access by position.
#include <cmath>
#include <map>
#include <random>

#include "build.hpp"

namespace chancel {
namespace {

class SortedMapTest : public ValueTest {
 protected:
  // Height of the tree; checks sizes and weights on the way.
  int height(const Object* node) {
    if (!node) return 0;
    const auto* n = static_cast<const SortedNode*>(node);
    const auto size = [](const Object* o) {
      return o ? static_cast<const SortedNode*>(o)->size : 0;
    };
    EXPECT_EQ(n->size, size(n->left) + size(n->right) + 1);
    EXPECT_LE(size(n->left) + 1, 3 * (size(n->right) + 1));
    EXPECT_LE(size(n->right) + 1, 3 * (size(n->left) + 1));
    return 1 + std::max(height(n->left), height(n->right));
  }
};

const NativeDef kLess{"<", 1, -1, nullptr, 0, "", ""};
const NativeDef kGreater{">", 1, -1, nullptr, 0, "", ""};

TEST_F(SortedMapTest, RandomOperationsFollowTheModel) {
  std::mt19937 random(3);
  for (unsigned range : {10u, 300u, 20000u}) {
    Value m = empty_sorted_map(arena, nil());
    std::map<std::int64_t, std::int64_t> model;
    for (int step = 0; step < 5000; ++step) {
      const auto k = static_cast<std::int64_t>(random() % range);
      if (random() % 3) {
        m = map_assoc(arena, m, i(k), i(step));
        model[k] = step;
      } else {
        m = map_dissoc(arena, m, i(k));
        model.erase(k);
      }
      ASSERT_EQ(map_count(m), model.size());
    }
    auto at = model.begin();
    std::uint64_t position = 0;
    map_each(m, [&](const Value& k, const Value& v) {
      ASSERT_EQ(k.i, at->first);
      ASSERT_EQ(v.i, at->second);
      Value key, value;
      sorted_at(m, position++, &key, &value);
      ASSERT_EQ(key.i, k.i);
      ++at;
    });
    EXPECT_EQ(at, model.end());
    for (const auto& [k, v] : model) ASSERT_EQ(map_find(m, i(k))->i, v);
    height(m.as<SortedMap>()->root);
  }
}

TEST_F(SortedMapTest, AscendingInsertsStayBalanced) {
  Value m = empty_sorted_map(arena, nil());
  for (int k = 0; k < 20000; ++k) m = map_assoc(arena, m, i(k), nil());
  EXPECT_LE(height(m.as<SortedMap>()->root), 35);  // log2(20000) / log2(4/3)
  for (int k = 0; k < 19990; ++k) m = map_dissoc(arena, m, i(k));
  height(m.as<SortedMap>()->root);
  EXPECT_EQ(map_count(m), 10u);
}

TEST_F(SortedMapTest, Comparators) {
  EXPECT_EQ(pr(fill(empty_sorted_map(arena, Value::native_fn(&kGreater)),
                    {i(1), i(2), d(3), i(4), ratio(5, 2), i(0)})),
            "{3.0 4, 5/2 0, 1 2}");
  EXPECT_EQ(pr(fill(empty_sorted_map(arena, Value::native_fn(&kLess)), {i(3), i(1), i(1), i(2)})),
            "{1 2, 3 1}");
  EXPECT_EQ(pr(sorted({str("b"), i(1), str("a"), i(2), nil(), i(0)})), "{nil 0, \"a\" 2, \"b\" 1}");
  // 1 and 1.0 are one key here, because compare gives 0; the first key stays.
  EXPECT_EQ(pr(sorted({i(1), kw("a"), d(1), kw("b")})), "{1 :b}");
  EXPECT_EQ(pr(sorted_set({i(3), i(1), i(2), i(1)})), "#{1 2 3}");
  EXPECT_TRUE(set_contains(sorted_set({i(3)}), i(3)));
  EXPECT_EQ(pr(set_disj(arena, sorted_set({i(3), i(4)}), i(3))), "#{4}");
}

TEST_F(SortedMapTest, KeysThatCannotBeComparedDoNotBreakTheTree) {
  const Value mixed = sorted({i(1), i(1), kw("a"), i(2), str("x"), i(3)});
  EXPECT_EQ(map_count(mixed), 3u);
  EXPECT_EQ(map_find(mixed, kw("a"))->i, 2);
}

}  // namespace
}  // namespace chancel
