// SPDX-License-Identifier: Apache-2.0
// The graph of a recorded program: numbers that are constants, inputs (one for each coordinate of the
// draws on the real line) or functions of earlier ones. Nodes are made one after the other with their
// present values, and never twice: equal functions of equal operands are one node.
//
// Nodes that depend on numbers of the program belong to rows first (row_store.hpp). Rows of one shape become plates; what
// else is needed of them becomes nodes of the graph.
#pragma once
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "record/graph_op.hpp"
#include "record/row_store.hpp"
#include "value/density.hpp"

namespace chancel {

struct DistType;

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

  // Of the recorder itself.
  NodeIndex constant(double value);
  // A number of the program; one row may have another than the next.
  NodeIndex row_constant(double value);
  // Of a number of a program: the node that it is, or a constant of the row.
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

  // The open row ends with this score, of a draw or an observe.
  void end_row(NodeIndex score, TermKind kind) { rows_.end(score, kind); }
  // The same node among those of the graph itself.
  NodeIndex shared(NodeIndex i);

  // Also of nodes of rows.
  double value(NodeIndex i) const { return i < kRowNodes ? values_[i] : row_value(i); }
  bool is_constant(NodeIndex i) const {
    return i < kRowNodes ? nodes_[i].op == GraphOp::Constant : rows_.is_constant(i);
  }
  std::size_t recorded() const { return nodes_.size() + rows_.size(); }

  // Everything has been recorded: makes plates of the rows, and nodes of those that are few.
  // `scores` are those of the density; `left_out` came after them.
  void close(std::span<const NodeIndex> scores, std::span<const NodeIndex> left_out);
  // Of a score, once closed: a node, or the row of a plate.
  struct Term {
    NodeIndex node;  // RowStore::kNone: it is a row of a plate
    RowStore::Place place;
  };
  Term term(NodeIndex score) const;
  const std::vector<std::shared_ptr<const Plate>>& plates() const { return plates_; }
  // What shared() gave for it, once closed.
  NodeIndex resolved(NodeIndex i) const { return i < kRowNodes ? i : rows_.resolved(i); }

  // Of the nodes of the graph itself.
  std::size_t size() const { return nodes_.size(); }
  const Node& node(NodeIndex i) const { return nodes_[i]; }
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
  double evaluate(const Node& node, std::span<const double> x) const;
  NodeIndex add_to_row(const Node& node, std::span<const NodeIndex> operands);
  NodeIndex reach(NodeIndex i);
  bool copy_to_row(NodeIndex i);
  double row_value(NodeIndex i) const;
  struct ResolvedStep {
    std::uint32_t plate, step;
    std::vector<std::pair<std::size_t, NodeIndex>> rows;
  };
  std::vector<ResolvedStep> resolved_steps_by_row() const;
  void take_out_of_rows(Plate& plate, std::uint32_t index, std::span<const ResolvedStep> resolved);
  static Plate without_unused(Plate plate);

  RowStore rows_;
  std::unordered_set<NodeIndex> chained_;  // shared nodes that a recurrence goes through
  std::vector<std::shared_ptr<const Plate>> plates_;
  std::vector<std::uint32_t> plate_index_;  // by the number that the rows know
  std::size_t plate_bytes_ = 0;
  std::vector<Node> nodes_;
  std::vector<NodeIndex> operands_;
  std::vector<double> values_;
  std::vector<NodeIndex> inputs_;
  std::vector<WideDistribution> wide_;
  std::unordered_multimap<std::uint64_t, std::uint32_t> known_distributions_;  // by hash
  std::unordered_map<std::uint64_t, NodeIndex> constants_;                     // by bits
  std::unordered_multimap<std::uint64_t, NodeIndex> known_;                    // by hash
};

}  // namespace chancel
