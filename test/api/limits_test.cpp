// SPDX-License-Identifier: Apache-2.0
// Untrusted programs: every limit ends in a message with its code, never in a crash; collection
// keeps long runs small.
#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <thread>

#include "chancel/chancel.hpp"

namespace {

using chancel::CompileOptions;
using chancel::Error;
using chancel::Script;

std::string run(const std::string& text, CompileOptions options = {}) {
  std::string last;
  try {
    Script script(options, 1);
    script.evaluate(text, "test.clj", [&](const Script::Result& r) { last = r.text; });
  } catch (const Error& e) {
    return e.messages().empty() ? "?" : e.messages().front().code;
  }
  return last;
}

CompileOptions with_memory(std::size_t megabytes) {
  CompileOptions o;
  o.limits.max_memory = megabytes << 20;
  return o;
}

TEST(Limits, garbage_of_a_long_execution_is_collected_inside_it) {
  // Two hundred megabytes of vectors pass through a heap of sixty-four.
  EXPECT_EQ(run("(loop [i 0 v []] (if (= i 2000000) (count v) (recur (inc i) [i i i i])))",
                with_memory(64)),
            "4");
}

TEST(Limits, live_data_is_kept_while_garbage_goes) {
  EXPECT_EQ(run("(count (loop [i 0 l ()] (if (= i 300000) l (recur (inc i) (do [i i i i i i i i] "
                "(cons i l))))))",
                with_memory(96)),
            "300000");
}

TEST(Limits, an_allocation_storm_ends_in_a_message) {
  EXPECT_EQ(run("(loop [v []] (recur (conj v [v v v v])))", with_memory(64)), "L001");
  EXPECT_EQ(run("(def s (loop [s \"abcdefgh\"] (recur (str s s))))", with_memory(64)), "L001");
  EXPECT_EQ(run("(vec (range 100000000))", with_memory(64)), "L001");
}

TEST(Limits, endless_recursion_ends_in_a_message) {
  EXPECT_EQ(run("(defn f [n] (+ 1 (f (inc n)))) (f 0)", with_memory(128)), "L001");
  CompileOptions o = with_memory(1024);
  o.limits.max_depth = 100000;
  EXPECT_EQ(run("(defn f [n] (+ 1 (f (inc n)))) (f 0)", o), "L003");
  EXPECT_EQ(run("(defn f [n] (if (= n 0) 0 (+ 1 (f (dec n))))) (f 50000)", o), "50000");
}

TEST(Limits, a_loop_without_end_meets_the_time_limit) {
  CompileOptions o;
  o.limits.timeout = 0.2;
  EXPECT_EQ(run("(loop [] (recur))", o), "L002");
  EXPECT_EQ(run("(reduce + (range))", o), "L002");
}

TEST(Limits, output_is_limited) {
  CompileOptions o;
  o.limits.max_output = 1000;
  std::string printed;
  o.output = [&](std::string_view s) { printed += s; };
  EXPECT_EQ(run("(loop [] (println \"hello\") (recur))", o), "L004");
  EXPECT_LE(printed.size(), 1000u);
}

TEST(Limits, a_query_meets_them_too) {
  CompileOptions compile;
  auto model = chancel::Model::compile(
      "(defquery q (loop [v []] (recur (conj v (sample (normal 0 1))))))", compile);
  chancel::InferOptions o;
  o.algorithm = "smc";
  o.engine_options = chancel::read_engine_options(":number-of-particles 10");
  o.threads = 2;
  o.limits.max_memory = std::size_t{64} << 20;
  try {
    auto run = model.infer("q", o);
    run.next();
    FAIL() << "no error";
  } catch (const Error& e) {
    EXPECT_EQ(e.messages().front().code, "L001");
    EXPECT_EQ(e.exit_code(), chancel::ExitCode::Failed);
  }
}

TEST(Limits, an_interrupt_keeps_what_is_there) {
  auto model = chancel::Model::compile("(defquery q (predict :x (sample (normal 0 1))))");
  chancel::InferOptions o;
  o.algorithm = "importance";
  o.samples = 0;
  const chancel::Interrupt stop;
  o.interrupt = stop;
  auto run = model.infer("q", o);
  for (int i = 0; i < 10; ++i) ASSERT_NE(run.next(), nullptr);
  stop.request();
  std::size_t more = 0;
  while (run.next()) ++more;
  EXPECT_LT(more, 100000u);
  EXPECT_TRUE(run.statistics().interrupted);
}

TEST(Limits, two_models_in_two_threads_are_interrupted_one_at_a_time) {
  const auto endless = [](const chancel::Interrupt& stop, std::promise<void>& running,
                          std::atomic<std::uint64_t>& draws, bool& interrupted) {
    chancel::CompileOptions compile;
    compile.interrupt = stop;
    auto model =
        chancel::Model::compile("(defquery q (predict :x (sample (normal 0 1))))", compile);
    chancel::InferOptions o;
    o.algorithm = "importance";
    o.samples = 0;
    o.threads = 1;
    auto run = model.infer("q", o);
    while (run.next() != nullptr)
      if (++draws == 1) running.set_value();
    interrupted = run.statistics().interrupted;
  };
  const chancel::Interrupt stops[2];
  std::promise<void> running[2];
  std::atomic<std::uint64_t> draws[2] = {0, 0};
  bool interrupted[2] = {false, false};
  std::thread threads[2];
  for (std::size_t i = 0; i < 2; ++i) {
    threads[i] = std::thread([&, i] { endless(stops[i], running[i], draws[i], interrupted[i]); });
    running[i].get_future().wait();
  }
  stops[0].request();
  threads[0].join();
  EXPECT_TRUE(interrupted[0]);
  const std::uint64_t before = draws[1];
  while (draws[1] < before + 1000) std::this_thread::yield();  // the other continues
  EXPECT_FALSE(interrupted[1]);
  stops[1].request();
  threads[1].join();
  EXPECT_TRUE(interrupted[1]);
}

TEST(Limits, runs_of_one_model_have_clocks_of_their_own) {
  auto model = chancel::Model::compile("(defquery q (predict :x (sample (normal 0 1))))");
  chancel::InferOptions o;
  o.algorithm = "importance";
  o.samples = 0;
  auto endless = model.infer("q", o);
  o.limits.timeout = 1e-9;
  auto short_one = model.infer("q", o);
  while (short_one.next()) {
  }
  EXPECT_TRUE(short_one.statistics().interrupted);
  for (int i = 0; i < 10000; ++i) ASSERT_NE(endless.next(), nullptr);
}

}  // namespace
