// SPDX-License-Identifier: Apache-2.0
// =, hash and compare. The hashes were printed by Clojure 1.11. Deep and long structures must not
// overflow the stack.
#include <cmath>
#include <limits>

#include "build.hpp"
#include "value/dist_object.hpp"
#include "value/record.hpp"

namespace chancel {
namespace {

class EqualityTest : public ValueTest {
 protected:
  std::int32_t h(const Value& v) { return static_cast<std::int32_t>(hash(v)); }
  // n levels of vectors around x.
  Value nest(Value x, int n) {
    for (int k = 0; k < n; ++k) x = vec({x});
    return x;
  }
};

TEST_F(EqualityTest, HashesAreClojures) {
  const double inf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(h(nil()), 0);
  EXPECT_EQ(h(Value::boolean(true)), 1231);
  EXPECT_EQ(h(Value::boolean(false)), 1237);
  EXPECT_EQ(h(i(0)), 0);
  EXPECT_EQ(h(i(1)), 1392991556);
  EXPECT_EQ(h(i(-1)), 1651860712);
  EXPECT_EQ(h(i(42)), 1871679806);
  EXPECT_EQ(h(i(INT64_MAX)), -2106506049);
  EXPECT_EQ(h(i(INT64_MIN)), 1366273829);
  EXPECT_EQ(h(d(0)), 0);
  EXPECT_EQ(h(d(-0.0)), 0);
  EXPECT_EQ(h(d(1)), 1072693248);
  EXPECT_EQ(h(d(-2.5e10)), 706168950);
  EXPECT_EQ(h(d(inf)), 2146435072);
  EXPECT_EQ(h(d(std::nan(""))), 2146959360);
  EXPECT_EQ(h(ratio(1, 3)), 2);
  EXPECT_EQ(h(ratio(-7, 5)), -4);
  EXPECT_EQ(h(ratio(123456789012, 5)), -1097261699);
  EXPECT_EQ(h(ch('a')), 97);
  EXPECT_EQ(h(ch(0xe9)), 233);
  EXPECT_EQ(h(str("")), 0);
  EXPECT_EQ(h(str("hello")), 1715862179);
  EXPECT_EQ(h(str("žluť")), -1937831358);
  EXPECT_EQ(h(kw("a")), -2123407586);
  EXPECT_EQ(h(kw("foo/bar")), -1386151538);
  EXPECT_EQ(h(sym("x")), -555367584);
  EXPECT_EQ(h(sym("foo/bar")), 254379989);
  EXPECT_EQ(h(vec({})), -2017569654);
  EXPECT_EQ(h(list({})), -2017569654);
  EXPECT_EQ(h(vec({i(1), i(2), i(3)})), 736442005);
  EXPECT_EQ(h(list({i(1), i(2), i(3)})), 736442005);
  EXPECT_EQ(h(realised(list({i(1), i(2), i(3)}))), 736442005);
  EXPECT_EQ(h(make_range(cx, i(0), i(5), i(1))), -160844199);
  EXPECT_EQ(h(vec({vec({i(1)}), vec({i(2), vec({i(3)})})})), 1585995266);
  EXPECT_EQ(h(map({})), -15128758);
  EXPECT_EQ(h(map({kw("a"), i(1)})), 1772842048);
  EXPECT_EQ(h(hash_map({kw("a"), i(1), kw("b"), vec({i(2)})})), -405399571);
  EXPECT_EQ(h(set({})), -15128758);
  EXPECT_EQ(h(set({i(1), i(2), i(3)})), 439094965);
  EXPECT_EQ(h(sorted({i(1), i(2), i(3), i(4)})), -812819982);
  EXPECT_EQ(h(vec({nil()})), 965192274);
  EXPECT_EQ(h(map({nil(), nil()})), -1730596701);
  EXPECT_EQ(h(list({kw("a"), sym("b"), str("c"), ch('d'), d(1.5), nil()})), 1034546700);
}

TEST_F(EqualityTest, EqualityIsClojures) {
  const auto same = [&](const Value& a, const Value& b) {
    EXPECT_EQ(equal(a, b), equal(b, a));
    EXPECT_EQ(equal(a, b), equal(cx, a, b));
    if (equal(a, b)) {
      EXPECT_EQ(hash(a), hash(b)) << pr(a) << " " << pr(b);
    }
    return equal(a, b);
  };
  EXPECT_TRUE(same(vec({i(1), i(2)}), list({i(1), i(2)})));
  EXPECT_TRUE(same(vec({i(0), i(1)}), make_range(cx, i(0), i(2), i(1))));
  EXPECT_TRUE(same(realised(vec({i(0)})), list({i(0)})));
  EXPECT_TRUE(same(vec({}), list({})));
  EXPECT_TRUE(same(realised(nil()), vec({})));
  EXPECT_FALSE(same(nil(), list({})));
  EXPECT_FALSE(same(nil(), realised(nil())));
  EXPECT_FALSE(same(nil(), Value::boolean(false)));
  EXPECT_FALSE(same(i(1), d(1)));
  EXPECT_FALSE(same(i(0), ch(0)));
  EXPECT_TRUE(same(d(0), d(-0.0)));
  EXPECT_FALSE(same(d(std::nan("")), d(std::nan(""))));
  const Value with_nan = vec({d(std::nan(""))});
  EXPECT_TRUE(same(with_nan, with_nan));
  EXPECT_TRUE(same(ratio(1, 3), ratio(2, 6)));
  EXPECT_FALSE(same(ratio(1, 3), d(1.0 / 3)));
  EXPECT_TRUE(same(str("ab"), str("ab")));
  EXPECT_FALSE(same(str("a"), ch('a')));
  EXPECT_FALSE(same(kw("a"), sym("a")));
  EXPECT_TRUE(same(map({kw("a"), i(1), kw("b"), i(2)}), sorted({kw("b"), i(2), kw("a"), i(1)})));
  EXPECT_TRUE(same(map({i(1), vec({i(1)})}), hash_map({i(1), list({i(1)})})));
  EXPECT_FALSE(same(map({i(1), i(1)}), map({i(1), i(2)})));
  EXPECT_FALSE(same(map({i(1), i(1)}), map({i(1), i(1), i(2), i(2)})));
  EXPECT_FALSE(same(map({i(1), nil()}), map({i(2), nil()})));
  EXPECT_TRUE(same(set({i(1), i(2)}), sorted_set({i(2), i(1)})));
  EXPECT_FALSE(same(set({i(1)}), set({i(2)})));
  EXPECT_FALSE(same(set({}), vec({})));
  EXPECT_FALSE(same(set({}), map({})));
  EXPECT_FALSE(same(vec({i(1), i(2)}), vec({i(1)})));
  EXPECT_FALSE(same(sorted({i(1), i(1)}), map({kw("a"), i(1)})));
}

TEST_F(EqualityTest, DistributionsAndRecordsAreEqualByContent) {
  DistType type{};
  type.name = "normal";
  type.parameter_count = 2;
  const auto dist = [&](const Value& mean, double cached) {
    auto* o = arena.make<Dist>(Tag::Dist, sizeof(Dist) + sizeof(Value) + sizeof(double));
    o->type = &type;
    o->value_count = 2;
    o->number_count = 1;
    o->values[0] = mean;
    o->values[1] = i(1);
    o->numbers()[0] = cached;
    return Value::object(o);
  };
  EXPECT_TRUE(equal(dist(i(0), 1), dist(i(0), 2)));
  EXPECT_EQ(hash(dist(i(0), 1)), hash(dist(i(0), 2)));
  EXPECT_FALSE(equal(dist(i(0), 1), dist(d(0), 1)));
  EXPECT_EQ(pr(dist(vec({i(0), d(0.5)}), 1)), "(normal [0 0.5] 1)");

  RecordType point{intern("Point"), RecordKind::Plain, {intern("x"), intern("y")}, 2, {}, nullptr};
  RecordType other = point;
  const auto record = [&](RecordType* t, const Value& x) {
    auto* o = arena.make<Record>(Tag::Record, sizeof(Record) + sizeof(Value));
    o->type = t;
    o->fields[0] = x;
    o->fields[1] = str("s");
    return Value::object(o);
  };
  EXPECT_TRUE(equal(record(&point, list({i(1)})), record(&point, vec({i(1)}))));
  EXPECT_EQ(hash(record(&point, list({i(1)}))), hash(record(&point, vec({i(1)}))));
  EXPECT_FALSE(equal(record(&point, i(1)), record(&other, i(1))));
  EXPECT_EQ(pr(record(&point, i(1))), "#user.Point{:x 1, :y \"s\"}");
  other.kind = RecordKind::Distribution;
  other.parameter_count = 1;
  EXPECT_EQ(pr(record(&other, i(1))), "(Point 1)");
}

TEST_F(EqualityTest, LongListsDoNotOverflow) {
  constexpr int kLong = 1000000;
  Value a = list({}), b = list({}), c = list({});
  std::vector<Value> all(kLong, i(1));
  for (int k = 0; k < kLong; ++k) {
    a = cons(arena, i(1), a);
    b = cons(arena, i(1), b);
    c = cons(arena, i(1), k == 0 ? Value::empty_list() : realised(c));
  }
  EXPECT_TRUE(equal(a, b));
  EXPECT_TRUE(equal(a, c));
  EXPECT_TRUE(equal(make_vector(arena, all.data(), all.size()), c));
  EXPECT_EQ(hash(a), hash(c));
  EXPECT_EQ(count(cx, c), kLong);
  EXPECT_EQ(pr(c).size(), 2u * kLong + 1);
  EXPECT_FALSE(equal(a, cons(arena, i(2), rest(cx, a))));
  Value chain = nil();  // a million lazy cells, each holding the next
  for (int k = 0; k < kLong; ++k) chain = realised(chain);
  EXPECT_EQ(pr(chain), "()");
}

TEST_F(EqualityTest, DeepNestingDoesNotOverflow) {
  constexpr int kDeep = 1000000;
  Value a = nest(i(1), kDeep);
  const Value b = nest(i(1), kDeep), c = nest(i(2), kDeep);
  EXPECT_TRUE(equal(a, b));
  EXPECT_FALSE(equal(a, c));
  EXPECT_EQ(hash(a), hash(b));
  EXPECT_EQ(*compare(a, c), -1);
  EXPECT_TRUE(ensure_realised(cx, a));
  EXPECT_TRUE(pr(a) == std::string(kDeep, '[') + "1" + std::string(kDeep, ']'));
  Value maps = i(0), same_maps = i(0), deep_keys = i(0), same_keys = i(0);
  for (int k = 0; k < 100000; ++k) {
    maps = map({kw("a"), maps});
    same_maps = hash_map({kw("a"), same_maps});
  }
  for (int k = 0; k < 30; ++k) {
    deep_keys = set({deep_keys});
    same_keys = set({same_keys});
  }
  EXPECT_TRUE(equal(maps, same_maps));
  EXPECT_EQ(hash(maps), hash(same_maps));
  EXPECT_TRUE(equal(deep_keys, same_keys));
}

// Keys that hold maps are compared within the comparison that looks them up: its levels are counted together, whatever
// kinds of maps follow each other.
TEST_F(EqualityTest, KeysInsideKeysHaveALimit) {
  const auto nested = [&](int levels) {
    Value at = i(0);
    for (int k = 0; k < levels; ++k)
      at = k % 3 == 0 ? map({at, i(1)}) : k % 3 == 1 ? hash_map({at, i(1)}) : set({at});
    return at;
  };
  EXPECT_TRUE(equal(nested(40), nested(40)));
  EXPECT_FALSE(equal(nested(40), nested(37)));
  EXPECT_FALSE(equal(nested(60), nested(60)));
  EXPECT_TRUE(map_find(map({nested(40), i(7)}), nested(40)));
}

// Such keys may share parts: each pair of them is compared once.
TEST_F(EqualityTest, SharedKeysAreComparedOnce) {
  const auto shared = [&] {
    Value at = str("leaf");
    for (int k = 0; k < 45; ++k) at = k % 9 == 8 ? set({at}) : vec({at, at});
    return at;
  };
  EXPECT_TRUE(equal(shared(), shared()));
}

TEST_F(EqualityTest, CompareIsClojures) {
  const auto c = [](const Value& a, const Value& b) { return compare(a, b); };
  EXPECT_EQ(c(str("a"), str("c")), -2);
  EXPECT_EQ(c(str("abc"), str("ab")), 1);
  EXPECT_EQ(c(kw("a"), kw("c")), -2);
  EXPECT_EQ(c(kw("a/b"), kw("b")), 1);
  EXPECT_EQ(c(kw("b"), kw("a/b")), -1);
  EXPECT_EQ(c(kw("a/x"), kw("b/a")), -1);
  EXPECT_EQ(c(sym("x"), sym("y")), -1);
  EXPECT_EQ(c(ch('a'), ch('d')), -3);
  EXPECT_EQ(c(Value::boolean(true), Value::boolean(false)), 1);
  EXPECT_EQ(c(nil(), i(1)), -1);
  EXPECT_EQ(c(i(1), nil()), 1);
  EXPECT_EQ(c(nil(), nil()), 0);
  EXPECT_EQ(c(i(1), d(1)), 0);
  EXPECT_EQ(c(ratio(1, 2), d(0.3)), 1);
  EXPECT_EQ(c(vec({i(1), i(2)}), vec({i(3)})), 1);
  EXPECT_EQ(c(vec({i(1), i(2)}), vec({i(1), i(3)})), -1);
  EXPECT_EQ(c(vec({vec({i(1)}), i(5)}), vec({vec({i(1)}), i(4)})), 1);
  EXPECT_EQ(c(i(1), kw("a")), std::nullopt);
  EXPECT_EQ(c(list({}), list({})), std::nullopt);
  EXPECT_EQ(c(vec({i(1)}), vec({kw("a")})), std::nullopt);
}

}  // namespace
}  // namespace chancel
