// SPDX-License-Identifier: Apache-2.0
// library_fuzz: calls of every library function with extreme arguments, alone, inside each other and
// inside small queries, each in a child process under the limits oracle.
//   library_fuzz [--seconds N] [--seed S] [--first K] [--cases N]
// Case K of a seed is always the same program. Exit 1 when there was a finding.
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <set>
#include <string_view>

#include "chancel/chancel.hpp"
#include "run_case.hpp"

namespace chancel::fuzz {
namespace {

constexpr CaseLimits kLimits{0.25, std::size_t{64} << 20};

constexpr const char* kExtremes[] = {
    "nil",
    "true",
    "false",
    "0",
    "1",
    "-1",
    "2",
    "3",
    "9223372036854775807",
    "-9223372036854775808",
    "0.5",
    "-0.0",
    "1e308",
    "4.9e-324",
    "##NaN",
    "##Inf",
    "##-Inf",
    "1/3",
    "-9223372036854775807/9223372036854775806",
    "\"\"",
    "\"a\"",
    "\"%s %d\"",
    "(apply str (repeat 100000 \"ab\"))",
    "\\a",
    ":k",
    "'s",
    "[]",
    "[[]]",
    "()",
    "{}",
    "#{}",
    "[1 2 3]",
    "[0.2 0.3 0.5]",
    "[[1 2] [3 4]]",
    "[[2.0 0.0] [0.0 2.0]]",
    "[[##NaN 1] [1 2]]",
    "[-1 0]",
    "[nil]",
    "[\"a\" \"b\"]",
    "[[:a 1] [:b 2]]",
    "{:a 1 :b 2}",
    "#{1 2}",
    "(sorted-map 1 2)",
    "(sorted-set 3 1)",
    "(range)",
    "(range 10)",
    "(range 9223372036854775807)",
    "(range 0 1e18 0.5)",
    "(repeat 1)",
    "(cycle [1 2])",
    "(iterate inc 0)",
    "(repeat [1 2])",
    "(repeat \"a\")",
    "(repeat {:a 1})",
    "(repeat (normal 0 1))",
    "(map vector (range) (repeat 1.0))",
    "(lazy-cat [1.0] (iterate inc 1))",
    "(cons [1 2] (repeat [3]))",
    "[(repeat 1) (repeat 1)]",
    "(lazy-seq nil)",
    "(nth (iterate (fn [s] [s s]) 1) 50)",
    "(nth (iterate (fn [s] (list s s)) 1) 50)",
    "(nth (iterate (fn [s] {s s}) 1) 30)",
    "(nth (iterate (fn [s] #{s [s]}) 1) 30)",
    "(loop [s 1 n 0] (if (< n 100000) (recur [s] (inc n)) s))",
    "(loop [s 1 n 0] (if (< n 100000) (recur {:a s} (inc n)) s))",
    "(loop [s 1 n 0] (if (< n 100000) (recur (list s) (inc n)) s))",
    "(vec (range 100000))",
    "inc",
    "+",
    "map",
    "(fn [& xs] xs)",
    "(fn [x] x)",
    "(constantly true)",
    "(mem (fn [x] x))",
    "(normal 0 1)",
    "(flip 0.5)",
    "(discrete [1 2])",
    "(poisson 1e10)",
    "(mvn [0 0] [[1 0] [0 1]])",
    "(DP 1.0 (normal 0 1))",
    "(CRP 1.0)",
    "#\"a*b\"",
    "#\"(a|b)*c\"",
    "(atom 1)",
    "(delay 1)",
    "(ex-info \"a\" {})"};

// They read files or wait for a user; eval is the front end's, which the program fuzzer looks at.
const std::set<std::string_view> kLeftOut = {"slurp", "read-csv",  "read-csv-rows", "read-json",
                                             "spit",  "read-line", "eval"};

// (kind of function, not special forms: these are the business of the program fuzzer)
std::vector<std::string> functions() {
  std::vector<std::string> names;
  for (const FunctionInfo& f : library())
    if (f.kind != "form" && f.kind != "constant" && !kLeftOut.contains(f.name))
      names.push_back(f.name);
  return names;
}

struct Case {
  std::string text;
  std::string engine;  // "": a script
};

class Maker {
 public:
  Maker(std::uint64_t seed, std::uint64_t number, const std::vector<std::string>& names)
      : random_(seed * 0x9e3779b97f4a7c15u + number), names_(names), number_(number) {}

  Case make() {
    // Each function in turn, so that a run of any length spreads over all of them.
    const std::string first = call(names_[number_ % names_.size()], 0);
    switch (below(10)) {
      case 0:
        return {fmt::format("(println {})", first), ""};
      case 1:
        return {fmt::format("(= {} {})", first, first), ""};
      case 2:
        return {fmt::format("(def x {}) (hash x) (str x) (count [x x])", first), ""};
      case 3:
        return in_query(fmt::format("(predict :x {})", first));
      case 4:
        return in_query(fmt::format("(observe {} {})", first, argument(0)));
      case 5:
        return in_query(fmt::format("(predict :x (sample {}))", first));
      default:
        return {first, ""};
    }
  }

 private:
  std::size_t below(std::size_t n) {
    return std::uniform_int_distribution<std::size_t>(0, n - 1)(random_);
  }

  std::string argument(int depth) {
    if (depth < 2 && below(6) == 0) return call(names_[below(names_.size())], depth + 1);
    return kExtremes[below(std::size(kExtremes))];
  }

  std::string call(const std::string& name, int depth) {
    std::string text = "(" + name;
    for (std::size_t n = below(5); n > 0; --n) text += " " + argument(depth);
    return text + ")";
  }

  Case in_query(const std::string& form) {
    static const std::vector<EngineInfo> all = engines();
    return {fmt::format("(defquery q [] (let [z (sample (flip 0.5))] {} (observe (flip 0.3) z) z))",
                        form),
            all[below(all.size())].name};
  }

  std::mt19937_64 random_;
  const std::vector<std::string>& names_;
  std::uint64_t number_;
};

std::string finding(const Case& c) {
  return finding_of(kLimits, [&] {
    return c.engine.empty() ? run_script(c.text, kLimits) : run_query(c.text, c.engine, kLimits);
  });
}

int fuzz(double seconds, std::uint64_t seed, std::uint64_t first, std::uint64_t cases) {
  const std::vector<std::string> names = functions();
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  std::uint64_t findings = 0, number = first;
  for (; std::chrono::steady_clock::now() < end && number - first < cases; ++number) {
    const Case c = Maker(seed, number, names).make();
    const std::string what = finding(c);
    if (what.empty()) continue;
    ++findings;
    fmt::print("case {}: {}\n  {}{}\n", number, what, c.text,
               c.engine.empty() ? "" : "   under " + c.engine);
    std::fflush(stdout);
  }
  fmt::print("library_fuzz: {} cases over {} functions, {} findings\n", number - first,
             names.size(), findings);
  return findings == 0 ? 0 : 1;
}

}  // namespace
}  // namespace chancel::fuzz

int main(int argc, char** argv) {
  double seconds = 60;
  std::uint64_t seed = 1, first = 0, cases = ~std::uint64_t{0};
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string_view option = argv[i];
    if (option == "--seconds")
      seconds = std::atof(argv[i + 1]);
    else if (option == "--seed")
      seed = std::strtoull(argv[i + 1], nullptr, 10);
    else if (option == "--first")
      first = std::strtoull(argv[i + 1], nullptr, 10);
    else if (option == "--cases")
      cases = std::strtoull(argv[i + 1], nullptr, 10);
    else
      return std::fprintf(stderr, "library_fuzz: unknown option %s\n", argv[i]), 64;
  }
  return chancel::fuzz::fuzz(seconds, seed, first, cases);
}
