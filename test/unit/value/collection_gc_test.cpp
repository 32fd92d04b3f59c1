// SPDX-License-Identifier: Apache-2.0
// Collections of every kind live through a collection of the heap unchanged, and can be built on
// afterwards.
#include <deque>
#include <thread>

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
                   seq(cx, big), make_range(cx, i(0), i(10), i(3)), realised(list({i(1)})),
                   cons(arena, i(5), make_range(cx, i(0), i(3), i(1)))});
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

ValueArray* array_of_nils(Arena& arena, std::size_t count) {
  auto* a = arena.make<ValueArray>(Tag::ValueArray, bytes_with<ValueArray>(count));
  a->count = count;
  std::fill_n(a->values, count, Value::nil());
  return a;
}

// Objects of a quarter to a whole block have a block of their own, beside those that are scanned in
// order.
TEST_F(CollectionGcTest, LargeAndSmallObjectsAreScanned) {
  for (const std::size_t count : {1000, 4000, 13000, 50000}) {
    Value first = Value::object(array_of_nils(arena, 3900));
    Value holder = Value::object(array_of_nils(arena, count));
    holder.as<ValueArray>()->values[count - 1] = str("held");
    heap.collect({&arena}, [&](Evacuator& e) {
      e.visit(first);
      e.visit(holder);
    });
    for (int k = 0; k < 20; ++k) array_of_nils(arena, 3000);  // over what has been dropped
    EXPECT_EQ(pr(holder.as<ValueArray>()->values[count - 1]), "\"held\"") << count;
  }
}

// Threads that meet at the same objects: each is copied once, whichever comes first, large ones
// too.
TEST_F(CollectionGcTest, ThreadsCollectTogether) {
  constexpr unsigned kParts = 4;
  constexpr int kRoots = 4000;
  std::deque<Arena> more;
  std::vector<Arena*> arenas = {&arena};
  for (unsigned k = 1; k < kParts; ++k) arenas.push_back(&more.emplace_back(heap));
  Value shared = empty_vector(arena);
  for (int k = 0; k < 500; ++k) shared = vector_conj(arena, shared, str(std::to_string(k)));
  Value large = Value::object(array_of_nils(arena, 20000));
  large.as<ValueArray>()->values[19999] = shared;
  std::vector<Value> roots;
  for (int k = 0; k < kRoots; ++k) {
    const Value past = k < 7 ? nil() : roots[static_cast<std::size_t>(k) * 7919 % roots.size()];
    roots.push_back(
        vec({i(k), shared, past, large, vector_conj(*arenas[k % kParts], shared, i(k))}));
  }
  const auto shown = [&] {
    std::string text;
    for (int k = 0; k < kRoots; k += 97) text += pr(vector_nth(roots[k].as<Vector>(), 4)) + "\n";
    return text;
  };
  const std::string before = shown();
  for (int round = 0; round < 5; ++round) {
    heap.collect(
        arenas,
        [&](Evacuator& e) {
          for (std::size_t k = roots.size() * e.part() / e.parts();
               k < roots.size() * (e.part() + 1) / e.parts(); ++k) {
            e.visit(roots[k]);
            e.drain();
          }
        },
        kParts,
        [&](const std::function<void(unsigned)>& work) {
          std::vector<std::thread> threads;
          for (unsigned part = 0; part < kParts; ++part) threads.emplace_back(work, part);
          for (std::thread& t : threads) t.join();
        });
    EXPECT_EQ(shown(), before);
    const auto* first = roots[0].as<Vector>();
    for (int k = 0; k < kRoots; ++k) {
      const auto* v = roots[k].as<Vector>();
      EXPECT_EQ(vector_nth(v, 0).i, k);
      EXPECT_EQ(vector_nth(v, 1).o, vector_nth(first, 1).o);  // one object, as before
      EXPECT_EQ(vector_nth(v, 3).o, vector_nth(first, 3).o);
      if (k >= 7) {
        EXPECT_EQ(vector_nth(v, 2).o, roots[static_cast<std::size_t>(k) * 7919 % k].o) << k;
      }
    }
    EXPECT_EQ(pr(vector_nth(first, 3).as<ValueArray>()->values[19999]), pr(vector_nth(first, 1)));
  }
}

// A collection that needs more than the limit is finished; the next allocation fails.
TEST_F(CollectionGcTest, LimitDoesNotBreakACollection) {
  Heap small(std::size_t{3} << 20);
  Arena its(small);
  Value all = empty_vector(its);
  bool full = false;
  try {
    for (int k = 0;; ++k) all = vector_conj(its, all, make_string(its, std::to_string(k)));
  } catch (const MemoryLimit&) {
    full = true;
  }
  EXPECT_TRUE(full);
  const std::uint32_t count = all.as<Vector>()->count;
  small.collect({&its}, [&](Evacuator& e) { e.visit(all); });
  ASSERT_EQ(all.as<Vector>()->count, count);
  for (std::uint32_t k = 0; k < count; ++k)
    ASSERT_EQ(string_view_of(vector_nth(all.as<Vector>(), k)), std::to_string(k));
  EXPECT_THROW(for (int k = 0; k < 1000000; ++k) make_string(its, "more"), MemoryLimit);
}

}  // namespace
}  // namespace chancel
