// SPDX-License-Identifier: Apache-2.0
// Maps and sets: against std::map as the model, and in Clojure's order of iteration (the expected
// texts and hashes were printed by Clojure 1.11).
#include <map>
#include <random>

#include "build.hpp"

namespace chancel {
namespace {

class MapTest : public ValueTest {
 protected:
  template <class F>
  Value set_of(std::int64_t n, F&& item) {
    Value s = empty_set(arena);
    for (std::int64_t k = 0; k < n; ++k) s = set_conj(arena, s, item(k));
    return s;
  }
  std::int32_t order_hash(const Value& coll) {  // (hash (vec (seq coll)))
    const std::vector<Value> all = items(coll);
    return static_cast<std::int32_t>(hash(make_vector(arena, all.data(), all.size())));
  }
};

TEST_F(MapTest, SmallMapsKeepTheOrderOfInsertion) {
  Value m = map({kw("z"), i(1), kw("y"), i(2), kw("x"), i(3)});
  m = map_dissoc(arena, m, kw("y"));
  m = fill(m, {kw("w"), i(4), kw("z"), i(9)});
  EXPECT_EQ(pr(m), "{:z 9, :x 3, :w 4}");
  EXPECT_TRUE(m.is(Tag::ArrayMap));
  Value eight = empty_map(arena);
  for (int k = 0; k < 8; ++k) eight = map_assoc(arena, eight, i(k), i(k));
  EXPECT_TRUE(eight.is(Tag::ArrayMap));
  EXPECT_EQ(pr(map_assoc(arena, eight, i(8), i(8))),
            "{0 0, 7 7, 1 1, 4 4, 6 6, 3 3, 2 2, 5 5, 8 8}");
}

TEST_F(MapTest, IterationOrderIsClojures) {
  EXPECT_EQ(pr(hash_map({kw("b"), i(1), kw("a"), i(2), kw("c"), i(3)})), "{:c 3, :b 1, :a 2}");
  EXPECT_EQ(
      pr(set_of(100, [&](std::int64_t k) { return i(k); })),
      "#{0 65 70 62 74 7 59 86 20 72 58 60 27 1 69 24 55 85 39 88 46 4 77 95 54 92 15 48 50 75 99 "
      "21 31 32 40 "
      "91 56 33 13 22 90 36 41 89 43 61 29 44 93 6 28 64 51 25 34 17 3 12 2 66 23 47 35 82 76 97 "
      "19 57 68 11 "
      "9 5 83 14 45 53 78 26 16 81 79 38 98 87 30 73 96 10 18 52 67 71 42 80 37 63 94 8 49 84}");
  EXPECT_EQ(pr(set_of(20, [&](std::int64_t k) { return kw("k" + std::to_string(k)); })),
            "#{:k19 :k8 :k11 :k18 :k5 :k12 :k7 :k13 :k9 :k15 :k6 :k16 :k17 :k0 :k10 :k3 :k4 :k14 "
            ":k1 :k2}");
  EXPECT_EQ(pr(set_of(20, [&](std::int64_t k) { return d(static_cast<double>(k) / 4); })),
            "#{0.0 2.0 4.0 0.25 0.5 1.0 4.25 2.25 4.5 4.75 2.5 1.25 2.75 3.0 0.75 1.5 3.25 3.5 "
            "1.75 3.75}");
  EXPECT_EQ(pr(set_of(25,
                      [&](std::int64_t k) {
                        return vec({i(k / 5), i(k % 5)});
                      })),
            "#{[4 3] [2 2] [0 0] [1 0] [2 3] [3 3] [1 1] [3 4] [4 2] [3 0] [4 1] [1 4] [1 3] [0 3] "
            "[2 4] [0 2] "
            "[2 0] [0 4] [3 1] [2 1] [4 4] [1 2] [3 2] [0 1] [4 0]}");
  EXPECT_EQ(order_hash(set_of(10000, [&](std::int64_t k) { return i(k); })), 1964673072);
  EXPECT_EQ(order_hash(set_of(5000, [&](std::int64_t k) { return i(k * 7919 * 104729); })),
            -962787958);
  Value s = set_of(10000, [&](std::int64_t k) { return i(k); });
  for (std::int64_t k = 0; k < 10000; k += 3) s = set_disj(arena, s, i(k));
  EXPECT_EQ(order_hash(s), 405866628);
}

TEST_F(MapTest, NilComesFirstAmongKeysOfHashZero) {
  EXPECT_EQ(pr(hash_map({nil(), i(1), i(0), i(2), str(""), i(3), Value::boolean(false), i(4), d(0),
                         i(5), kw("z"), i(6)})),
            "{nil 1, 0 2, \"\" 3, 0.0 5, :z 6, false 4}");
  Value m = hash_map({i(0), i(2), str(""), i(3), nil(), i(1)});
  EXPECT_EQ(pr(m), "{nil 1, 0 2, \"\" 3}");
  m = map_dissoc(arena, map_dissoc(arena, m, i(0)), nil());
  EXPECT_EQ(pr(m), "{\"\" 3}");
  EXPECT_EQ(pr(hash_map({i(0), i(1), nil(), i(2)})), "{nil 2, 0 1}");
  EXPECT_EQ(map_count(map_dissoc(arena, m, str(""))), 0u);
}

TEST_F(MapTest, AssocOfTheSameValueGivesTheSameMap) {
  for (Value m :
       {map({kw("a"), i(1)}), hash_map({kw("a"), i(1), kw("b"), i(2)}), sorted({kw("a"), i(1)})}) {
    EXPECT_EQ(map_assoc(arena, m, kw("a"), i(1)).o, m.o);
    EXPECT_EQ(map_dissoc(arena, m, kw("none")).o, m.o);
    EXPECT_EQ(map_find(m, kw("none")), nullptr);
  }
  const Value s = set({i(1)});
  EXPECT_EQ(set_conj(arena, s, i(1)).o, s.o);
  EXPECT_EQ(set_disj(arena, s, i(2)).o, s.o);
}

TEST_F(MapTest, KeysAreFoundByContent) {
  Value m = map({vec({i(1), i(2)}), kw("v"), str("a"), kw("s"), map({kw("x"), i(1)}), kw("m")});
  for (int k = 0; k < 20; ++k) {
    EXPECT_TRUE(equal(*map_find(m, list({i(1), i(2)})), kw("v")));
    EXPECT_TRUE(equal(*map_find(m, str("a")), kw("s")));
    EXPECT_TRUE(equal(*map_find(m, hash_map({kw("x"), i(1)})), kw("m")));
    EXPECT_EQ(map_find(m, d(k)), nullptr);
    m = map_assoc(arena, m, i(k), i(k));
  }
}

// Keys from a small pool so that they meet often; doubles and integers of equal value are two keys,
// and many share a hash: (hash 0.0) = (hash 0) = (hash "").
TEST_F(MapTest, RandomOperationsFollowTheModel) {
  std::mt19937 random(7);
  for (int range : {6, 12, 200, 5000}) {
    for (const bool start_hashed : {false, true}) {
      Value m = start_hashed ? empty_hash_map(arena) : empty_map(arena);
      std::map<std::pair<int, int>, std::int64_t> model;
      std::vector<std::pair<Value, std::map<std::pair<int, int>, std::int64_t>>> kept;
      const auto key = [&](const std::pair<int, int>& k) {
        switch (k.first) {
          case 0:
            return i(k.second);
          case 1:
            return d(k.second);
          case 2:
            return str(std::string(static_cast<std::size_t>(k.second % 7), 'a') +
                       std::to_string(k.second));
          default:
            return kw("key" + std::to_string(k.second));
        }
      };
      for (int step = 0; step < 4000; ++step) {
        const std::pair<int, int> k(random() % 4, random() % static_cast<unsigned>(range));
        if (random() % 3) {
          m = map_assoc(arena, m, key(k), i(step));
          model[k] = step;
        } else {
          m = map_dissoc(arena, m, key(k));
          model.erase(k);
        }
        ASSERT_EQ(map_count(m), model.size());
        if (step % 1000 == 0) kept.emplace_back(m, model);
      }
      kept.emplace_back(m, model);
      for (const auto& entry : kept) {
        const Value version = entry.first;
        const auto& expected = entry.second;
        std::size_t walked = 0;
        map_each(version, [&](const Value& k, const Value& v) {
          ++walked;
          EXPECT_TRUE(equal(*map_find(version, k), v));
        });
        ASSERT_EQ(walked, expected.size());
        for (const auto& [k, v] : expected) ASSERT_EQ(map_find(version, key(k))->i, v);
      }
    }
  }
}

TEST_F(MapTest, CollidingKeysLiveTogether) {
  // nil, 0, 0.0 and "" all have hash 0; 33 and more keys push the collision node down the trie.
  Value m = hash_map({nil(), i(-1), i(0), i(-2), d(0), i(-3), str(""), i(-4)});
  for (int k = 1; k < 500; ++k) m = map_assoc(arena, m, i(k), i(k));
  EXPECT_EQ(map_count(m), 503u);
  EXPECT_EQ(map_find(m, nil())->i, -1);
  EXPECT_EQ(map_find(m, str(""))->i, -4);
  for (int k = 1; k < 500; ++k) m = map_dissoc(arena, m, i(k));
  EXPECT_EQ(pr(m), "{nil -1, 0 -2, 0.0 -3, \"\" -4}");
}

}  // namespace
}  // namespace chancel
