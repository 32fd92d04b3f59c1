// SPDX-License-Identifier: Apache-2.0
// Scripts that people type into: the last values and errors, interrupts that keep draws, inference of
// queries that were defined, what is known about a name.
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "chancel/chancel.hpp"
#include "chancel/summary.hpp"

namespace {

using namespace chancel;
using namespace std::chrono_literals;

constexpr const char* kQuery = "(defquery q \"How it is.\" [n] (predict :x (sample (normal n 1))))";

struct Prompt {
  Interrupt interrupt;
  Script script{options(), 1};
  Form last;
  std::string text;

  CompileOptions options() const {
    CompileOptions o;
    o.interactive = true;
    o.interrupt = interrupt;
    return o;
  }
  const std::string& operator()(const std::string& form) {
    script.evaluate_forms(form, "<input>", [&](const Form& f) {
      last = f;
      text = f.failed() ? f.errors[0].code : f.value.print(true, 1000);
      return true;
    });
    return text;
  }
  // Evaluates while interrupts come, each after this many milliseconds.
  const std::string& interrupted(const std::string& form, std::vector<int> after) {
    std::thread hand([&] {
      for (const int ms : after) {
        std::this_thread::sleep_for(std::chrono::milliseconds(ms));
        interrupt.request();
      }
    });
    (*this)(form);
    hand.join();
    interrupt.clear();
    return text;
  }
};

TEST(Interactive, last_values_and_errors) {
  Prompt prompt;
  EXPECT_EQ(prompt("[*1 *2 *3 *e]"), "[nil nil nil nil]");
  prompt("1");
  prompt("(def x 5) 2 (+ x 1)");
  EXPECT_EQ(prompt("[*1 *2 *3]"), "[6 2 1]");
  prompt("(/ 1 0)");
  EXPECT_EQ(prompt("(ex-message *e)"), "\"/: division by zero\"");
  prompt("(throw (ex-info \"no\" {:a 1}))");
  EXPECT_EQ(prompt("(ex-data *e)"), "{:a 1}");
  EXPECT_EQ(prompt("(nosuch)"), "F001");
  EXPECT_EQ(prompt("(ex-message *e)"), "\"unbound name: nosuch\"");
  prompt("(vec (range 100000))");
  for (int i = 0; i < 50; ++i) prompt("(vec (range 100000))");  // old ones go
  EXPECT_EQ(prompt("(count *1)"), "100000");
  EXPECT_EQ(Prompt()("*2"), "nil");
  Script plain;
  EXPECT_THROW(plain.evaluate("*1", "a"), Error);
}

TEST(Interactive, an_interrupt_keeps_the_draws) {
  Prompt prompt;
  prompt(kQuery);
  prompt.interrupted("(def draws (doall (take 100000000 (doquery :lmh q [0]))))", {200});
  EXPECT_FALSE(prompt.last.failed()) << prompt.text;
  ASSERT_TRUE(prompt.last.interrupted_after);
  EXPECT_GT(*prompt.last.interrupted_after, 10u);
  EXPECT_EQ(prompt("(count draws)"), std::to_string(*prompt.last.interrupted_after));
  EXPECT_FALSE(prompt.last.interrupted_after);
  EXPECT_EQ(prompt("(every? number? (map (fn [d] (second (first (:predicts d)))) draws))"), "true");
}

TEST(Interactive, an_interrupt_within_a_sweep_keeps_those_before_it) {
  Prompt prompt;
  prompt(
      "(defquery slow (loop [i 0] (if (= i 300000) i (recur (inc i)))) (predict :x (sample (normal "
      "0 1))))");
  prompt.interrupted("(count (take 1000000 (doquery :importance slow nil)))", {400});
  EXPECT_FALSE(prompt.last.failed()) << prompt.text;
  EXPECT_TRUE(prompt.last.interrupted_after);
}

TEST(Interactive, other_forms_are_stopped) {
  Prompt prompt;
  EXPECT_EQ(prompt.interrupted("(loop [] (recur))", {100}), "L005");
  prompt(kQuery);
  // Draws were taken, but no more are asked for.
  const auto begun = std::chrono::steady_clock::now();
  EXPECT_EQ(prompt.interrupted("(do (first (doquery :lmh q [0])) (loop [] (recur)))", {100}),
            "L005");
  EXPECT_LT(std::chrono::steady_clock::now() - begun, 5s);
  // The second one stops what the first has left.
  EXPECT_EQ(prompt.interrupted(
                "(do (count (take 100000000 (doquery :lmh q [0]))) (loop [] (recur)))", {100, 400}),
            "L005");
  EXPECT_EQ(prompt("(+ 40 2)"), "42");
}

TEST(Interactive, scripts_stop_at_once) {
  CompileOptions options;
  Script script(options, 1);
  script.evaluate(kQuery, "q");
  std::thread hand([&] {
    std::this_thread::sleep_for(100ms);
    options.interrupt.request();
  });
  EXPECT_THROW(script.evaluate("(count (take 100000000 (doquery :lmh q [0])))", "a"), Error);
  hand.join();
}

TEST(Interactive, queries_are_inferred) {
  Prompt prompt;
  prompt(kQuery);
  prompt("(defquery q [m] (predict :y (sample (normal m 2))))");  // the newest counts
  prompt("(defquery other (predict :z 1))");
  const std::vector<QueryInfo> queries = prompt.script.queries();
  ASSERT_EQ(queries.size(), 2u);
  EXPECT_EQ(queries[0].name, "q");
  EXPECT_EQ(queries[0].parameters, std::vector<std::string>{"m"});
  InferOptions options;
  options.algorithm = "importance";
  options.samples = 500;
  options.value = "[7]";
  SummaryBuilder summary;
  {
    Inference run = prompt.script.infer("q", options);
    for (const Draw& draw : run) {
      summary.add(draw);
      prompt.script.keep(draw);
    }
  }
  EXPECT_NEAR(summary.summary().estimates[0].mean, 7, 0.5);
  prompt.script.define_kept("*draws*");
  EXPECT_EQ(prompt("(count *draws*)"), "500");
  EXPECT_EQ(prompt("(ffirst (:predicts (first *draws*)))"), ":y");
  EXPECT_EQ(prompt("(keys (first *draws*))"), "(:log-weight :result :predicts)");
  EXPECT_THROW(prompt.script.infer("nosuch"), Error);
  // A Venture program is a query named main.
  prompt("[assume p (beta 1 1)]\n[observe (flip p) true]\n[predict p]");
  EXPECT_EQ(prompt.script.queries().back().name, "main");
}

TEST(Interactive, names_are_documented) {
  Prompt prompt;
  prompt("(defn twice \"Two of them.\" [x] (* 2 x))\n(defn several ([a] a) ([a b] b))\n(def n 5)");
  prompt(kQuery);
  EXPECT_EQ(prompt.script.documentation("twice"), "twice [x]\n  Two of them.");
  EXPECT_EQ(prompt.script.documentation("several"), "several [a] [a b]");
  EXPECT_EQ(prompt.script.documentation("n"), "n\n  A definition of the program.");
  EXPECT_EQ(prompt.script.documentation("q"), "q [n]\n  How it is.");
  EXPECT_EQ(prompt.script.definition("twice"), "(defn twice \"Two of them.\" [x] (* 2 x))");
  EXPECT_NE(prompt.script.documentation("normal").find("[mean sd]"), std::string::npos);
  EXPECT_EQ(prompt.script.documentation("nosuch"), "");
  EXPECT_EQ(prompt.script.definition("normal"), "");
}

TEST(Interactive, activity_counts_draws) {
  Prompt prompt;
  prompt(kQuery);
  prompt("(count (take 123 (doquery :smc q [0])))");
  EXPECT_EQ(prompt.script.activity().draws, 123u);
  EXPECT_EQ(prompt.script.activity().engine, "smc");
}

}  // namespace
