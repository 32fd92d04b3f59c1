// SPDX-License-Identifier: Apache-2.0
// Functions and distributions of the host program, and models on several threads.
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <thread>

#include "chancel/chancel.hpp"

namespace chancel {
namespace {

CompileOptions with_natives() {
  CompileOptions options;
  options.functions.push_back(
      {"twice", 1, 1, [](NativeCall& call) { return call.real(2 * call.number(0)); }});
  options.functions.push_back(
      {"total", 1, 1, [](NativeCall& call) {
         double sum = 0;
         for (const double x : call.numbers(0)) sum += x;
         return call.vector({call.real(sum), call.string("sum"), call.keyword("ok")});
       }});
  options.functions.push_back(
      {"refuse", 0, -1, [](NativeCall&) -> ValueView { throw std::runtime_error("not today"); }});
  NativeDistribution shifted;
  shifted.name = "shifted";
  shifted.parameters = {"by"};
  shifted.check = [](NativeCall& p) {
    if (p.number(0) < -50) throw BadArgument(0, "by must not be less than -50");
  };
  shifted.sample = [](NativeCall& p, Randomness& random) {
    return p.real(p.number(0) + random.normal());
  };
  shifted.log_prob = [](NativeCall& p, const ValueView& x) {
    if (x.kind() == ValueView::Kind::Keyword) throw std::runtime_error("no keywords");
    const double z = x.number() - p.number(0);
    return -0.5 * z * z - 0.5 * std::log(2 * M_PI);
  };
  options.distributions.push_back(shifted);
  return options;
}

std::vector<double> draws_of(const char* text, const char* algorithm, unsigned threads,
                             CompileOptions compile) {
  Model model = Model::compile(text, std::move(compile));
  InferOptions options;
  options.algorithm = algorithm;
  options.samples = 3000;
  options.seed = 11;
  options.threads = threads;
  std::vector<double> out;
  for (const Draw& draw : model.infer("q", options)) {
    out.push_back(draw.log_weight);
    out.push_back(draw["x"].number());
  }
  return out;
}

TEST(Native, FunctionsTakeAndGiveValues) {
  Model model = Model::compile(
      "(defquery q (predict :x (twice 1.5)) (predict :t (total (map inc (range 4)))))",
      with_natives());
  InferOptions options;
  options.algorithm = "importance";
  options.samples = 1;
  Inference run = model.infer("q", options);
  const Draw* draw = run.next();
  ASSERT_NE(draw, nullptr);
  EXPECT_EQ((*draw)["x"].number(), 3);
  EXPECT_EQ((*draw)["t"].print(), "[10.0 \"sum\" :ok]");
}

TEST(Native, FunctionsWorkInScriptsOnLazySequences) {
  Script script(with_natives());
  std::string last;
  script.evaluate("(total (map inc (range 4)))", "script",
                  [&](const Script::Result& r) { last = r.text; });
  EXPECT_EQ(last, "[10.0 \"sum\" :ok]");
}

TEST(Native, DistributionsAgreeWithTheLibrarysOwnOnAnyNumberOfThreads) {
  const char* text =
      "(defquery q (let [x (sample (shifted 1))] (observe (shifted x) 2) (predict :x x)))";
  const char* same =
      "(defquery q (let [x (sample (normal 1 1))] (observe (normal x 1) 2) (predict :x x)))";
  for (const char* algorithm : {"importance", "smc", "lmh", "pgibbs"}) {
    const std::vector<double> one = draws_of(text, algorithm, 1, with_natives());
    EXPECT_EQ(one, draws_of(text, algorithm, 4, with_natives())) << algorithm;
    const std::vector<double> library = draws_of(same, algorithm, 1, {});
    ASSERT_EQ(one.size(), library.size());
    for (std::size_t i = 0; i < one.size(); ++i)
      ASSERT_NEAR(one[i], library[i], 1e-9) << algorithm << " " << i;
  }
}

Message failure_of(const char* text) {
  try {
    draws_of(text, "lmh", 1, with_natives());
  } catch (const Error& error) {
    return error.messages().front();
  }
  return {};
}

TEST(Native, MistakesHavePlaces) {
  Message m = failure_of("(defquery q\n  (predict :x (twice :a)))");
  EXPECT_EQ(m.code, "R009");
  EXPECT_EQ(m.line, 2u);
  EXPECT_EQ(m.message, "twice: expected a number, got :a");
  m = failure_of("(defquery q\n (predict :x (refuse 1 2)))");
  EXPECT_EQ(m.message, "refuse: not today");
  EXPECT_EQ(m.line, 2u);
  m = failure_of("(defquery q (predict :x\n\n (sample (shifted -100))))");
  EXPECT_EQ(m.code, "D001");
  EXPECT_EQ(m.line, 3u);
  m = failure_of("(defquery q\n (observe (shifted 1) :k) (predict :x 1))");
  EXPECT_EQ(m.code, "R009");
  EXPECT_EQ(m.line, 2u);
  m = failure_of("(defquery q (predict :x (twice 1 2)))");
  EXPECT_EQ(m.line, 1u);
  CompileOptions taken;
  taken.functions.push_back({"map", 0, 0, [](NativeCall& call) { return call.nil(); }});
  EXPECT_THROW(Model::compile("(defquery q 1)", taken), Error);
}

TEST(Native, ThereIsNoMostOfThem) {
  std::vector<Model> models;
  for (int i = 0; i < 400; ++i)
    models.push_back(Model::compile("(defquery q (twice 1))", with_natives()));
}

TEST(Threads, ModelsAreIndependent) {
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([t, &wrong] {
      for (int round = 0; round < 5; ++round) {
        CompileOptions compile = with_natives();
        std::string printed;
        compile.output = [&](std::string_view text) { printed += text; };
        Model model = Model::compile("(defquery q [n] (print n) (predict :x (twice n)))", compile);
        InferOptions options;
        options.algorithm = "importance";
        options.samples = 3;
        options.threads = 1;
        options.value = "[" + std::to_string(t) + "]";
        for (const Draw& draw : model.infer("q", options))
          if (draw["x"].number() != 2 * t) ++wrong;
        if (printed.empty() || printed.find_first_not_of(std::to_string(t)) != std::string::npos)
          ++wrong;
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace chancel
