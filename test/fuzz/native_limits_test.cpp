// SPDX-License-Identifier: Apache-2.0
// Functions of the library that walk, print, compare or keep more than a machine can hold stop at
// the limits of their run, and end in no signal.
#include <gtest/gtest.h>

#include "chancel/chancel.hpp"
#include "run_case.hpp"

namespace chancel::fuzz {
namespace {

constexpr CaseLimits kLimits{0.3, std::size_t{64} << 20};

const char* const kShared = "(nth (iterate (fn [s] [s s]) 1) 60)";
const char* const kSharedAgain = "(nth (iterate (fn [s] [s s]) 1) 60)";
const char* const kDeep = "(loop [s 1 n 0] (if (< n 1000000) (recur [s] (inc n)) s))";

std::string with(std::string text) {
  const auto put = [&](const std::string& name, const char* value) {
    for (std::size_t at; (at = text.find(name)) != std::string::npos;)
      text.replace(at, name.size(), value);
  };
  put("AGAIN", kSharedAgain);
  put("SHARED", kShared);
  put("DEEP", kDeep);
  return text;
}

class NativeLimits : public testing::TestWithParam<const char*> {};

TEST_P(NativeLimits, HoldInScripts) {
  const std::string text = with(GetParam());
  EXPECT_EQ(finding_of(kLimits, [&] { return run_script(text, kLimits); }), "") << text;
}

INSTANTIATE_TEST_SUITE_P(
    SharedStructure, NativeLimits,
    testing::Values("SHARED", "(println SHARED)", "(str SHARED)", "(pr-str SHARED)",
                    "(hash SHARED)", "(= SHARED AGAIN)", "(compare SHARED AGAIN)",
                    "(get {SHARED 1} AGAIN)", "(count #{SHARED AGAIN})", "(flatten SHARED)",
                    "(clojure.string/join \",\" SHARED)", "(mean SHARED)", "(matrix SHARED)",
                    "(transpose SHARED)", "(add SHARED SHARED)", "(mmul SHARED SHARED)",
                    "(inverse SHARED)", "(svd SHARED)", "(sort [SHARED AGAIN])",
                    "(frequencies [SHARED AGAIN])", "(distinct [SHARED AGAIN])", "(sum SHARED)",
                    "(format \"%s\" SHARED)",
                    "(= (nth (iterate (fn [s] {s s [s] s}) 1) 40)"
                    "   (nth (iterate (fn [s] {s s [s] s}) 1) 40))"));

INSTANTIATE_TEST_SUITE_P(
    NoEnd, NativeLimits,
    testing::Values("(range)", "(println (range))", "(str (range))", "(cos (repeat cos))",
                    "(rand-nth (repeat 1))", "(rand-nth (range))", "(apply str (range))",
                    "(apply + (range))", "(vec (iterate inc 0))", "(hash (range 1e15))",
                    "(= (range 1000000000000) (range 1000000000000))",
                    "(drop 9223372036854775807 (range))", "(last (range 9223372036854775807))",
                    "(print (range 9223372036854775807))", "(range 0 1e17 1/3)",
                    "(log-mv-gamma-fn 9223372036854775807 1.0)",
                    "(mat-repmat ##Inf 9223372036854775807 0)",
                    "(mat-repmat [[]] 9223372036854775807 1)", "(zero-matrix 1e18 0)",
                    "(reshape [1 2] [4294967296 4294967296])",
                    "(doall -9223372036854775808 [1 2])"));

INSTANTIATE_TEST_SUITE_P(
    OutsideTheHeap, NativeLimits,
    testing::Values("(loop [s \"ab\"] (recur (apply str (repeat 100 s))))",
                    "(loop [s \"ab\"] (recur (clojure.string/replace s \"a\" s)))",
                    "(loop [s \"ab\"] (recur (clojure.string/replace s #\"a\" s)))",
                    "(loop [s \"ab\"] (recur (clojure.string/join s [s s s])))",
                    "(identity-matrix 20000)", "(outer-product (range 100000) (range 100000))",
                    "(covariance [(range 100000) (range 100000)] 0)",
                    "(seq (apply str (repeat 20000000 \"a\")))"));

INSTANTIATE_TEST_SUITE_P(Deep, NativeLimits,
                         testing::Values("(hash DEEP)", "(= DEEP DEEP)", "(compare DEEP DEEP)",
                                         "(count (pr-str DEEP))", "(get {DEEP 1} DEEP)",
                                         "(flatten DEEP)", "(str DEEP)"));

INSTANTIATE_TEST_SUITE_P(Decompositions, NativeLimits,
                         testing::Values("(svd [[]])", "(svd [[] []])", "(svd [[##NaN 1] [1 2]])",
                                         "(inverse [[##NaN 1] [1 2]])", "(det [[##NaN 1] [1 2]])",
                                         "(cholesky [[##NaN 1] [1 2]])",
                                         "(solve [[##Inf 1] [1 2]] [1 2])",
                                         "(quantile 0.5 [##NaN 1 2 ##NaN 3])", "(inverse [])",
                                         "(det [])", "(inverse [[1 2 3]])"));

class QueryLimits : public testing::TestWithParam<const char*> {};

TEST_P(QueryLimits, HoldUnderEveryEngine) {
  for (const EngineInfo& engine : engines()) {
    const std::string text = with(GetParam());
    EXPECT_EQ(finding_of(kLimits, [&] { return run_query(text, engine.name, kLimits); }), "")
        << engine.name << ": " << text;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Queries, QueryLimits,
    testing::Values("(defquery q [] (range))",
                    "(defquery q [] (let [x (sample (flip 0.5))] (predict :x (range)) x))",
                    "(defquery q [] (let [x (sample (flip 0.5))] (predict :x SHARED) x))",
                    "(defquery q [] (let [x (sample (flip 0.5))] (observe (flip 0.3) x)"
                    "  (vec (range 40000))))"));

}  // namespace
}  // namespace chancel::fuzz
