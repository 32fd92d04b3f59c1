// SPDX-License-Identifier: Apache-2.0
// The graph of a recorded program: numbers that are constants, inputs (one for each coordinate of the
// draws on the real line) or functions of earlier ones. Nodes are made one after the other with their
// present values, and never twice: equal functions of equal operands are one node.
#pragma once
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "value/density.hpp"

namespace chancel {

struct DistType;

enum class GraphOp : std::uint8_t {
  Constant,
  Input,
#define CHANCEL_UNARY(name, value, dx) name,
#define CHANCEL_BINARY(name, value, dx, dy) name,
#include "record/graph_ops.def"
  SumOfProducts,  // only made by Batches (fused_sums.hpp)
  LogSumExp,      // of all operands
  LogProb,        // log density of the distribution: parameters, then the value
  WideLogProb,    // the same for distributions over collections of numbers (Graph::wide)
  Cholesky,       // array_ops.hpp: functions with several results
  Inverse,
  Determinant,
  Solution,
  Softmax,
  Element,  // another of their results: the k-th is k nodes after its operand, the first
};

using NodeIndex = std::uint32_t;

// The log density of a distribution whose parameters or value are collections.
struct WideDistribution {
  const DistType* type;
  std::vector<Value> args;  // of the constructor; nodes where they depend on draws
  Value x;
  // Operands of the node stand for these of its numbers (WideDensity): parameters, then value.
  std::vector<std::uint32_t> places;
  std::uint32_t numbers;  // of parameters and value together
  // Index in Graph::wide() of this distribution, perhaps with another value.
  std::uint32_t same = 0;
};

class Graph {
 public:
  struct Node {
    GraphOp op;
    std::uint32_t first, count;        // operands, in operands()
    const Density* density = nullptr;  // LogProb
    std::uint32_t wide = 0;            // WideLogProb: index into wide()
    std::uint32_t results = 1;
  };

  NodeIndex constant(double value);
  // Of a number of a program: the node that it is, or a constant.
  NodeIndex node_of(const Value& number);
  NodeIndex input(double value);
  NodeIndex apply(GraphOp op, std::initializer_list<NodeIndex> operands) {
    return apply(op, std::span(operands.begin(), operands.size()));
  }
  NodeIndex apply(GraphOp op, std::span<const NodeIndex> operands);
  // A function with `results` results: the node of the first; the others follow it.
  NodeIndex apply(GraphOp op, std::span<const NodeIndex> operands, std::uint32_t results);
  NodeIndex log_prob(const Density* density, std::span<const NodeIndex> parameters, NodeIndex x);
  // `value` is its present value.
  NodeIndex log_prob(WideDistribution distribution, std::span<const NodeIndex> operands,
                     double value);

  std::size_t size() const { return nodes_.size(); }
  const Node& node(NodeIndex i) const { return nodes_[i]; }
  double value(NodeIndex i) const { return values_[i]; }
  bool is_constant(NodeIndex i) const { return nodes_[i].op == GraphOp::Constant; }
  std::span<const NodeIndex> operands(NodeIndex i) const {
    return {operands_.data() + nodes_[i].first, nodes_[i].count};
  }
  const std::vector<NodeIndex>& inputs() const { return inputs_; }
  std::vector<WideDistribution>& wide() { return wide_; }
  const std::vector<WideDistribution>& wide() const { return wide_; }
  std::size_t bytes() const;  // that it takes, about

 private:
  NodeIndex add(const Node& node, std::span<const NodeIndex> operands, double value);
  // The node with this operation and these operands, if there is one; its key in any case.
  std::optional<NodeIndex> find(const Node& node, std::span<const NodeIndex> operands,
                                std::uint64_t* key) const;
  NodeIndex find_or_add(Node node, std::span<const NodeIndex> operands);

  std::vector<Node> nodes_;
  std::vector<NodeIndex> operands_;
  std::vector<double> values_;
  std::vector<NodeIndex> inputs_;
  std::vector<WideDistribution> wide_;
  std::unordered_multimap<std::uint64_t, std::uint32_t> known_distributions_;  // by hash
  std::unordered_map<std::uint64_t, NodeIndex> constants_;                     // by bits
  std::unordered_multimap<std::uint64_t, NodeIndex> known_;                    // by hash
};

// The value of a function of one or two numbers, or of several (LogSumExp).
double graph_value(GraphOp op, std::span<const double> operands);

}  // namespace chancel
