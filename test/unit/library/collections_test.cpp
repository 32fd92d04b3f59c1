// SPDX-License-Identifier: Apache-2.0
// Sequences, collections, maps, sets and sorting. Expected values are Clojure's.
#include "calls.hpp"

namespace chancel {
namespace {

using PrimitivesCollections = PrimitivesTest;

TEST_F(PrimitivesCollections, NthNamesIndexAndLength) {
  const Value three = v({i(1), i(2), i(3)});
  EXPECT_EQ(call("nth", {three, i(1)}), "2");
  EXPECT_EQ(call("nth", {three, d(1.7)}), "2");
  EXPECT_EQ(call("nth", {three, i(5)}), "R004/1 nth: index 5 is out of range for a vector of 3");
  EXPECT_EQ(call("nth", {list({i(1)}), i(2)}),
            "R004/1 nth: index 2 is out of range for a sequence of 1");
  EXPECT_EQ(call("nth", {three, i(5), kw("none")}), ":none");
  EXPECT_EQ(call("nth", {nil(), i(0)}), "nil");
}

TEST_F(PrimitivesCollections, LazyPartsAreAskedFor) {
  EXPECT_EQ(call("count", {unrealised()}), "needs all");
  EXPECT_EQ(call("first", {unrealised()}), "needs one");
  EXPECT_EQ(call("vec", {unrealised()}), "needs all");
  EXPECT_EQ(call("get", {m({}), unrealised()}), "needs all");
  EXPECT_EQ(call("assoc", {m({}), v({unrealised()}), i(1)}), "needs all");
  EXPECT_EQ(call("pr-str", {list({unrealised()})}).substr(0, 5), "needs");
}

TEST_F(PrimitivesCollections, InfiniteSequencesAreRefusedWhole) {
  const Value naturals = value("range", {});
  EXPECT_EQ(call("count", {naturals}), "R009/0 count: the sequence is infinite");
  EXPECT_EQ(call("vec", {naturals}), "R009/0 vec: the sequence is infinite");
  EXPECT_EQ(call("%take", {i(3), naturals}), "(0 1 2)");
  EXPECT_EQ(call("zipmap", {v({kw("a"), kw("b")}), naturals}), "{:a 0, :b 1}");
}

TEST_F(PrimitivesCollections, DropSharesWhatIsLeft) {
  const Value xs = list({i(1), i(2), i(3)});
  const Value left = value("%drop", {i(1), xs});
  EXPECT_EQ(left.o, xs.as<Cons>()->rest);
  EXPECT_EQ(call("%drop", {i(9), xs}), "()");
  EXPECT_EQ(call("nthnext", {v({i(1), i(2)}), i(2)}), "nil");
  EXPECT_EQ(call("nthrest", {v({i(1), i(2)}), i(1)}), "(2)");
}

TEST_F(PrimitivesCollections, PartsOfSequences) {
  const Value xs = v({i(1), i(2), i(3), i(4), i(5)});
  EXPECT_EQ(call("%partition", {i(2), xs}), "((1 2) (3 4))");
  EXPECT_EQ(call("%partition", {i(3), i(2), xs}), "((1 2 3) (3 4 5))");
  EXPECT_EQ(call("%partition", {i(3), i(3), v({kw("p")}), xs}), "((1 2 3) (4 5 :p))");
  EXPECT_EQ(call("%partition-all", {i(2), xs}), "((1 2) (3 4) (5))");
  EXPECT_EQ(call("%partition", {i(0), xs}),
            "R009/0 partition: the size of a part must be positive, got 0");
  EXPECT_EQ(call("%interleave", {xs, v({kw("a"), kw("b")})}), "(1 :a 2 :b)");
  EXPECT_EQ(call("take-last", {i(2), xs}), "(4 5)");
  EXPECT_EQ(call("butlast", {v({i(1)})}), "nil");
  EXPECT_EQ(call("flatten", {v({i(1), v({i(2), list({i(3)})})})}), "(1 2 3)");
}

TEST_F(PrimitivesCollections, AssocAndConj) {
  EXPECT_EQ(call("assoc", {v({i(1)}), i(1), i(2)}), "[1 2]");
  EXPECT_EQ(call("assoc", {v({i(1)}), i(3), i(2)}),
            "R004/1 assoc: index 3 is out of range for a vector of 1");
  EXPECT_EQ(call("assoc", {nil(), kw("a"), i(1)}), "{:a 1}");
  EXPECT_EQ(call("assoc", {i(5), kw("a"), i(1)}).substr(0, 7), "R001/0 ");
  EXPECT_EQ(call("assoc-in", {nil(), v({kw("a"), kw("b")}), i(1)}), "{:a {:b 1}}");
  EXPECT_EQ(call("conj", {list({i(1)}), i(2), i(3)}), "(3 2 1)");
  EXPECT_EQ(call("conj", {m({kw("a"), i(1)}), v({kw("b"), i(2)})}), "{:a 1, :b 2}");
  EXPECT_EQ(call("conj", {m({}), i(3)}),
            "R001/1 conj: expected a pair [key value] or a map, got the integer 3");
  EXPECT_EQ(call("pop", {v({})}), "R009/0 pop: the vector is empty");
}

TEST_F(PrimitivesCollections, Maps) {
  const Value map = m({kw("a"), i(1), kw("b"), i(2)});
  EXPECT_EQ(call("keys", {map}), "(:a :b)");
  EXPECT_EQ(call("vals", {m({})}), "nil");
  EXPECT_EQ(call("merge", {nil(), map, m({kw("b"), i(3)})}), "{:a 1, :b 3}");
  EXPECT_EQ(call("frequencies", {v({i(1), i(2), i(1)})}), "{1 2, 2 1}");
  EXPECT_EQ(call("select-keys", {map, v({kw("b"), kw("z")})}), "{:b 2}");
  EXPECT_EQ(call("rename-keys", {map, m({kw("a"), kw("c")})}), "{:b 2, :c 1}");
  EXPECT_EQ(call("hash-map", {kw("a")}), "R002/0 hash-map: the key :a has no value");
  EXPECT_EQ(call("%destructure-map", {list({kw("a"), i(1), map})}), "{:a 1, :b 2}");
}

TEST_F(PrimitivesCollections, TextbookKeysAreNumbers) {
  const Value map = value("%textbook-hash-map", {d(6.0), d(5.3)});
  EXPECT_EQ(call("%textbook-get", {map, i(6)}), "5.3");
  EXPECT_EQ(call("%textbook-put", {map, i(6), i(1)}), "{6.0 1}");
  EXPECT_EQ(call("get", {map, i(6)}), "nil");
}

TEST_F(PrimitivesCollections, Sorting) {
  const Value xs = v({i(3), d(1.5), i(2)});
  EXPECT_EQ(call("%sort", {nil(), xs}), "(1.5 2 3)");
  EXPECT_EQ(call("%sort", {fn(">"), xs}), "(3 2 1.5)");
  EXPECT_EQ(call("%sort", {nil(), v({i(1), s("a")})}).substr(0, 33),
            "R001/0 sort: cannot compare the i");
  EXPECT_EQ(call("%sort-by-keys", {nil(), v({i(1), i(0), i(1)}), v({kw("a"), kw("b"), kw("c")})}),
            "(:b :a :c)");
  EXPECT_EQ(call("%sort", {fn("<"), v({d(NAN), i(1), i(0)})}), "(0 1 ##NaN)");
}

TEST_F(PrimitivesCollections, MemoryLimitHoldsOutsideTheHeapToo) {
  Heap small(std::size_t{1} << 20);
  Arena own(small);
  NativeContext cx(own);
  const Value args[2] = {i(100000000), i(0)};
  EXPECT_THROW(find_native("%repeat")->function(cx, args, 2), MemoryLimit);
}

}  // namespace
}  // namespace chancel
