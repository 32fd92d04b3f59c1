// SPDX-License-Identifier: Apache-2.0
// Values as bytes: what is written is read back as the same value, and whatever the bytes are,
// reading them ends with a value or with an error.
#include "value/bytes.hpp"

#include <cmath>
#include <random>

#include "build.hpp"
#include "value/big_integer.hpp"
#include "value/classes.hpp"
#include "value/metadata.hpp"
#include "value/record.hpp"
#include "value/run_watch.hpp"
#include "value/seq_walk.hpp"

namespace chancel {
namespace {

const NativeDef kGreater{">", 1, -1, nullptr, 0, "", ""};

class Names final : public ByteNames {
 public:
  Names() {
    point.name = intern("shop/Point");
    point.fields = {intern("x"), intern("y")};
    none.name = intern("None");
  }
  const NativeDef* native(std::string_view name) const override {
    return name == ">" ? &kGreater : nullptr;
  }
  const RecordType* record(std::string_view name) const override {
    return name == "shop/Point" ? &point : name == "None" ? &none : nullptr;
  }
  RecordType point, none;
};

class ValueBytesTest : public ValueTest {
 protected:
  std::string bytes_of(const Value& v) {
    ByteWriter to;
    ValueWriter writer(to, &names);
    EXPECT_TRUE(writer.write(v)) << writer.problem();
    return to.take();
  }
  std::string refusal_of(const Value& v) {
    ByteWriter to;
    ValueWriter writer(to, &names);
    EXPECT_FALSE(writer.write(v));
    return writer.problem();
  }
  bool read(std::string_view bytes, Value* out, std::string* problem = nullptr) {
    ByteReader from(bytes);
    ValueReader reader(from, arena, &names);
    const bool good = reader.read(out) && from.done();
    if (problem) *problem = from.problem();
    return good;
  }
  void expect_round_trip(const Value& v) {
    const std::string bytes = bytes_of(v);
    Value again;
    std::string problem;
    ASSERT_TRUE(read(bytes, &again, &problem)) << problem << ": " << show(v);
    EXPECT_EQ(show(again, true, 5000), show(v, true, 5000));
    EXPECT_EQ(again.tag, v.tag);
    EXPECT_EQ(class_of(again), class_of(v));
    EXPECT_EQ(bytes_of(again), bytes) << show(v);
  }
  Value point(const Value& x, const Value& y) {
    auto* r = arena.make<Record>(Tag::Record, bytes_with<Record>(2));
    r->type = &names.point;
    r->fields[0] = x;
    r->fields[1] = y;
    return Value::object(r);
  }
  Value range(std::int64_t from, std::int64_t to) { return make_range(cx, i(from), i(to), i(1)); }

  Value random_scalar() {
    switch (random() % 14) {
      case 0:
        return nil();
      case 1:
        return Value::boolean(random() % 2 == 0);
      case 2:
        return i(static_cast<std::int64_t>(random()));
      case 3:
        return i(-static_cast<std::int64_t>(random() % 1000));
      case 4:
        return i(static_cast<std::int64_t>(random() % 200));
      case 5:
        return d(std::ldexp(static_cast<double>(random()), static_cast<int>(random() % 200) - 100));
      case 6:
        return d(random() % 2 ? -0.0 : -INFINITY);
      case 7:
        return ch(static_cast<std::uint32_t>(random() % 0xd000));
      case 8:
        return kw(random() % 2 ? "key" : "shop/key");
      case 9:
        return sym("name");
      case 10:
        return str(random() % 2 ? "" : "text \xc3\xa4");
      case 11:
        return ratio(static_cast<std::int64_t>(random() % 1000), 7919);
      case 12:
        return *parse_big_integer(arena, "-123456789012345678901234567890123456789012");
      default:
        return Value::empty_list();
    }
  }
  Value random_value(int depth) {
    if (depth == 0 || random() % 4 == 0) return random_scalar();
    std::vector<Value> parts(random() % 12);
    for (Value& part : parts) part = random_value(depth - 1);
    switch (random() % 11) {
      case 0: {
        for (Value& part : parts) part = d(static_cast<double>(random()));
        return make_vector(arena, parts.data(), parts.size());
      }
      case 1:
        return make_vector_seq(arena, make_vector(arena, parts.data(), parts.size()),
                               parts.size() / 3);
      case 2:
        return make_list(arena, parts.data(), parts.size());
      case 3:
        return cons(arena, random_value(depth - 1), range(1, 5));
      case 4:
        return realised(parts.empty() ? nil() : make_list(arena, parts.data(), parts.size()));
      case 5:
      case 6: {
        Value m = random() % 2 ? empty_map(arena) : empty_hash_map(arena);
        for (const Value& part : parts) m = map_assoc(arena, m, random_value(depth - 1), part);
        return m;
      }
      case 7: {
        Value s = empty_set(arena);
        for (const Value& part : parts) s = set_conj(arena, s, part);
        return s;
      }
      case 8: {
        const Value comparator = random() % 2 ? nil() : Value::native_fn(&kGreater);
        Value m = empty_sorted_map(arena, comparator), s = empty_sorted_set(arena, comparator);
        for (const Value& part : parts) {
          const Value key = i(static_cast<std::int64_t>(random() % 50));
          m = map_assoc(arena, m, key, part);
          s = set_conj(arena, s, key);
        }
        return vec({m, s});
      }
      case 9:
        return point(random_value(depth - 1), random_value(depth - 1));
      default:
        return with_meta(arena, make_vector(arena, parts.data(), parts.size()),
                         map({kw("line"), i(3)}));
    }
  }

  Names names;
  std::mt19937_64 random{17};
};

TEST_F(ValueBytesTest, WhatIsWrittenIsRead) {
  for (const Value& v : {nil(),
                         i(0),
                         i(127),
                         i(128),
                         i(-1),
                         i(INT64_MIN),
                         i(INT64_MAX),
                         d(0.1),
                         d(NAN),
                         str("a"),
                         ch('x'),
                         vec({}),
                         vec({i(1), i(2), i(-3)}),
                         vec({d(1), d(2)}),
                         vec({d(1), i(2)}),
                         list({i(1), str("b")}),
                         map({}),
                         hash_map({kw("a"), i(1)}),
                         set({}),
                         sorted({str("b"), i(1), str("a"), i(2)}),
                         range(0, 10),
                         make_range(cx, i(0), nil(), i(1)),
                         make_range(cx, d(0), d(1), d(0.1)),
                         make_big_integer(arena, 5),
                         make_big_integer(arena, 0, true),
                         ratio(1, 3),
                         Value::class_value(intern("java.lang.Long")),
                         Value::native_fn(&kGreater),
                         with_meta(arena, Value::empty_list(), map({kw("a"), i(1)}))})
    expect_round_trip(v);
}

TEST_F(ValueBytesTest, RandomValuesComeBack) {
  for (int n = 0; n < 1000; ++n) expect_round_trip(random_value(4));
}

TEST_F(ValueBytesTest, KindsAreKept) {
  Value v;
  ASSERT_TRUE(
      read(bytes_of(vec({range(0, 3), list({i(1)}), make_vector_seq(arena, vec({i(1), i(2)}), 1),
                         hash_map({i(1), i(2)}), realised(list({i(1)}))})),
           &v));
  const std::vector<Tag> tags{Tag::Range, Tag::Cons, Tag::VectorSeq, Tag::HashMap, Tag::LazySeq};
  const std::vector<Value> parts = items(v);
  for (std::size_t k = 0; k < tags.size(); ++k) EXPECT_EQ(parts[k].tag, tags[k]);
  EXPECT_EQ(parts[1].as<Cons>()->words, 1u);
}

TEST_F(ValueBytesTest, SmallValuesAreFewBytes) {
  EXPECT_EQ(bytes_of(i(3)).size(), 2u);
  EXPECT_EQ(bytes_of(d(0.5)).size(), 10u);
  std::vector<Value> states(1000, i(2)), reals(1000, d(0.25));
  EXPECT_EQ(bytes_of(make_vector(arena, states.data(), states.size())).size(), 1004u);
  EXPECT_EQ(bytes_of(make_vector(arena, reals.data(), reals.size())).size(), 8004u);
}

TEST_F(ValueBytesTest, WhatIsSharedIsWrittenOnce) {
  Value v = vec({str("leaf")});
  for (int k = 0; k < 50; ++k) v = vec({v, v});  // 2^50 paths
  const std::string bytes = bytes_of(v);
  EXPECT_LT(bytes.size(), 400u);
  Value again;
  ASSERT_TRUE(read(bytes, &again));
  EXPECT_EQ(bytes_of(again), bytes);
  // A list that grew, and its earlier states.
  Value grown = nil();
  std::vector<Value> states;
  for (int k = 0; k < 1000; ++k) states.push_back(grown = cons(arena, i(1), grown));
  const Value all = make_vector(arena, states.data(), states.size());
  EXPECT_LT(bytes_of(all).size(), 8000u);
  expect_round_trip(all);
  // Between the values of one writer.
  ByteWriter to;
  ValueWriter writer(to);
  const Value text = str("a long text that is written once");
  ASSERT_TRUE(writer.write(text) && writer.write(vec({text, text})));
  EXPECT_LT(to.size(), 50u);
  ByteReader from(to.bytes());
  ValueReader reader(from, arena);
  Value one, two;
  ASSERT_TRUE(reader.read(&one) && reader.read(&two) && from.done());
  EXPECT_EQ(pr(two), pr(vec({text, text})));
}

TEST_F(ValueBytesTest, AnyDepthAndLengthWorks) {
  Value deep = nil(), longer = nil();
  for (int k = 0; k < 200000; ++k) {
    deep = vec({deep});
    longer = cons(arena, i(k), longer);
  }
  Value again;
  ASSERT_TRUE(read(bytes_of(deep), &again));
  EXPECT_EQ(bytes_of(again), bytes_of(deep));
  ASSERT_TRUE(read(bytes_of(longer), &again));
  EXPECT_EQ(bytes_of(again), bytes_of(longer));
}

TEST_F(ValueBytesTest, WhatCannotBeWrittenIsNamed) {
  auto* atom = arena.make<Atom>(Tag::Atom);
  atom->id = 0;
  atom->initial = nil();
  EXPECT_NE(refusal_of(vec({i(1), Value::object(atom)})).find("atom"), std::string::npos);
  EXPECT_EQ(refusal_of(lazy()),
            "a lazy sequence that has not been realised cannot be written as bytes");
  const NativeDef unknown{"unknown", 1, 1, nullptr, 0, "", ""};
  EXPECT_EQ(refusal_of(Value::native_fn(&unknown)),
            "the function unknown cannot be written as bytes");
  // The same value is written by one who knows the names and refused by one who does not.
  ByteWriter to;
  ValueWriter writer(to);
  EXPECT_FALSE(writer.write(point(i(1), i(2))));
}

TEST_F(ValueBytesTest, NamesThatThereAreNotAreErrors) {
  const std::string bytes = bytes_of(point(i(1), i(2)));
  ByteReader from(bytes);
  ValueReader reader(from, arena);
  Value v;
  EXPECT_FALSE(reader.read(&v));
  EXPECT_EQ(from.problem(), "they name a record type that there is not: shop/Point");
}

// A few bytes become many values, and names that stay: what they take is counted.
TEST_F(ValueBytesTest, RoomIsLimited) {
  const std::string bytes = bytes_of(vec({list({i(1), i(2)}), kw("never-seen-before"), str("x")}));
  bool enough = false;
  for (std::size_t room = 0; room < 2000; room += 50) {
    ByteReader from(bytes, room);
    ValueReader reader(from, arena, &names);
    Value v;
    const bool good = reader.read(&v) && from.done();
    EXPECT_TRUE(good || !enough) << room;
    enough = good;
    if (!good) {
      EXPECT_EQ(from.problem(), "it takes more memory than the run may have");
    }
  }
  EXPECT_TRUE(enough);
}

TEST_F(ValueBytesTest, TheRunEndsTheReading) {
  struct Over final : RunWatch {
    std::optional<Diagnostic> reason_to_stop() override { return Diagnostic{}; }
  } over;
  std::vector<Value> many(10000, nil());
  const std::string bytes = bytes_of(make_vector(arena, many.data(), many.size()));
  ByteReader from(bytes);
  ValueReader reader(from, arena, &names, &over);
  Value v;
  EXPECT_THROW(reader.read(&v), RunStopped);
}

// Every byte replaced by others, and every beginning: an error or some value, which can be printed,
// hashed, compared and written again.
TEST_F(ValueBytesTest, DamagedBytesAreErrorsOrValues) {
  Value sample = vec({});
  for (int n = 0; n < 12; ++n) sample = vector_conj(arena, sample, random_value(2));
  sample =
      vector_conj(arena, sample,
                  vec({range(0, 9), list({d(1), str("x"), str("x")}), sorted_set({i(1), i(2)})}));
  const std::string whole = bytes_of(sample);
  int values = 0;
  const auto try_bytes = [&](std::string_view bytes) {
    Heap own;
    Arena room(own);
    Value v;
    ByteReader from(bytes);
    ValueReader reader(from, room, &names);
    if (!reader.read(&v) || !from.done()) {
      EXPECT_FALSE(from.problem().empty());
      return;
    }
    ++values;
    show(v);
    hash(v);
    equal(v, sample);
    bytes_of(v);
  };
  for (std::size_t at = 0; at < whole.size(); ++at) {
    try_bytes(std::string_view(whole).substr(0, at));
    std::string damaged = whole;
    for (const int byte : {0, 1, 2, 12, 13, 17, 22, 23, 26, 127, 128, 255}) {
      damaged[at] = static_cast<char>(byte);
      try_bytes(damaged);
    }
    damaged[at] = static_cast<char>(whole[at] ^ (1 << (at % 8)));
    try_bytes(damaged);
  }
  EXPECT_GT(values, 0);
  for (int n = 0; n < 20000; ++n) {
    std::string noise(random() % 40, '\0');
    for (char& c : noise) c = static_cast<char>(random() % 3 ? random() % 32 : random());
    noise += '\0';
    try_bytes(noise);
  }
}

}  // namespace
}  // namespace chancel
