// SPDX-License-Identifier: Apache-2.0
// Lists, ranges, and seq, first, rest, next, count and the cursor over every kind of collection.
#include "build.hpp"
#include "value/record.hpp"
#include "value/world.hpp"

namespace chancel {
namespace {

class SeqTest : public ValueTest {};

TEST_F(SeqTest, ListsKnowTheirLength) {
  EXPECT_EQ(pr(list({})), "()");
  const Value l = list({i(1), i(2), i(3)});
  EXPECT_EQ(l.as<Cons>()->words, 3u);
  EXPECT_EQ(cons(arena, i(0), l).as<Cons>()->words, 4u);
  EXPECT_EQ(cons(arena, i(0), lazy()).as<Cons>()->words, kUncounted);
  EXPECT_EQ(cons(arena, i(0), seq(cx, vec({i(1), i(2)}))).as<Cons>()->words, 3u);
  EXPECT_EQ(cons(arena, i(0), make_range(cx, i(0), i(5), i(1))).as<Cons>()->words, 6u);
  EXPECT_EQ(cons(arena, i(0), nil()).as<Cons>()->words, 1u);
  const Value uncounted = cons(arena, i(0), realised(l));
  EXPECT_EQ(count(cx, uncounted), 4);
  EXPECT_EQ(pr(reverse_to_list(arena, l)), "(3 2 1)");
  EXPECT_TRUE(reverse_to_list(arena, nil()).is(Tag::EmptyList));
}

TEST_F(SeqTest, FirstRestNextSeqCountOverEverything) {
  auto* type =
      new RecordType{intern("P"), RecordKind::Plain, {intern("a"), intern("b")}, 2, {}, nullptr};
  auto* record = arena.make<Record>(Tag::Record, sizeof(Record) + sizeof(Value));
  record->type = type;
  record->fields[0] = i(1);
  record->fields[1] = i(2);
  struct Row {
    Value coll;
    const char* seq;
    const char* first;
    const char* rest;
    const char* next;
  };
  const Row rows[] = {
      {nil(), "nil", "nil", "()", "nil"},
      {list({}), "nil", "nil", "()", "nil"},
      {vec({}), "nil", "nil", "()", "nil"},
      {map({}), "nil", "nil", "()", "nil"},
      {hash_map({}), "nil", "nil", "()", "nil"},
      {sorted({}), "nil", "nil", "()", "nil"},
      {set({}), "nil", "nil", "()", "nil"},
      {str(""), "nil", "nil", "()", "nil"},
      {realised(nil()), "nil", "nil", "()", "nil"},
      {list({i(1)}), "(1)", "1", "()", "nil"},
      {list({i(1), i(2)}), "(1 2)", "1", "(2)", "(2)"},
      {vec({i(1)}), "(1)", "1", "()", "nil"},
      {vec({i(1), i(2), i(3)}), "(1 2 3)", "1", "(2 3)", "(2 3)"},
      {rest(cx, vec({i(1), i(2), i(3)})), "(2 3)", "2", "(3)", "(3)"},
      {make_range(cx, i(0), i(3), i(1)), "(0 1 2)", "0", "(1 2)", "(1 2)"},
      {make_range(cx, i(7), i(8), i(1)), "(7)", "7", "()", "nil"},
      {map({kw("a"), i(1), kw("b"), i(2)}), "([:a 1] [:b 2])", "[:a 1]", "([:b 2])", "([:b 2])"},
      {hash_map({kw("b"), i(1), kw("a"), i(2)}), "([:b 1] [:a 2])", "[:b 1]", "([:a 2])",
       "([:a 2])"},
      {sorted({i(2), i(1), i(1), i(0)}), "([1 0] [2 1])", "[1 0]", "([2 1])", "([2 1])"},
      {set({i(1)}), "(1)", "1", "()", "nil"},
      {sorted_set({i(2), i(1)}), "(1 2)", "1", "(2)", "(2)"},
      {str("hé€"), "(\\h \\é \\€)", "\\h", "(\\é \\€)", "(\\é \\€)"},
      {realised(vec({i(1), i(2)})), "(1 2)", "1", "(2)", "(2)"},
      {realised(realised(list({i(1)}))), "(1)", "1", "()", "nil"},
      {cons(arena, i(0), realised(list({i(1)}))), "(0 1)", "0", "(1)", "(1)"},
      {cons(arena, i(0), realised(nil())), "(0)", "0", "()", "nil"},
      {Value::object(record), "([:a 1] [:b 2])", "[:a 1]", "([:b 2])", "([:b 2])"},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(pr(seq(cx, row.coll)), row.seq);
    EXPECT_EQ(pr(first(cx, row.coll)), row.first) << pr(row.coll);
    EXPECT_EQ(pr(rest(cx, row.coll)), row.rest) << pr(row.coll);
    EXPECT_EQ(pr(next(cx, row.coll)), row.next) << pr(row.coll);
    const std::vector<Value> all = items(row.coll);
    EXPECT_EQ(count(cx, row.coll), static_cast<std::int64_t>(all.size()));
    EXPECT_TRUE(is_seqable(row.coll));
    if (!all.empty()) {
      EXPECT_EQ(pr(make_list(arena, all.data(), all.size())), row.seq);
    }
    EXPECT_TRUE(cx.ok());
  }
  delete type;
}

TEST_F(SeqTest, RangesAreClojures) {
  EXPECT_EQ(pr(make_range(cx, i(0), i(1), d(0.1))),
            "(0 0.1 0.2 0.30000000000000004 0.4 0.5 0.6 0.7 0.7999999999999999 0.8999999999999999 "
            "0.9999999999999999)");
  EXPECT_EQ(pr(make_range(cx, i(5), i(0), i(-2))), "(5 3 1)");
  EXPECT_EQ(pr(make_range(cx, i(0), d(2.5), i(1))), "(0 1 2)");
  EXPECT_EQ(pr(make_range(cx, i(0), i(1), ratio(1, 4))), "(0 1/4 1/2 3/4)");
  EXPECT_EQ(pr(make_range(cx, d(0), i(1), ratio(1, 4))), "(0.0 0.25 0.5 0.75)");
  EXPECT_EQ(pr(make_range(cx, i(0), i(0), i(1))), "()");
  EXPECT_EQ(pr(make_range(cx, i(3), i(0), i(1))), "()");
  EXPECT_EQ(pr(make_range(cx, i(3), i(3), i(0))), "()");
  const Value extreme = make_range(cx, i(INT64_MAX - 1), i(INT64_MAX), i(5));
  EXPECT_EQ(count(cx, extreme), 1);
  EXPECT_EQ(count(cx, make_range(cx, i(INT64_MIN), i(INT64_MAX), i(INT64_MAX))), 3);
  Value r = make_range(cx, i(0), i(1), d(0.1));
  for (int k = 0; k < 10; ++k) r = next(cx, r);
  EXPECT_EQ(pr(r), "(0.9999999999999999)");
}

TEST_F(SeqTest, EndlessRanges) {
  const Value endless = make_range(cx, i(0), nil(), i(1));
  EXPECT_EQ(pr(first(cx, rest(cx, endless))), "1");
  int seen = 0;
  for (SeqCursor it(cx, endless, "test", 0); it.next() && seen < 1000; ++seen)
    ASSERT_EQ(it.item().i, seen);
  EXPECT_TRUE(equal(endless, make_range(cx, i(0), nil(), i(1))));
  EXPECT_FALSE(equal(endless, rest(cx, endless)));
  EXPECT_FALSE(equal(endless, list({i(0), i(1)})));
  hash(endless);
  count(cx, endless);
  EXPECT_EQ(cx.failure.code, Code::R009);
}

TEST_F(SeqTest, UnrealisedPartsAreAskedFor) {
  const Value inner = lazy();
  const Value coll = cons(arena, i(1), realised(cons(arena, i(2), inner)));
  std::vector<std::int64_t> seen;
  for (SeqCursor it(cx, coll, "test", 0); it.next();) seen.push_back(it.item().i);
  EXPECT_EQ(seen, (std::vector<std::int64_t>{1, 2}));
  EXPECT_EQ(cx.status, NativeContext::Status::NeedAll);
  EXPECT_EQ(cx.needed.o, inner.o);

  const auto asks = [&](auto&& f) {
    NativeContext fresh(arena);
    f(fresh);
    EXPECT_EQ(fresh.needed.o, inner.o);
    return fresh.status;
  };
  EXPECT_EQ(asks([&](NativeContext& c) { seq(c, inner); }), NativeContext::Status::NeedOne);
  EXPECT_EQ(asks([&](NativeContext& c) { first(c, realised(inner)); }),
            NativeContext::Status::NeedOne);
  EXPECT_EQ(asks([&](NativeContext& c) { rest(c, inner); }), NativeContext::Status::NeedOne);
  EXPECT_EQ(asks([&](NativeContext& c) { next(c, cons(arena, i(1), inner)); }),
            NativeContext::Status::NeedOne);
  EXPECT_EQ(asks([&](NativeContext& c) { count(c, coll); }), NativeContext::Status::NeedAll);
  EXPECT_EQ(asks([&](NativeContext& c) { print(c, vec({coll}), true); }),
            NativeContext::Status::NeedAll);
  EXPECT_EQ(asks([&](NativeContext& c) {
              equal(c, coll, list({i(1), i(2), i(3)}));
            }),
            NativeContext::Status::NeedOne);
  EXPECT_EQ(asks([&](NativeContext& c) {
              Value key = map({i(1), vec({coll})});
              ensure_realised(c, key);
            }),
            NativeContext::Status::NeedAll);
  NativeContext fresh(arena);
  Value key = map({i(1), vec({realised(list({i(1)}))})});
  EXPECT_TRUE(ensure_realised(fresh, key));
  EXPECT_EQ(show(coll), "(1 2 ...)");
}

TEST_F(SeqTest, CellsRealisedInAWorldAreFound) {
  NativeContext with_world(arena);
  with_world.in_query = true;
  lazy_store(with_world, lazy(), list({i(7)}));  // all cells of these tests have the same number
  EXPECT_EQ(print(with_world, lazy(), true), "(7)");
  const Value given = vec({i(1), lazy()});
  Value key = given;
  EXPECT_TRUE(ensure_realised(with_world, key));
  EXPECT_TRUE(equal(key, vec({i(1), list({i(7)})})));  // a copy that holds what the world knew
  EXPECT_EQ(hash(key), hash(vec({i(1), list({i(7)})})));
  EXPECT_FALSE(equal(given, key));
  Value out;
  EXPECT_FALSE(lazy_value(cx, lazy().as<LazySeq>(), &out));
}

TEST_F(SeqTest, MistakesAreNamed) {
  SeqCursor it(cx, i(3), "map", 1);
  EXPECT_FALSE(it.next());
  EXPECT_EQ(cx.failure.code, Code::R001);
  EXPECT_EQ(cx.failure.message, "map: expected a sequence, got the integer 3");
  EXPECT_EQ(cx.failure.argument, 1);
  NativeContext other(arena);
  count(other, kw("a"));
  EXPECT_EQ(other.failure.message, "count: expected a collection, got the keyword :a");
  other.fail(Code::R009, "a second one");
  EXPECT_EQ(other.failure.code, Code::R001);
}

}  // namespace
}  // namespace chancel
