// SPDX-License-Identifier: Apache-2.0
// What becomes of branches and of loops over rows in the flow of values. That the steps are right is tested in
// test/record/steps_test.cpp.
#include "single_site/trace_flow.hpp"

#include <gtest/gtest.h>

#include "../small_query.hpp"

namespace chancel {
namespace {

class TraceFlowTest : public ::testing::Test {
 protected:
  // The recording of this body of a query, with these draws.
  const Dataflow& flow_of(const std::string& body, const std::vector<Value>& values) {
    made_.reset();
    workers_.reset();
    query_.emplace(("(defquery q [] " + body + ")").c_str());
    workers_.emplace(query_->setup(), nullptr, 64 << 20);
    Executor& machine = workers_->machine(0);
    machine.stream = Stream(StreamName{5}, 0, 0);
    Prefix prefix;
    EXPECT_TRUE(prefix.run(machine, workers_->setup()));
    made_ = TraceFlow::record(machine, prefix, values);
    EXPECT_NE(made_, nullptr) << body;
    if (!made_) made_ = std::make_unique<TraceFlow>();
    return made_->flow;
  }
  std::size_t nodes(FlowOp op) {
    std::size_t count = 0;
    for (NodeIndex i = 0; i < made_->flow.size(); ++i) count += made_->flow.node(i).op == op;
    return count;
  }
  // Control depends on.
  std::size_t pinned() {
    std::size_t count = 0;
    for (NodeIndex i = 0; i < made_->flow.size(); ++i) count += made_->flow.node(i).pinned;
    return count;
  }
  struct Branch {
    const char* body;
    std::size_t selects, pinned;
  };
  void check(const std::vector<Branch>& branches, const std::vector<Value>& values) {
    for (const Branch& b : branches) {
      SCOPED_TRACE(b.body);
      flow_of(b.body, values);
      EXPECT_EQ(nodes(FlowOp::Select), b.selects);
      EXPECT_EQ(pinned(), b.pinned);
    }
  }

 private:
  std::optional<SmallQuery> query_;
  std::optional<WorkerPool> workers_;
  std::unique_ptr<TraceFlow> made_;
};

TEST_F(TraceFlowTest, WaysThatComputeAreSelected) {
  check({{"(if (sample (flip 0.5)) 1 -1)", 1, 0},
         {"(let [a (sample (flip 0.5))] [(if a 1 -1) (if-not a :x :y) (when a 3)])", 3, 0},
         {"(let [a (sample (flip 0.5))] (if (not a) (if (nil? a) 1 2) (+ 1 2)))", 3, 0},
         {"(let [a (sample (flip 0.5)) f (fn [x] (if a (* 2 x) x))] (f (if a 1 2)))", 2, 0},
         {"(let [a (sample (flip 0.5))] (or (and a :yes) :no))", 2, 0},
         {"(let [a (sample (flip 0.5))] (+ 1 (if a 1 1)))", 0, 0}},
        {Value::boolean(true)});
  check(
      {{"(case (sample (discrete [1 1 1])) 0 :a 1 :b :c)", 2, 0},
       {"(let [k (sample (discrete [1 1 1]))] (cond (= k 0) 5 (< k 2) (* k 2) (<= 7 k) 1 :else 0))",
        3, 0},
       {"(nth [:a :b :c] (sample (discrete [1 1 1])))", 0, 0},
       {"(let [k (sample (discrete [1 1 1]))] (if (= k 2) (normal 0 1) (normal k 2)))", 1, 0}},
      {Value::integer(2)});
}

TEST_F(TraceFlowTest, OthersAreGuarded) {
  check(
      {// they draw or observe, in the way that is taken or the other one
       {"(if (sample (flip 0.5)) (observe (normal 0 1) 1) 2)", 0, 1},
       {"(if (sample (flip 0.5)) 2 (sample (normal 0 1)))", 0, 1},
       {"(if (sample (flip 0.5)) 2 (do (predict :x 1) 2))", 0, 1},
       // the other way fails, has an effect, loops or takes long
       {"(if (sample (flip 0.5)) 2 (nth [1] 5))", 0, 1},
       {"(let [a (atom 0)] (if (sample (flip 0.5)) 2 (reset! a 1)))", 0, 1},
       {"(let [a (sample (flip 0.5))] (if a 2 (loop [i 0 x a] (if (= i 9) x (recur (inc i) 1)))))",
        0, 1},
       {"(let [a (sample (flip 0.5))] (if a 2 (count (filterv (fn [x] (= x a)) [1 2]))))", 0, 1},
       // collections and functions
       {"(if (sample (flip 0.5)) [1 2] [1])", 0, 1},
       {"((if (sample (flip 0.5)) (fn [] 1) (fn [] 2)))", 0, 1}},
      {Value::boolean(true)});
}

TEST_F(TraceFlowTest, WhatWasTriedLeavesNoNodes) {
  const std::size_t size = flow_of("(if (sample (flip 0.5)) 2 3)", {Value::boolean(true)}).size();
  EXPECT_EQ(size, 2u);  // the draw and its choice
  const Dataflow& flow = flow_of(
      "(let [a (sample (flip 0.5)) x (if a 1 2)] (if a (+ 1 (* x 2) (- x)) (sample (normal x 1))))",
      {Value::boolean(true)});
  std::size_t calls = 0;
  for (NodeIndex i = 0; i < flow.size(); ++i)
    calls += const_cast<Dataflow&>(flow).node(i).op == FlowOp::Call;
  EXPECT_EQ(calls, 4u);  // those of the way that was taken, once
}

TEST_F(TraceFlowTest, RowsOfOneShapeAreTakenTogether) {
  const auto rows = [&](const std::string& body) {
    const std::string text =
        "(let [a (sample (normal 0 1)) b (sample (normal 0 1)) s (sample (gamma 1 1))"
        "      xs (map (fn [i] (/ i 7.0)) (range 100))] " +
        body + " [a b s])";
    return flow_of(text, {Value::real(0.3), Value::real(-1), Value::real(0.7)}).rows();
  };
  EXPECT_EQ(rows("(doseq [x xs] (observe (normal (+ a (* b x)) s) x))"), 1u);
  EXPECT_EQ(nodes(FlowOp::Rows), 1u);
  EXPECT_EQ(nodes(FlowOp::Observe), 0u);
  EXPECT_EQ(rows("(dorun (map (fn [x y] (observe (normal (+ a (* b x)) (exp s)) y)) xs xs))"), 1u);
  EXPECT_EQ(rows("(loop [k 0] (when (< k 100) (observe (flip (/ 1 (+ 1 (exp (* a (nth xs k)))))) "
                 "true) (recur (inc k))))"),
            1u);
  EXPECT_EQ(rows("(doseq [x xs] (observe (normal a s) x) (observe (laplace (- b x) 1) x))"), 2u);
  EXPECT_EQ(rows("(doseq [x xs] (if (< x 7) (observe (normal a s) x) (observe (normal b s) x)))"),
            2u);
  // too few, of two shapes, of two observes each, or looked at
  EXPECT_EQ(rows("(doseq [x (take 15 xs)] (observe (normal a s) x))"), 0u);
  EXPECT_EQ(
      rows("(doseq [x xs] (let [m (* a x)] (observe (normal m s) x) (observe (normal m 1) x)))"),
      0u);
  EXPECT_EQ(rows("(doseq [x xs] (let [m (* a x)] (predict :m m) (observe (normal m s) x)))"), 0u);
}

}  // namespace
}  // namespace chancel
