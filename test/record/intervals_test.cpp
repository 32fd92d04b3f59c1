// SPDX-License-Identifier: Apache-2.0
// Bounds of nodes: those of the transforms, of sums and products, and none where no rule is known.
#include "record/intervals.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace {

using namespace chancel;

class Intervals : public testing::Test {
 protected:
  NodeRange of(NodeIndex i) const { return node_ranges(graph_)[i]; }
  NodeIndex number(double x) { return graph_.constant(x); }
  NodeIndex apply(GraphOp op, NodeIndex a) { return graph_.apply(op, {a}); }
  NodeIndex apply(GraphOp op, NodeIndex a, NodeIndex b) { return graph_.apply(op, {a, b}); }
  void expect(NodeIndex i, double lower, double upper) const {
    EXPECT_EQ(of(i).lower, lower);
    EXPECT_EQ(of(i).upper, upper);
  }

  Graph graph_;
  NodeIndex line_ = graph_.input(0.3);
  NodeIndex positive_ = apply(GraphOp::Exp, line_);
  NodeIndex unit_ = apply(GraphOp::Logistic, graph_.input(-1.2));
};

TEST_F(Intervals, of_transforms) {
  expect(line_, -INFINITY, INFINITY);
  expect(positive_, 0, INFINITY);
  expect(unit_, 0, 1);
  expect(apply(GraphOp::Add, number(2), apply(GraphOp::Multiply, number(3), unit_)), 2, 5);
  expect(apply(GraphOp::Subtract, number(1), positive_), -INFINITY, 1);
}

TEST_F(Intervals, of_functions) {
  expect(apply(GraphOp::Multiply, line_, line_), 0, INFINITY);
  expect(apply(GraphOp::Multiply, positive_, unit_), 0, INFINITY);
  expect(apply(GraphOp::Sqrt, apply(GraphOp::Add, positive_, number(4))), 2, INFINITY);
  expect(apply(GraphOp::Log, apply(GraphOp::Add, unit_, number(1))), 0, std::log(2.0));
  expect(apply(GraphOp::Divide, number(1), apply(GraphOp::Add, unit_, number(1))), 0.5, 1);
  expect(apply(GraphOp::Abs, apply(GraphOp::Subtract, unit_, number(3))), 2, 3);
  expect(apply(GraphOp::Larger, line_, number(0)), 0, INFINITY);
  expect(apply(GraphOp::Smaller, unit_, positive_), 0, 1);
}

TEST_F(Intervals, are_the_line_where_nothing_is_known) {
  expect(apply(GraphOp::Divide, number(1), line_), -INFINITY, INFINITY);
  expect(apply(GraphOp::Subtract, positive_, positive_), -INFINITY, INFINITY);
  expect(apply(GraphOp::LogGamma, positive_), -INFINITY, INFINITY);
  expect(apply(GraphOp::Tan, unit_), -INFINITY, INFINITY);
}

// Every value lies within the bounds.
TEST_F(Intervals, hold) {
  for (const NodeIndex i :
       {positive_, unit_, apply(GraphOp::Tanh, line_), apply(GraphOp::Sin, line_),
        apply(GraphOp::Pow, positive_, line_), apply(GraphOp::Hypot, line_, unit_),
        apply(GraphOp::LogLogisticSlope, line_), apply(GraphOp::Floor, unit_)}) {
    EXPECT_LE(of(i).lower, graph_.value(i));
    EXPECT_GE(of(i).upper, graph_.value(i));
  }
}

}  // namespace
