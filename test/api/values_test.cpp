// SPDX-License-Identifier: Apache-2.0
// Values and engine options that cross into a program as they are, without text.
#include <gtest/gtest.h>

#include <limits>
#include <span>
#include <string>
#include <vector>

#include "chancel/chancel.hpp"

namespace chancel {
namespace {

std::string echo(const std::function<void(InferOptions&)>& bind) {
  Model model = Model::compile("(defquery q [x] (predict :x x))");
  InferOptions options;
  options.algorithm = "importance";
  options.samples = 1;
  bind(options);
  Inference run = model.infer("q", options);
  return (*run.next())["x"].print();
}

TEST(Bind, spans_vectors_and_scalars) {
  const std::vector<double> reals = {1.5, -0.0, 5e-324};
  const std::vector<std::int64_t> integers = {1, std::numeric_limits<std::int64_t>::min()};
  EXPECT_EQ(echo([&](InferOptions& o) { o.bind("x", std::span<const double>(reals)); }),
            "[1.5 -0.0 5.0E-324]");
  EXPECT_EQ(echo([&](InferOptions& o) { o.bind("x", std::span<const std::int64_t>(integers)); }),
            "[1 -9223372036854775808]");
  EXPECT_EQ(echo([&](InferOptions& o) { o.bind("x", reals); }), "[1.5 -0.0 5.0E-324]");
  EXPECT_EQ(echo([](InferOptions& o) { o.bind("x", 3); }), "3");
  EXPECT_EQ(echo([](InferOptions& o) { o.bind("x", true); }), "true");
  EXPECT_EQ(echo([](InferOptions& o) { o.bind("x", "a \"b\""); }), "\"a \\\"b\\\"\"");
  EXPECT_EQ(echo([](InferOptions& o) {
              o.bind("x", std::vector<std::string>{"a", "b"});
            }),
            "[\"a\" \"b\"]");
  EXPECT_EQ(echo([](InferOptions& o) {
              o.bind("x", std::vector<std::vector<int>>{{1, 2}, {}, {3}});
            }),
            "[[1 2] [] [3]]");
}

TEST(Bind, values_put_together_by_hand) {
  EXPECT_EQ(echo([](InferOptions& o) {
              Arguments& arguments = o.arguments.emplace();
              ValueMaker& make = arguments.maker();
              const ValueView entry =
                  make.map({{ValueMaker::keyword("k"), make.set({ValueMaker::integer(1)})}});
              arguments.bind_all(make.vector({entry}));
            }),
            "{:k #{1}}");
}

TEST(Bind, parameters_are_checked) {
  EXPECT_THROW(echo([](InferOptions& o) { o.bind("y", 3); }), Error);
  EXPECT_THROW(echo([](InferOptions& o) { o.bind("x", 3).bind("y", 4); }), Error);
}

TEST(EngineOptions, are_typed_and_listed) {
  Model model = Model::compile("(defquery q (predict :x (sample (normal 0 1))))");
  InferOptions options;
  options.algorithm = "smc";
  options.samples = 10;
  options.engine_options = {
      {"number-of-particles", 5}, {"resampling", "multinomial"}, {"ess-threshold", 0.5}};
  Inference run = model.infer("q", options);
  std::size_t count = 0;
  while (run.next()) ++count;
  EXPECT_EQ(count, 10u);
  for (const EngineOption& bad : {EngineOption{"number-of-particles", 0},
                                  {"ess-threshold", 1.5},
                                  {"resampling", "none"},
                                  {"number-of-nodes", 3}}) {
    options.engine_options = {bad};
    EXPECT_THROW(model.infer("q", options), Error) << bad.name;
  }
  EXPECT_EQ(print_engine_options(read_engine_options(":a 1 :b :c :d 0.5")), ":a 1 :b :c :d 0.5");
  EXPECT_THROW(read_engine_options(":a"), Error);
  for (const EngineInfo& engine : engines())
    for (const EngineInfo::Option& o : engine.options) {
      EXPECT_FALSE(o.type.empty() || o.default_value.empty()) << engine.name << " " << o.name;
      EXPECT_TRUE(o.values.ends_with("(" + o.default_value + ")")) << o.values;
    }
}

}  // namespace
}  // namespace chancel
