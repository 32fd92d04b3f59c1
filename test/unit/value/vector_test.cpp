// SPDX-License-Identifier: Apache-2.0
// Persistent vectors against std::vector as the model: at the sizes where the trie changes shape,
// and over random operations with old versions kept and checked again.
#include <cmath>
#include <random>

#include "build.hpp"

namespace chancel {
namespace {

class VectorTest : public ValueTest {
 protected:
  Value count_up(std::uint32_t n) {
    std::vector<Value> items;
    for (std::uint32_t k = 0; k < n; ++k) items.push_back(i(k));
    return make_vector(arena, items.data(), n);
  }
  void expect_same(const Value& v, const std::vector<std::int64_t>& model) {
    ASSERT_EQ(v.as<Vector>()->count, model.size());
    for (std::uint32_t k = 0; k < model.size(); ++k)
      ASSERT_EQ(vector_nth(v.as<Vector>(), k).i, model[k])
          << "element " << k << " of " << model.size();
  }
};

TEST_F(VectorTest, ConjPopAndMakeAgreeAtEverySize) {
  Value grown = empty_vector(arena);
  std::vector<std::int64_t> model;
  std::vector<Value> versions{grown};
  for (std::uint32_t n = 0; n < 1100; ++n) {
    grown = vector_conj(arena, grown, i(n));
    model.push_back(n);
    versions.push_back(grown);
  }
  expect_same(grown, model);
  for (std::uint32_t n :
       {0u, 1u, 31u, 32u, 33u, 63u, 64u, 65u, 1023u, 1024u, 1025u, 1056u, 1057u, 1100u}) {
    std::vector<std::int64_t> prefix(model.begin(), model.begin() + n);
    expect_same(versions[n], prefix);
    expect_same(count_up(n), prefix);
  }
  for (std::uint32_t n = 1100; n > 0; --n) {
    model.pop_back();
    grown = vector_pop(arena, grown);
    ASSERT_EQ(grown.as<Vector>()->count, n - 1);
    if (n % 31 == 0 || n % 32 < 2) expect_same(grown, model);
  }
}

TEST_F(VectorTest, ThreeLevelsOfTheTrie) {
  const std::uint32_t n = 32 * 32 * 32 + 32 + 5;
  Value made = count_up(n);
  Value grown = empty_vector(arena);
  for (std::uint32_t k = 0; k < n; ++k) grown = vector_conj(arena, grown, i(k));
  EXPECT_TRUE(equal(made, grown));
  EXPECT_EQ(made.as<Vector>()->shift, grown.as<Vector>()->shift);
  Value changed = vector_assoc(arena, grown, 12345, i(-1));
  EXPECT_EQ(vector_nth(changed.as<Vector>(), 12345).i, -1);
  EXPECT_EQ(vector_nth(grown.as<Vector>(), 12345).i, 12345);
  for (int k = 0; k < 70; ++k) grown = vector_pop(arena, grown);
  EXPECT_EQ(vector_nth(grown.as<Vector>(), n - 71).i, n - 71);
  EXPECT_EQ(grown.as<Vector>()->shift, 4 * kVectorBits);  // at most 8^5 values
}

TEST_F(VectorTest, RandomOperationsFollowTheModel) {
  std::mt19937 random(1);
  std::vector<std::pair<Value, std::vector<std::int64_t>>> kept;
  for (int round = 0; round < 30; ++round) {
    Value v = empty_vector(arena);
    std::vector<std::int64_t> model;
    for (int step = 0; step < 600; ++step) {
      const std::uint32_t what = random() % 10;
      const auto x = static_cast<std::int64_t>(random());
      if (what < 6 || model.empty()) {
        v = vector_conj(arena, v, i(x));
        model.push_back(x);
      } else if (what < 8) {
        const std::uint32_t at = random() % (model.size() + 1);
        v = vector_assoc(arena, v, at, i(x));
        if (at == model.size())
          model.push_back(x);
        else
          model[at] = x;
      } else if (what < 9) {
        v = vector_pop(arena, v);
        model.pop_back();
      } else if (step % 50 == 9) {
        std::uint32_t from = random() % (model.size() + 1), to = random() % (model.size() + 1);
        if (from > to) std::swap(from, to);
        const Value part = subvec(arena, v, from, to);
        kept.emplace_back(part,
                          std::vector<std::int64_t>(model.begin() + from, model.begin() + to));
      }
    }
    kept.emplace_back(v, model);
  }
  for (const auto& [v, model] : kept) expect_same(v, model);
}

TEST_F(VectorTest, SubvecSharesLeavesAndGrowsOn) {
  const Value v = count_up(3000);
  for (std::uint32_t from : {0u, 32u, 64u, 1u, 33u, 2048u}) {
    for (std::uint32_t to : {2048u, 2049u, 2080u, 2999u, 3000u}) {
      Value part = subvec(arena, v, from, to);
      ASSERT_EQ(part.as<Vector>()->count, to - from);
      for (std::uint32_t k = 0; k < to - from; ++k)
        ASSERT_EQ(vector_nth(part.as<Vector>(), k).i, from + k);
      for (int k = 0; k < 40; ++k) part = vector_conj(arena, part, i(k));
      ASSERT_EQ(vector_nth(part.as<Vector>(), to - from + 39).i, 39);
    }
  }
  EXPECT_EQ(subvec(arena, v, 7, 7).as<Vector>()->count, 0u);
}

TEST_F(VectorTest, ConjAllocatesOneObject) {
  const Value v = count_up(5);
  const Arena::Mark before = arena.mark();
  vector_conj(arena, v, i(5));
  EXPECT_EQ(arena.allocated_since(before), sizeof(Vector) + 5 * sizeof(Value));
}

// Elements come back with their tags and bits, however they are packed and repacked, and through a collection.
TEST_F(VectorTest, PackedElementsAreTheValuesThatWereStored) {
  std::mt19937 random(2);
  Value kinds[] = {i(0),         i(-128),          i(127),
                   i(128),       i(-129),          i(INT64_MIN),
                   i(INT64_MAX), d(0.5),           d(-0.0),
                   d(1),         d(std::nan("7")), nil(),
                   kw("a"),      str("text"),      Value::boolean(true),
                   ch('x')};
  const auto same = [](const Value& a, const Value& b) {
    return a.tag == b.tag && (a.is_object() ? equal(a, b) : a.bits == b.bits);
  };
  for (int round = 0; round < 400; ++round) {
    // Rounds of few kinds stay packed for long, others change often.
    const std::uint32_t first = random() % std::size(kinds), width = 1 + random() % 4;
    const auto any = [&] { return kinds[(first + random() % width) % std::size(kinds)]; };
    Value v = empty_vector(arena);
    std::vector<Value> model;
    for (int step = 0; step < 80; ++step) {
      const std::uint32_t what = random() % 10;
      const Value x = any();
      if (what < 7 || model.empty()) {
        v = vector_conj(arena, v, x);
        model.push_back(x);
      } else if (what == 7) {
        const std::uint32_t at = random() % model.size();
        v = vector_assoc(arena, v, at, x);
        model[at] = x;
      } else if (what == 8) {
        v = vector_pop(arena, v);
        model.pop_back();
      } else {
        v = make_vector(arena, model.data(), model.size());
      }
    }
    if (round % 4 == 0)
      heap.collect({&arena}, [&](Evacuator& e) {
        e.visit(v);
        for (Value& m : model) e.visit(m);
        for (Value& kind : kinds) e.visit(kind);
      });
    ASSERT_EQ(v.as<Vector>()->count, model.size());
    for (std::uint32_t k = 0; k < model.size(); ++k)
      ASSERT_TRUE(same(vector_nth(v.as<Vector>(), k), model[k])) << "round " << round << ", " << k;
  }
}

// What a particle remembers of a chain of states takes little more than a byte for each.
TEST_F(VectorTest, SmallIntegersTakeABytePerElement) {
  Value states = empty_vector(arena);
  for (int t = 0; t < 7; ++t) states = vector_conj(arena, states, i(t % 3));
  EXPECT_EQ(size_of(states.o), 32u);
  Value numbers = empty_vector(arena);
  for (int t = 0; t < 7; ++t) numbers = vector_conj(arena, numbers, d(t));
  EXPECT_EQ(size_of(numbers.o), 24u + 7 * 8);
  for (int t = 0; t < 2; ++t) states = vector_conj(arena, states, i(1));
  const auto* node = static_cast<VectorNode*>(states.as<Vector>()->root);
  EXPECT_EQ(size_of(node->children[0]), 16u);
}

}  // namespace
}  // namespace chancel
