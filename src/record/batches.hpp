// SPDX-License-Identifier: Apache-2.0
// A graph in the order in which it is evaluated: nodes of the same level with the same operation are
// one batch, a loop over arrays. Level is the longest way from an input, so that what a loop of the
// program does for each row of its data comes out as a few batches with a row of each; operands that
// all rows share, and those that lie in a row as well, are read without indices.
//
// Derivatives of the sum of the terms go through their batches backwards. Plates (plate.hpp), whose scores nothing depends
// on, come after the batches of terms, and their derivatives before them.
#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "record/fused_sums.hpp"
#include "record/graph.hpp"
#include "record/plate_program.hpp"
#include "record/wide_evaluator.hpp"

namespace chancel {

class Batches {
 public:
  // The sum of these nodes and of the scores of the plates of the graph has derivatives.
  struct Terms {
    std::vector<NodeIndex> priors, likelihood, jacobians;
    std::vector<std::shared_ptr<const Plate>> plates;
  };
  // `guarded` nodes have values only; `outputs` are needed when a draw is kept.
  Batches(const Graph& graph, Terms terms, std::span<const NodeIndex> guarded,
          std::span<const NodeIndex> outputs, WideEvaluator& wide);

  // Nodes that terms and guards need, at these inputs.
  void forward(const double* inputs);
  // The outputs; after forward().
  void forward_outputs();
  // Sums of terms by kind; after forward(). With `slopes` backward() can follow, with the same weight.
  struct Sums {
    double prior = 0, likelihood = 0, jacobian = 0;
  };
  Sums sums(bool slopes, double likelihood_weight);
  // Derivatives of the sum of the terms in the inputs; those of the likelihood have this weight.
  void backward(double likelihood_weight, double* gradient);
  // The score of each row of a plate; after forward().
  std::vector<double> scores_of_plate(std::size_t plate);

  double value(NodeIndex node) const { return values_[slots_[node]]; }
  std::size_t batch_count() const { return batches_.size(); }
  std::size_t bytes() const;  // that it takes, about

 private:
  using Slot = std::uint32_t;
  struct Operand {
    Slot base = 0;           // of the first row
    std::uint32_t step = 0;  // 0: the same for all rows; 1: one after the other
    bool scattered = false;  // slots are in indices_[base ...] instead
    bool varies = false;     // it depends on inputs
  };
  struct Batch {
    GraphOp op;
    const Density* density;
    std::uint32_t wide;
    std::uint32_t rows;
    Slot out;
    std::uint32_t first, count;  // operands
    std::uint32_t results;       // of the one row of an array operation
  };
  void plan(const Graph& graph, const std::vector<NodeIndex>& nodes);
  void add_batch(const Graph& graph, GraphOp op, const std::vector<NodeIndex>& rows);
  Operand operand_of(const Graph& graph, const std::vector<NodeIndex>& rows, std::uint32_t which);
  Slot slot_of(const Graph& graph, NodeIndex node);
  std::span<const NodeIndex> operands_of(const Graph& graph, NodeIndex node) const;
  bool is_constant(const Graph& graph, NodeIndex node) const {
    return node == kOne || graph.is_constant(node);
  }
  // Rows of an operand from this one on; `room` is for those that do not lie in a row.
  Lane piece(const Operand& operand, std::uint32_t from, std::uint32_t rows, double* room) const;
  void sum_products(const Batch& batch);
  void sum_products_backward(const Batch& batch);
  // False: the operation has no short way.
  bool run_one(const Batch& batch);
  bool run_one_backward(const Batch& batch);
  void run(const Batch& batch);
  void run_backward(const Batch& batch);
  // The operands of a batch of one row, in numbers_.
  std::span<const double> read_all(const Batch& batch);
  // Adds weight * slopes_ to the adjoints of its operands.
  void add_to_operands(const Batch& batch, double weight);
  Lane read(const Operand& operand, std::uint32_t rows, std::uint32_t which);
  AdjointLane adjoint(const Operand& operand, std::uint32_t rows, std::uint32_t which);
  void scatter(const Operand& operand, std::uint32_t rows, std::uint32_t which);

  WideEvaluator& wide_;
  Terms terms_;
  std::vector<PlateProgram> plates_;
  const std::vector<WideDistribution>& distributions_;
  std::vector<Batch> batches_;
  std::size_t term_batches_ = 0, root_batches_ = 0;  // ends in batches_: of terms, of guards
  std::vector<Operand> operands_;
  std::vector<Slot> indices_;
  std::vector<Slot> slots_;       // by node
  std::vector<double> values_;    // by slot: inputs and results, then constants_
  std::vector<double> adjoints_;  // by slot
  FusedSums sums_;
  Slot one_ = 0;
  std::vector<double> constants_;  // a bit marks their slots while slots are assigned
  std::size_t input_count_ = 0;
  std::size_t varying_ = 0;  // slots that are not constants
  // operands that do not lie in a row, copied
  std::vector<double> gathered_, gathered_adjoints_;
  std::vector<double> numbers_, slopes_;  // operands of one row
  std::vector<Lane> lanes_;
  std::size_t widest_ = 1, most_gathered_ = 0;
};

}  // namespace chancel
