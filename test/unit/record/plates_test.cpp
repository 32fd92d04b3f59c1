// SPDX-License-Identifier: Apache-2.0
// Rows of a graph: which of them become rows of plates, what becomes of nodes that other rows use, and what plates give.
// Programs are compared with plain executions in test/record (programs/plates.clj).
#include <gtest/gtest.h>

#include <cmath>

#include "dist/distribution.hpp"
#include "record/batches.hpp"

namespace chancel {
namespace {

struct NoWide final : WideEvaluator {
  double log_prob(const WideDistribution&, const double*) override { return NAN; }
  void gradient(const WideDistribution&, const double*, double*) override {}
};

class Plates : public ::testing::Test {
 protected:
  Graph graph;
  NoWide wide;
  std::vector<NodeIndex> scores;
  const Density* const normal = find_distribution("normal")->density;

  // A row that ends in the density of y.
  NodeIndex observe(NodeIndex mean, NodeIndex sd, double y) {
    const NodeIndex parameters[] = {mean, sd};
    scores.push_back(graph.log_prob(normal, parameters, graph.row_constant(y)));
    graph.end_row(scores.back(), TermKind::Likelihood);
    return scores.back();
  }
  NodeIndex line(NodeIndex a, NodeIndex b, double x) {
    return graph.apply(GraphOp::Add,
                       {a, graph.apply(GraphOp::Multiply, {b, graph.row_constant(x)})});
  }
  Batches plan() {
    graph.close(scores, {});
    Batches::Terms terms{{}, {}, {}, graph.plates()};
    for (const NodeIndex score : scores)
      if (const NodeIndex node = graph.term(score).node; node != RowStore::kNone)
        terms.likelihood.push_back(node);
    return {graph, terms, {}, {}, wide};
  }
  static double x(int i) { return i % 7 - 2.5; }
  static double y(int i) { return i % 5 - 1.5; }
};

double normal_log_prob(double mean, double sd, double y) {
  const double z = (y - mean) / sd;
  return -0.5 * z * z - std::log(sd) - 0.5 * std::log(2 * M_PI);
}

TEST_F(Plates, RowsOfOneShapeAreOne) {
  const NodeIndex a = graph.input(0), b = graph.input(1), sd = graph.input(1);
  for (int i = 0; i < 600; ++i) observe(line(a, b, x(i)), sd, y(i));
  Batches batches = plan();
  ASSERT_EQ(graph.plates().size(), 1u);
  EXPECT_EQ(graph.plates()[0]->rows, 599u);  // the first one was alone
  EXPECT_EQ(graph.plates()[0]->columns, 2u);
  const double at[] = {0.3, -0.7, 1.4};
  batches.forward(at);
  double sum = 0, slopes[3] = {};
  for (int i = 0; i < 600; ++i) {
    const double mean = at[0] + at[1] * x(i), z = (y(i) - mean) / at[2];
    sum += normal_log_prob(mean, at[2], y(i));
    slopes[0] += z / at[2];
    slopes[1] += x(i) * z / at[2];
    slopes[2] += (z * z - 1) / at[2];
  }
  EXPECT_NEAR(batches.sums(true, 1).likelihood, sum, 1e-10);
  double gradient[3];
  batches.backward(1, gradient);
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(gradient[k], slopes[k], 1e-9);
  batches.sums(true, 0.25);
  batches.backward(0.25, gradient);
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(gradient[k], 0.25 * slopes[k], 1e-9);
  const std::vector<double> of_rows = batches.scores_of_plate(0);
  ASSERT_EQ(of_rows.size(), 599u);
  EXPECT_DOUBLE_EQ(of_rows[598], normal_log_prob(at[0] + at[1] * x(599), at[2], y(599)));
  EXPECT_EQ(graph.term(scores[599]).place.row, 598u);
  EXPECT_NE(graph.term(scores[0]).node, RowStore::kNone);
}

TEST_F(Plates, FewRowsAreNodes) {
  const NodeIndex a = graph.input(0), b = graph.input(1), sd = graph.input(1);
  for (int i = 0; i < 10; ++i) observe(line(a, b, x(i)), sd, y(i));
  plan();
  EXPECT_EQ(graph.plates().size(), 0u);
}

TEST_F(Plates, TwoShapesInTurnAreTwo) {
  const NodeIndex a = graph.input(0), b = graph.input(1), sd = graph.input(1);
  for (int i = 0; i < 100; ++i) {
    observe(line(a, b, x(i)), sd, y(i));
    observe(a, sd, y(i));
  }
  plan();
  ASSERT_EQ(graph.plates().size(), 2u);
  EXPECT_EQ(graph.plates()[0]->rows, 99u);
  EXPECT_EQ(graph.plates()[1]->rows, 99u);
}

TEST_F(Plates, WhatRowsShareMayDifferFromRowToRow) {
  NodeIndex effects[4];
  for (NodeIndex& e : effects) e = graph.input(0);
  const NodeIndex sd = graph.input(1);
  for (int i = 0; i < 100; ++i) observe(effects[i % 4], sd, y(i));
  Batches batches = plan();
  ASSERT_EQ(graph.plates().size(), 1u);
  EXPECT_EQ(graph.plates()[0]->gathered.size(), 1u);
  const double at[] = {0.5, -1, 2, 0, 1.5};
  batches.forward(at);
  double sum = 0;
  for (int i = 0; i < 100; ++i) sum += normal_log_prob(at[i % 4], 1.5, y(i));
  EXPECT_NEAR(batches.sums(false, 1).likelihood, sum, 1e-11);
}

// The rows of a loop after one that had other effects begin a plate of their own.
TEST_F(Plates, LongPlatesKeepWhatTheyShare) {
  const NodeIndex first = graph.input(0), second = graph.input(0), sd = graph.input(1);
  for (int i = 0; i < 50; ++i) observe(first, sd, y(i));
  for (int i = 0; i < 50; ++i) observe(second, sd, y(i));
  plan();
  ASSERT_EQ(graph.plates().size(), 2u);
  for (const auto& plate : graph.plates()) EXPECT_TRUE(plate->gathered.empty());
}

// Means that were made before the loop over observes belong to its rows.
TEST_F(Plates, ARowTakesOverWhatOnlyItUses) {
  const NodeIndex a = graph.input(0), b = graph.input(1), sd = graph.input(1);
  std::vector<NodeIndex> means;
  for (int i = 0; i < 100; ++i) means.push_back(line(a, b, x(i)));
  const std::size_t nodes = graph.size();
  for (int i = 0; i < 100; ++i) observe(means[static_cast<std::size_t>(i)], sd, y(i));
  plan();
  ASSERT_EQ(graph.plates().size(), 1u);
  EXPECT_GE(graph.plates()[0]->rows, 98u);
  EXPECT_EQ(graph.plates()[0]->columns, 2u);
  EXPECT_LE(graph.size(), nodes + 20);
}

// A parameter that was computed with a number is a node of the graph once two rows have used it.
TEST_F(Plates, WhatManyRowsUseIsANode) {
  const NodeIndex a = graph.input(1);
  const NodeIndex sd = graph.apply(GraphOp::Multiply, {graph.row_constant(2), a});
  for (int i = 0; i < 100; ++i) observe(a, sd, y(i));
  plan();
  ASSERT_EQ(graph.plates().size(), 1u);
  EXPECT_EQ(graph.plates()[0]->steps.size(), 1u);  // the density alone
}

// The errors of a moving average: each is made from the one before.
TEST_F(Plates, RecurrencesAreNodes) {
  const NodeIndex theta = graph.input(0.5), sd = graph.input(1);
  NodeIndex error = graph.constant(0);
  for (int i = 0; i < 200; ++i) {
    error = graph.apply(GraphOp::Subtract,
                        {graph.row_constant(y(i)), graph.apply(GraphOp::Multiply, {theta, error})});
    const NodeIndex parameters[] = {graph.constant(0), sd};
    scores.push_back(graph.log_prob(normal, parameters, error));
    graph.end_row(scores.back(), TermKind::Likelihood);
  }
  Batches batches = plan();
  EXPECT_LT(graph.size(), 1000u);
  const double at[] = {-0.4, 1.2};
  batches.forward(at);
  double sum = 0, now = 0;
  for (int i = 0; i < 200; ++i) {
    now = y(i) - at[0] * now;
    sum += normal_log_prob(0, at[1], now);
  }
  EXPECT_NEAR(batches.sums(false, 1).likelihood, sum, 1e-10);
}

// What is the same in all rows is computed once.
TEST_F(Plates, StepsWithoutNumbersOfTheirOwnAreNodes) {
  const NodeIndex a = graph.input(1);
  for (int i = 0; i < 100; ++i) {
    const NodeIndex sd =
        graph.apply(GraphOp::Exp, {graph.apply(GraphOp::Multiply, {a, graph.row_constant(0.5)})});
    observe(a, sd, y(i));
  }
  plan();
  ASSERT_EQ(graph.plates().size(), 1u);
  EXPECT_EQ(graph.plates()[0]->steps.size(), 1u);
}

}  // namespace
}  // namespace chancel
