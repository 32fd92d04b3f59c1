// SPDX-License-Identifier: Apache-2.0
// A process that lives long stays small: what a compilation, a run or a lazy sequence of doquery
// takes, it gives back.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <string>

#include "chancel/chancel.hpp"

namespace chancel {
namespace {

double resident_megabytes() {
  std::ifstream file("/proc/self/statm");
  long all = 0, resident = 0;
  file >> all >> resident;
  return static_cast<double>(resident * sysconf(_SC_PAGESIZE)) / 1048576;
}

std::size_t threads() {
  std::size_t count = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator("/proc/self/task"))
    ++count;
  return count;
}

// How much the process grows after the first half of the rounds.
double growth(int rounds, const std::function<void(int)>& round) {
  double before = 0;
  for (int i = 0; i < rounds; ++i) {
    if (i == rounds / 2) before = resident_megabytes();
    round(i);
  }
  return resident_megabytes() - before;
}

TEST(FlatMemory, ten_thousand_compilations) {
  CompileOptions options;
  options.functions.push_back(
      {"twice", 1, 1, [](NativeCall& call) { return call.real(2 * call.number(0)); }});
  EXPECT_LT(growth(10000,
                   [&](int i) {
                     Model::compile("(defquery q (predict :x (twice " + std::to_string(i) + ")))",
                                    options);
                   }),
            8);
}

TEST(FlatMemory, ten_thousand_values_and_bindings) {
  Model model = Model::compile("(defquery q [xs] (predict :n (count xs)))");
  const std::vector<double> xs(100, 0.5);
  EXPECT_LT(growth(10000,
                   [&](int i) {
                     InferOptions options;
                     options.algorithm = "importance";
                     options.samples = 1;
                     options.threads = 1;
                     if (i % 2 == 0)
                       options.bind("xs", xs);
                     else
                       options.value = "[[1 2 3 4 5 6 7 8 9 10 " + std::to_string(i) + "]]";
                     model.infer("q", options).next();
                   }),
            8);
}

// Ten forms with `calls` calls each.
void run_streams(int calls, const std::string& use) {
  CompileOptions options;
  options.limits.max_memory = std::size_t{256} << 20;
  Script script(options, 1);
  script.evaluate("(defquery q [n] (predict :x (sample (normal n 1))))", "test");
  const std::size_t before = threads();
  const std::string loop =
      "(loop [i 0] (if (< i " + std::to_string(calls) + ") (do " + use + " (recur (inc i))) i))";
  EXPECT_LT(growth(10, [&](int) { script.evaluate(loop, "test"); }), 64) << use;
  EXPECT_LT(resident_megabytes(), 400) << use;
  EXPECT_LE(threads(), before + 64) << use;
}

TEST(FlatMemory, twenty_thousand_streams_unread) {
  run_streams(2000, "(doquery :smc q [i] :number-of-particles 2)");
}
TEST(FlatMemory, twenty_thousand_streams_read) {
  run_streams(2000, "(first (doquery :lmh q [i]))");
}
TEST(FlatMemory, threads_of_streams_go_with_them) {
  run_streams(50, "(first (doquery :smc q [i] :number-of-particles 2))");
}
TEST(FlatMemory, streams_form_by_form) {
  Script script({}, 1);
  script.evaluate("(defquery q (predict :x (sample (normal 0 1))))", "test");
  const std::size_t before = threads();
  EXPECT_LT(growth(400, [&](int) { script.evaluate("(first (doquery :lmh q nil))", "test"); }), 64);
  EXPECT_LE(threads(), before + 64);
}

// A script that keeps samples and runs more queries: a run needs what its query can reach, and streams
// that are unreachable, or not used, keep no engines.
TEST(FlatMemory, runs_do_not_copy_what_a_script_keeps) {
  Script script({}, 1);
  script.evaluate("(defquery q [n] (vec (repeatedly n (fn [] (sample (normal 0 1))))))", "q");
  script.evaluate("(def kept (doall (map :result (take 20000 (doquery :importance q [50])))))",
                  "k");
  const double before = resident_megabytes();  // the samples are about 25 MB
  for (int i = 0; i < 12; ++i)
    script.evaluate(
        "(def s" + std::to_string(i) + " (doquery :lmh q [3])) (first s" + std::to_string(i) + ")",
        "s");
  EXPECT_LT(resident_megabytes() - before, 100) << "a copy for each run would take 300";
}

TEST(FlatMemory, engines_that_are_not_used_are_dropped) {
  Script script({}, 1);
  script.evaluate(
      "(defquery q [] (loop [i 0] (if (< i 10) (do (observe (normal (sample (normal 0 1)) 1) 1) "
      "(recur (inc i))) i)))",
      "q");
  double before = 0;
  for (int i = 0; i < 12; ++i) {
    script.evaluate("(def s" + std::to_string(i) +
                        " (take 10 (doquery :smc q [] :number-of-particles 20000))) (count s" +
                        std::to_string(i) + ")",
                    "s");
    if (i == 5) before = resident_megabytes();
  }
  EXPECT_LT(resident_megabytes() - before, 100) << "each engine has about 150 MB";
}

}  // namespace
}  // namespace chancel
