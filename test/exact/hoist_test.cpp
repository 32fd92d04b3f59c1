// SPDX-License-Identifier: Apache-2.0
// The order of lines (compile/hoist.hpp) leaves posterior, evidence and labels as they are, to
// 1e-12, by enumeration: for programs written down here, which say whether lines may move, for the
// programs of the language tests, and for programs made at random of lines that draw, observe,
// predict, remember and keep state. The planted mistake takes state for harmless.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "core/core.hpp"
#include "exact_program.hpp"

namespace exact {
namespace {

using chancel::Value;
namespace core = chancel::core;

core::LibraryUses all_free() {
  return [](const chancel::Name*) { return core::LibraryUse::Free; };
}

// Weights by labels and values of the predicts, in their order.
using Table = std::map<std::string, double>;

bool same(const Table& a, const Table& b) {
  if (a.size() != b.size()) return false;
  for (const auto& [state, weight] : a) {
    const auto found = b.find(state);
    if (found == b.end() || std::fabs(found->second - weight) > 1e-12) return false;
  }
  return true;
}

struct Case {
  const char* name;
  bool moves;
  const char* program;
};
class Written : public ::testing::TestWithParam<Case> {};

TEST_P(Written, SameTarget) {
  Program program(GetParam().program, Program::NoTarget{});
  bool moved = false;
  const Table before = program.table(nullptr);
  const Table after = program.table(&moved);
  EXPECT_EQ(moved, GetParam().moves);
  EXPECT_TRUE(same(before, after));
  EXPECT_FALSE(before.empty());
}

INSTANTIATE_TEST_SUITE_P(Programs, Written,
                         ::testing::Values(Case{"late_observes", true, R"(
(defquery q []
  (let [a (sample (flip 0.5))
        b (sample (flip (if a 0.75 0.25)))
        c (sample (flip 0.25))]
    (predict :c c)
    (observe (flip (if b 0.75 0.25)) true)
    (observe (flip (if a 0.25 0.75)) true)
    (predict :a a)
    (predict :b b))))"},
                                           Case{"memoised", true, R"(
[assume state (mem (lambda (i) (if (<= i 0) (flip 0.5) (flip (if (state (- i 1)) 0.75 0.25)))))]
[predict (state 3)]
[observe (flip (if (state 3) 0.9 0.2)) true]
[observe (flip (if (state 1) 0.1 0.6)) true]
[predict (state 0)]
[observe (flip (if (state 2) 0.5 0.7)) true])"},
                                           Case{"an_assume_between", true, R"(
[assume a (flip 0.5)]
[assume b (flip (if a 0.75 0.25))]
[predict b]
[assume chance (lambda (x) (if x 0.75 0.25))]
[observe (flip (chance a)) true]
[predict a])"},
                                           Case{"inside_a_function", true, R"(
(defquery q []
  (let [step (fn [x]
               (let [y (sample (flip (if x 0.75 0.25)))
                     z (sample (flip 0.5))]
                 (observe (flip (if x 0.5 0.25)) true)
                 (and y z)))
        a (step true)
        b (step a)]
    (predict :b b))))"},
                                           Case{"through_a_global_function", true, R"(
(defm noisy [x] (observe (flip (if x 0.75 0.25)) true))
(defquery q []
  (let [a (sample (flip 0.5))
        b (sample (flip 0.25))]
    (noisy a)
    (predict :ab [a b]))))"},
                                           Case{"captured", true, R"(
(def q
  (let [p 0.75 unused [1 2] r 0.25]
    (query []
      (let [a (sample (flip r))
            b (sample (flip p))]
        (observe (flip (if a p r)) true)
        (predict :ab [a b])))))
(defquery main [] (predict :x (sample (conditional q :enumerate))))
(defquery other []
  (let [a (sample (flip 0.5)) b (sample (flip 0.5))] (observe (flip (if a 0.5 0.25)) true)
    (predict :b b) a)))"},
                                           Case{"observe_at_the_end", true, R"(
(defquery q []
  (let [a (sample (flip 0.5)) b (sample (flip 0.5))]
    (predict :b b)
    (predict :a a)
    (observe (flip (if a 0.75 0.25)) true))))"},
                                           // --- nothing may move ---
                                           Case{"store", false, R"(
(defquery q []
  (let [a (sample (flip 0.5))
        _ (store :k a)
        b (sample (flip 0.25))
        _ (store :k (or a b))]
    (observe (flip (if (retrieve :k) 0.75 0.25)) true)
    (predict :a a))))"},
                                           Case{"store_in_a_function", false, R"(
(defm keep [x] (store :k x))
(defquery q []
  (let [a (sample (flip 0.5))
        k (keep a)
        b (sample (flip 0.25))
        l (keep b)]
    (observe (flip (if (retrieve :k) 0.75 0.25)) true)
    (predict :a a)
    (predict :b b))))"},
                                           Case{"atoms", false, R"(
(defquery q []
  (let [n (atom 0)
        a (sample (flip 0.5))
        _ (when a (swap! n inc))
        b (sample (flip 0.25))
        _ (when b (swap! n inc))]
    (observe (flip (/ (inc @n) 4)) true)
    (predict :n @n))))"},
                                           Case{"a_function_that_keeps_state", false, R"(
(defquery q []
  (let [n (atom 0)
        count-up (fn [] (swap! n inc))
        twice [count-up count-up]
        a (sample (flip 0.5))
        i ((first twice))
        b (sample (flip 0.25))]
    (observe (flip (/ 1 (+ i (count-up)))) true)
    (observe (flip (/ 1 (+ 1 (count-up)))) true)
    (predict :ab [a b]))))"},
                                           Case{"exceptions", false, R"(
(defquery q []
  (let [a (sample (flip 0.5))
        b (sample (flip 0.5))
        c (try (do (when a (throw (Exception. "a")))
                   (observe (flip 0.25) true)
                   1)
               (catch Exception e 2))]
    (predict :a a)
    (predict :b b)
    (observe (flip (if b 0.75 0.25)) (= c 1)))))"},
                                           Case{"a_function_that_fails_inside_try", false, R"(
(defquery q []
  (let [risky (fn [x]
                (let [y (if x (nth [] 3) 1)
                      z (sample (flip 0.5))]
                  (observe (flip 0.25) true)
                  z))
        a (sample (flip 0.5))
        r (try (risky a) (catch Exception e :failed))]
    (predict :r r))))"},
                                           Case{"catch_and_throw", false, R"(
(defquery q []
  (let [a (sample (flip 0.5))
        b (sample (flip 0.25))
        r (catch :out (do (if a (throw :out 1)) (observe (flip 0.25) true) 2))]
    (predict :r [a b r]))))"},
                                           Case{"processes", false, R"(
[assume seat (crp 1)]
[assume a (seat)]
[assume b (seat)]
[predict a]
[observe (flip (if (= a b) 0.75 0.25)) true]
[observe (flip (if (= (seat) b) 0.5 0.25)) true]
[predict b])"},
                                           Case{"absorbing", false, R"(
(defquery q []
  (let [p (CRP 1)
        a (sample (produce p))
        p (absorb p a)
        b (sample (produce p))
        x (sample (flip 0.5))]
    (predict :x x)
    (observe (flip (if (= a b) 0.75 0.25)) true))))"},
                                           Case{"methods", false, R"(
(defdist counted [p]
  (sample* [this] (store :n (inc (or (retrieve :n) 0))) (sample* (flip p)))
  (observe* [this x] (do (store :n 7) (observe* (flip p) x))))
(defquery q []
  (let [a (sample (flip 0.5))
        b (sample (flip 0.25))]
    (observe (counted 0.75) a)
    (predict :n (retrieve :n)))))"},
                                           Case{"printing", false, R"(
(defquery q []
  (let [a (sample (flip 0.5))
        _ (print "")
        b (sample (flip 0.25))
        _ (print "")]
    (observe (flip (if a 0.75 0.25)) true)
    (predict :b b))))"}),
                         [](const auto& info) { return info.param.name; });

// Labels stand in the order in which they are written, the last of a label counts.
TEST(Hoist, PredictsKeepTheirOrder) {
  Program program(R"(
(defquery q []
  (let [tell (fn [x] (predict :x x) (observe (flip (if x 0.75 0.25)) true))
        a (sample (flip 0.5))
        b (sample (flip (if a 0.75 0.25)))
        c (sample (flip 0.5))]
    (predict :x 1)
    (tell b)
    (tell a)
    (observe (flip (if a 0.25 0.75)) true))))",
                  Program::NoTarget{});
  bool moved = false;
  EXPECT_TRUE(same(program.table(nullptr), program.table(&moved)));
  EXPECT_TRUE(moved);
}

// An observe that checks a draw stays before those that use it.
TEST(Hoist, ChecksStayBeforeUses) {
  Program program(R"(
(defquery q []
  (let [n (sample (uniform-discrete 0 3))
        z (sample (flip 0.5))]
    (predict :z z)
    (observe (dirac (> n 0)) true)
    (observe (uniform-discrete 0 n) 0)
    (predict :n n))))",
                  Program::NoTarget{});
  bool moved = false;
  EXPECT_TRUE(same(program.table(nullptr), program.table(&moved)));
  EXPECT_TRUE(moved);
}

// --- programs of the language tests ---

TEST(Hoist, ProgramsOfTheLanguageTests) {
  namespace fs = std::filesystem;
  constexpr std::size_t kMost = 6;  // steps, each longer than the one before
  int compared = 0;
  int moved_ones = 0;
  std::vector<fs::path> files;
  for (const char* root : {CHANCEL_TEST_LANG, CHANCEL_MODELS})
    for (const auto& entry : fs::recursive_directory_iterator(root))
      if (entry.path().extension() == ".clj" || entry.path().extension() == ".vnt")
        files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) {
    std::ifstream in(file);
    std::ostringstream text;
    text << in.rdbuf();
    const auto has = [&](const char* word) { return text.str().find(word) != std::string::npos; };
    if (!has("observe") || has("nuts")) continue;  // the latter run long when they are loaded
    try {
      Program program(text.str(), Program::NoTarget{});
      const Table before = program.table(nullptr, kMost);
      if (before.empty()) continue;  // too many executions
      bool moved = false;
      EXPECT_TRUE(same(before, program.table(&moved, kMost))) << file;
      ++compared;
      moved_ones += moved;
    } catch (const std::runtime_error&) {  // needs an argument, fails on purpose, has densities
    }
  }
  EXPECT_GT(compared, 30);
  EXPECT_GT(moved_ones, 0);
}

// --- programs at random ---

std::string random_program(std::mt19937& random, bool with_state) {
  const auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  std::vector<std::string> names = {"true"};
  std::string let =
      "(defquery q [] (let [f (mem (fn [i] (sample (flip (if (= i 0) 0.25 0.75)))))\n"
      "g (mem (fn [i] (if (= i 0) (f 0) (sample (flip (if (f (- i 1)) 0.25 0.5))))))\n"
      "h (fn [x] (observe (flip (if x 0.75 0.25)) true))\n"
      "k (fn [x] (store :a x) (if x (sample (flip 0.25)) false))\n";
  const auto value = [&]() -> std::string {
    switch (below(with_state ? 6 : 4)) {
      case 0:
        return fmt::format("(f {})", below(2));
      case 1:
        return fmt::format("(g {})", below(2));
      case 4:
        return "(= true (retrieve :a))";
      case 5:
        return fmt::format("(k {})", names[below(names.size())]);
      default:
        return names[below(names.size())];
    }
  };
  unsigned draws = 0;
  for (int i = 0; i < 9; ++i) {
    const std::string name = fmt::format("v{}", i);
    const std::string v = value();
    switch (below(with_state ? 6 : 5)) {
      case 0:
      case 1:
        if (++draws <= 3) {
          let += fmt::format("{} (sample (flip (if {} 0.25 0.75)))\n", name, v);
          names.push_back(name);
          break;
        }
        [[fallthrough]];
      case 2:
        let += fmt::format("_ (observe (flip (if {} 0.25 0.75)) {})\n", v, below(2) ? "true" : v);
        break;
      case 3:
        let += fmt::format("_ (h {})\n", v);
        break;
      case 4:
        let += fmt::format("_ (predict {} {})\n", below(4), v);
        break;
      case 5:
        let += fmt::format("_ (store :a {})\n", v);
        break;
    }
  }
  return let + fmt::format("] (predict :end {})))", value());
}

TEST(Hoist, RandomPrograms) {
  std::mt19937 random(1);
  int moved_ones = 0;
  for (int i = 0; i < 400; ++i) {
    const std::string text = random_program(random, i % 2 == 0);
    Program program(text, Program::NoTarget{});
    bool moved = false;
    ASSERT_TRUE(same(program.table(nullptr), program.table(&moved))) << text;
    moved_ones += moved;
  }
  EXPECT_GT(moved_ones, 150);
}

TEST(Hoist, StateTakenForHarmlessIsSeen) {
  std::mt19937 random(1);
  int wrong = 0;
  for (int i = 0; i < 100; ++i) {
    const std::string text = random_program(random, true);
    Program program(text, Program::NoTarget{});
    bool moved = false;
    const core::LibraryUses uses = all_free();
    wrong += !same(program.table(nullptr), program.table(&moved, kAllSteps, &uses));
  }
  EXPECT_GT(wrong, 10);
}

}  // namespace
}  // namespace exact
