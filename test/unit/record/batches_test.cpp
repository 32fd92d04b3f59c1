// SPDX-License-Identifier: Apache-2.0
// Values and derivatives of small graphs, against formulas. Programs as graphs are compared with plain executions in
// test/record.
#include "record/batches.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "dist/distribution.hpp"

namespace chancel {
namespace {

// A density over two numbers whose log is a^2 b: it counts how often it is asked.
class SquareTimes final : public WideEvaluator {
 public:
  double log_prob(const WideDistribution&, const double* x) override {
    ++asked;
    return x[0] * x[0] * x[1];
  }
  void gradient(const WideDistribution&, const double* x, double* out) override {
    out[0] = 2 * x[0] * x[1];
    out[1] = x[0] * x[0];
  }
  int asked = 0;
};

class BatchesTest : public ::testing::Test {
 protected:
  Graph graph;
  SquareTimes wide;

  Batches plan(const std::vector<NodeIndex>& terms, const std::vector<NodeIndex>& guarded = {},
               const std::vector<NodeIndex>& outputs = {}) {
    return {graph, {terms, {}, {}, graph.plates()}, guarded, outputs, wide};
  }
  // Derivatives of the sum of the terms in all inputs.
  std::vector<double> gradient(Batches& b, double likelihood_weight = 1) const {
    std::vector<double> out(graph.inputs().size(), NAN);
    b.sums(true, likelihood_weight);
    b.backward(likelihood_weight, out.data());
    return out;
  }
};

TEST_F(BatchesTest, EvaluatesAtNewInputsAndDifferentiates) {
  const NodeIndex x = graph.input(1), y = graph.input(1);
  const NodeIndex product = graph.apply(GraphOp::Multiply, {graph.apply(GraphOp::Log, {x}), y});
  const std::vector<NodeIndex> terms = {graph.apply(GraphOp::Add, {product, x})};
  Batches b = plan(terms);
  const double at[] = {2, 3};
  b.forward(at);
  EXPECT_DOUBLE_EQ(b.value(terms[0]), 3 * std::log(2.0) + 2);
  const std::vector<double> slope = gradient(b);
  EXPECT_DOUBLE_EQ(slope[0], 3.0 / 2 + 1);
  EXPECT_DOUBLE_EQ(slope[1], std::log(2.0));
  EXPECT_EQ(graph.value(terms[0]), 1);  // the graph itself stays as it was recorded
}

TEST_F(BatchesTest, AddsUpDerivativesOfASharedNode) {
  const NodeIndex x = graph.input(0);
  const NodeIndex u = graph.apply(GraphOp::Add, {x, graph.constant(1)});
  const std::vector<NodeIndex> terms = {graph.apply(GraphOp::Multiply, {u, u}),
                                        graph.apply(GraphOp::Exp, {u})};
  Batches b = plan(terms);
  const double at[] = {0.5};
  b.forward(at);
  EXPECT_DOUBLE_EQ(gradient(b)[0], 2 * 1.5 + std::exp(1.5));
}

TEST_F(BatchesTest, RowsOfOneOperationAreOneBatch) {
  const NodeIndex scale = graph.input(1);
  std::vector<NodeIndex> terms;
  for (int i = 0; i < 40; ++i) {
    const NodeIndex row = graph.apply(GraphOp::Multiply, {scale, graph.constant(i + 2)});
    terms.push_back(graph.apply(GraphOp::Sqrt, {row}));
  }
  Batches b = plan(terms);
  EXPECT_EQ(b.batch_count(), 2u);  // the products, then the roots
  const double at[] = {4};
  b.forward(at);
  double slope = 0;
  for (int i = 0; i < 40; ++i) {
    EXPECT_DOUBLE_EQ(b.value(terms[static_cast<std::size_t>(i)]), 2 * std::sqrt(i + 2.0));
    slope += std::sqrt(i + 2.0) / 4;  // of sqrt(s k) at s = 4
  }
  EXPECT_NEAR(gradient(b)[0], slope, 1e-12);
}

TEST_F(BatchesTest, LogDensitiesOfRowsShareTheirParameters) {
  const Density* const normal = find_distribution("normal")->density;
  const NodeIndex parameters[] = {graph.input(0), graph.input(1)};
  std::vector<NodeIndex> terms;
  const double data[] = {-1, 0.5, 3};
  for (const double x : data)
    terms.push_back(graph.log_prob(normal, parameters, graph.constant(x)));
  Batches b = plan(terms);
  EXPECT_EQ(b.batch_count(), 1u);
  const double at[] = {0.25, 2};
  b.forward(at);
  double mean = 0, sd = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const double z = (data[i] - 0.25) / 2;
    EXPECT_NEAR(b.value(terms[i]), -0.5 * z * z - std::log(2.0) - 0.5 * std::log(2 * M_PI), 1e-14);
    mean += z / 2;
    sd += (z * z - 1) / 2;
  }
  const std::vector<double> slope = gradient(b);
  EXPECT_NEAR(slope[0], mean, 1e-14);
  EXPECT_NEAR(slope[1], sd, 1e-14);
}

TEST_F(BatchesTest, SomeOfTheTermsHaveAWeight) {
  const NodeIndex x = graph.input(0);
  const std::vector<NodeIndex> terms = {graph.apply(GraphOp::Exp, {x}),
                                        graph.apply(GraphOp::Multiply, {x, graph.constant(3)}),
                                        graph.apply(GraphOp::Negate, {x})};
  Batches b(graph, {{terms[0]}, {terms[1]}, {terms[2]}, {}}, {}, {}, wide);
  const double at[] = {0};
  b.forward(at);
  EXPECT_DOUBLE_EQ(gradient(b)[0], 1 + 3 - 1);
  EXPECT_DOUBLE_EQ(gradient(b, 0.5)[0], 1 + 1.5 - 1);
  const Batches::Sums sums = b.sums(false, 0.5);
  EXPECT_EQ(sums.prior, 1);
  EXPECT_EQ(sums.likelihood, 0);
  EXPECT_EQ(sums.jacobian, 0);
}

TEST_F(BatchesTest, GuardsHaveValuesAndOutputsWaitUntilTheyAreAskedFor) {
  const NodeIndex x = graph.input(1);
  const std::vector<NodeIndex> terms = {graph.apply(GraphOp::Negate, {x})};
  const NodeIndex guard = graph.apply(GraphOp::Floor, {x});
  const NodeIndex output = graph.apply(GraphOp::Exp, {x});
  Batches b = plan(terms, {guard}, {output});
  const double at[] = {2.5};
  b.forward(at);
  EXPECT_EQ(b.value(guard), 2);
  EXPECT_DOUBLE_EQ(b.value(output), std::exp(1.0));  // of the recording, until it is needed
  b.forward_outputs();
  EXPECT_DOUBLE_EQ(b.value(output), std::exp(2.5));
  EXPECT_EQ(gradient(b)[0], -1);  // of the terms alone
}

TEST_F(BatchesTest, DensitiesOfCollectionsAreAskedOfTheEvaluator) {
  const NodeIndex operands[] = {graph.input(1), graph.input(1)};
  const std::vector<NodeIndex> terms = {graph.log_prob(WideDistribution{}, operands, 1)};
  Batches b = plan(terms);
  EXPECT_EQ(wide.asked, 0);
  const double at[] = {3, -2};
  b.forward(at);
  EXPECT_EQ(wide.asked, 1);
  EXPECT_EQ(b.value(terms[0]), -18);
  EXPECT_EQ(gradient(b), (std::vector<double>{-12, 9}));
}

TEST_F(BatchesTest, ImpossibleTermsOfASumHaveNoDerivative) {
  const Density* const exponential = find_distribution("exponential")->density;
  const NodeIndex x = graph.input(1), rate = graph.input(1);
  // log(exp(x) + density of -1): x, since an exponential draw is positive.
  const NodeIndex parts[] = {x, graph.log_prob(exponential, {&rate, 1}, graph.constant(-1))};
  const std::vector<NodeIndex> terms = {graph.apply(GraphOp::LogSumExp, parts)};
  Batches b = plan(terms);
  const double at[] = {2, 3};
  b.forward(at);
  EXPECT_EQ(b.value(parts[1]), -INFINITY);
  EXPECT_DOUBLE_EQ(b.value(terms[0]), 2);
  EXPECT_EQ(gradient(b), (std::vector<double>{1, 0}));
}

}  // namespace
}  // namespace chancel
