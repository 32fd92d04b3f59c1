// SPDX-License-Identifier: Apache-2.0
// RunStatistics::predictive_labels: values that are generated, or drawn after everything observed.
#include <gtest/gtest.h>

#include <string>

#include "chancel/chancel.hpp"

namespace {

using namespace chancel;

std::string labels_of(const std::string& text) {
  auto model = Model::compile(text);
  InferOptions options;
  options.algorithm = "importance";
  options.samples = 1;
  std::string out;
  const auto run = model.infer("q", options);
  for (const std::string& label : run.statistics().predictive_labels)
    out += (out.empty() ? "" : " ") + label;
  return out;
}

std::string query(const std::string& body) {
  return "(defquery q (let [x (sample (normal 0 1)) s (sample (gamma 1 1))] " + body + "))";
}

TEST(Predictive, GeneratedValues) {
  EXPECT_EQ(labels_of(query("(observe (normal x s) 1) (predict :x x)"
                            "(predict :y (generate (normal x s)))"
                            "(predict :ys (mapv (fn [i] (generate (normal x s))) [1 2]))"
                            "(predict :far (> (generate (normal x s)) 2))")),
            ":far :y :ys");
  EXPECT_EQ(labels_of(query("(let [y (generate (normal x s)) z (* 2 y)] (observe (normal x s) 1)"
                            "(predict :x x) (predict :z z))")),
            ":z");
  EXPECT_EQ(labels_of("(defn simulate [x] (generate (normal x 1))) (defn twice [x] (simulate x))" +
                      query("(observe (normal x s) 1) (predict :y (twice x)) (predict :s s)")),
            ":y");
  EXPECT_EQ(labels_of(query("(observe (normal x s) 1) (generate (normal x s))")), ":result");
}

TEST(Predictive, AFunctionOfTheProgramThatIsCalledGenerateIsNoneOfTheLibrary) {
  EXPECT_EQ(labels_of("(defn generate [x] (* 2 x))" +
                      query("(observe (normal x s) 1) (predict :y (generate x))")),
            "");
}

TEST(Predictive, DrawsAfterEverythingObserved) {
  EXPECT_EQ(labels_of(query("(observe (normal x s) 1) (predict :x x)"
                            "(predict :y (sample (normal x s)))")),
            ":y");
  EXPECT_EQ(labels_of("(defn draw [x] (sample (normal x 1)))" +
                      query("(doseq [y [1 2]] (observe (normal x s) y))"
                            "(let [y (draw x)] (predict :y y) (predict :x x))")),
            ":y");
  EXPECT_EQ(labels_of(query("(predict :x x) (predict :y (sample (normal x s)))")), "");
}

TEST(Predictive, NotDrawsThatSomethingObservedMayDependOn) {
  // Of a loop that observes, in which every draw comes after an observe of the text.
  EXPECT_EQ(labels_of("(defquery q (loop [x (sample (normal 0 1)) ys [1 2 3]]"
                      "  (if (empty? ys) (predict :x x)"
                      "    (do (observe (normal x 1) (first ys))"
                      "        (recur (sample (normal x 1)) (rest ys))))))"),
            "");
  EXPECT_EQ(labels_of(query("(let [see (fn [z] (observe (normal z 1) 1)) z (sample (normal x s))]"
                            "(see z) (predict :z z))")),
            "");
  EXPECT_EQ(labels_of("(defn see [z] (observe (normal z 1) 1))" +
                      query("(see x) (let [z (sample (normal x s))] (see z) (predict :z z))")),
            "");
  EXPECT_EQ(labels_of(query("(observe (normal x s) 1)"
                            "(let [z (sample (normal x s))] (factor (- z)) (predict :z z))")),
            "");
  EXPECT_EQ(labels_of(query("(observe (normal (sample (normal x s)) 1) 1) (predict :x x)")), "");
}

TEST(Predictive, EveryPredictOfALabelCounts) {
  EXPECT_EQ(labels_of(query("(observe (normal x s) 1)"
                            "(if (> x 0) (predict :y x) (predict :y (generate (normal x s))))")),
            "");
}

}  // namespace
