// SPDX-License-Identifier: Apache-2.0
// Printing as Clojure 1.11 does it, str beside print, cut texts and phrases for messages.
#include <cmath>
#include <limits>

#include "build.hpp"
#include "value/function_def.hpp"

namespace chancel {
namespace {

class PrintTest : public ValueTest {};
constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST_F(PrintTest, Doubles) {
  const std::pair<double, const char*> rows[] = {
      {1.0, "1.0"},
      {1e10, "1.0E10"},
      {1e-5, "1.0E-5"},
      {123456.789, "123456.789"},
      {0.001, "0.001"},
      {1e7, "1.0E7"},
      {9999999.0, "9999999.0"},
      {1e-4, "1.0E-4"},
      {100, "100.0"},
      {-0.0, "-0.0"},
      {0.0, "0.0"},
      {1e21, "1.0E21"},
      {3.14159, "3.14159"},
      {12345678.9, "1.23456789E7"},
      {0.00123, "0.00123"},
      {1e100, "1.0E100"},
      {1e23, "1.0E23"},
      {1.7976931348623157e308, "1.7976931348623157E308"},
      {-2.5, "-2.5"},
      {0.1 + 0.2, "0.30000000000000004"},
      {kInfinity, "##Inf"},
      {-kInfinity, "##-Inf"},
      {std::nan(""), "##NaN"},
  };
  for (const auto& [x, text] : rows) {
    EXPECT_EQ(pr(d(x)), text);
    EXPECT_EQ(print(cx, d(x), false), text);
  }
}

TEST_F(PrintTest, ScalarsAndStrings) {
  EXPECT_EQ(
      pr(vec({nil(), Value::boolean(true), i(-5), kw("a"), kw("n/a"), sym("x"), ratio(-1, 3)})),
      "[nil true -5 :a :n/a x -1/3]");
  EXPECT_EQ(pr(vec({ch('a'), ch('\n'), ch(' '), ch('\t'), ch('\r'), ch('\f'), ch('\b'), ch(0xe9),
                    ch('"')})),
            "[\\a \\newline \\space \\tab \\return \\formfeed \\backspace \\é \\\"]");
  EXPECT_EQ(pr(str("a\"b\\c\n\t\r\f\bé")), "\"a\\\"b\\\\c\\n\\t\\r\\f\\bé\"");
  EXPECT_EQ(print(cx, vec({str("a"), ch('b'), nil()}), false), "[a b nil]");
}

TEST_F(PrintTest, Collections) {
  EXPECT_EQ(pr(map({kw("a"), i(1), kw("b"), vec({i(2)})})), "{:a 1, :b [2]}");
  EXPECT_EQ(pr(map({})), "{}");
  EXPECT_EQ(pr(set({})), "#{}");
  EXPECT_EQ(pr(set({i(1), i(2), i(3)})), "#{1 3 2}");
  EXPECT_EQ(pr(list({i(1), list({}), vec({})})), "(1 () [])");
  EXPECT_EQ(pr(hash_map({map({kw("a"), i(1)}), i(2)})), "{{:a 1} 2}");
  EXPECT_EQ(pr(realised(list({i(2), i(3)}))), "(2 3)");
}

TEST_F(PrintTest, StrGivesBareTextAtTheTopOnly) {
  EXPECT_EQ(to_str(cx, nil()), "");
  EXPECT_EQ(to_str(cx, str("a\"b")), "a\"b");
  EXPECT_EQ(to_str(cx, ch('a')), "a");
  EXPECT_EQ(to_str(cx, d(kInfinity)), "Infinity");
  EXPECT_EQ(to_str(cx, d(-kInfinity)), "-Infinity");
  EXPECT_EQ(to_str(cx, d(std::nan(""))), "NaN");
  EXPECT_EQ(to_str(cx, vec({str("a"), ch('b'), nil(), d(kInfinity)})), "[\"a\" \\b nil ##Inf]");
  EXPECT_EQ(to_str(cx, kw("k")), ":k");
}

TEST_F(PrintTest, FunctionsAndOthers) {
  static const NativeDef def{"first", 1, 1, nullptr, 0, "[coll]", ""};
  EXPECT_EQ(pr(Value::native_fn(&def)), "#<fn first>");
  FunctionDef info;
  auto* closure = arena.make<Closure>(Tag::Closure);
  closure->function = &info;
  EXPECT_EQ(pr(Value::object(closure)), "#<fn anonymous>");
  info.name = intern("f");
  EXPECT_EQ(pr(Value::object(closure)), "#<fn f>");
  EXPECT_EQ(describe(Value::object(closure)), "the function f");
  auto* query = arena.make<Query>(Tag::Query);
  query->function = &info;
  EXPECT_EQ(pr(Value::object(query)), "#<query f>");
  auto* e = arena.make<Exception>(Tag::Exception);
  e->code = ~std::uint64_t{0};
  e->message = str("no");
  e->data = map({kw("a"), i(1)});
  EXPECT_EQ(pr(Value::object(e)), "#error {:message \"no\", :data {:a 1}}");
}

TEST_F(PrintTest, ShowIsCutAtTheLimit) {
  std::vector<Value> many(1000, i(7));
  const Value v = make_vector(arena, many.data(), many.size());
  EXPECT_EQ(show(v, true, 20), "[7 7 7 7 7 7 7 7 ...");
  EXPECT_EQ(show(make_range(cx, i(0), nil(), i(1)), true, 10).size(), 10u);
  EXPECT_EQ(show(str("ééééé"), true, 8), "\"éé...");
  EXPECT_EQ(show(vec({i(1)})), "[1]");
}

TEST_F(PrintTest, Descriptions) {
  EXPECT_EQ(describe(i(3)), "the integer 3");
  EXPECT_EQ(describe(d(0.5)), "the number 0.5");
  EXPECT_EQ(describe(str("a")), "the string \"a\"");
  EXPECT_EQ(describe(nil()), "nil");
  EXPECT_EQ(describe(Value::boolean(false)), "false");
  EXPECT_EQ(describe(vec({i(1), i(2), i(3)})), "a vector of 3");
  EXPECT_EQ(describe(vec({})), "an empty vector");
  EXPECT_EQ(describe(list({i(1)})), "a list of 1");
  EXPECT_EQ(describe(map({})), "an empty map");
  EXPECT_EQ(describe(sorted_set({i(1)})), "a set of 1");
  EXPECT_EQ(describe(lazy()), "a lazy sequence");
  EXPECT_EQ(describe(make_range(cx, i(0), nil(), i(1))), "a sequence");
}

}  // namespace
}  // namespace chancel
