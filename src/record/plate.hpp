// SPDX-License-Identifier: Apache-2.0
// Rows of one shape: what a loop of the program computes for each row of its data, from the numbers of that row and
// from nodes that all rows share, up to one score. A plate has the operations once, as steps, and the numbers in
// columns, so that a hundred thousand rows are recorded, kept and evaluated without a node for each.
//
// Numbers lie in blocks of rows, column by column within a block: a step is a loop over a block of rows, which stays
// in cache from the first step to the last and back. Nothing outside a plate uses what its rows compute.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "record/graph_op.hpp"
#include "value/density.hpp"

namespace chancel {

// What a score belongs to: the density of a draw, an observe, or the derivative of a transform.
enum class TermKind : std::uint8_t { Prior, Likelihood, Jacobian };

struct Plate {
  static constexpr std::uint32_t kBlock = 256;  // rows

  struct Operand {
    enum class Kind : std::uint8_t {
      Shared,    // a node of the graph, the same for all rows
      Gathered,  // a node of the graph for each row: index into gathered
      Column,    // numbers
      Step,      // an earlier step of the row
      Number,    // the same for all rows: index into numbers
    } kind;
    std::uint32_t at;
    bool operator==(const Operand&) const = default;
  };
  struct Step {
    GraphOp op;
    const Density* density;      // LogProb
    std::uint32_t first, count;  // operands
    bool operator==(const Step&) const = default;
  };

  std::vector<Step> steps;
  std::vector<Operand> operands;
  Operand root;  // the score
  TermKind kind = TermKind::Likelihood;
  std::size_t rows = 0;
  std::uint32_t columns = 0;
  // Of each block: columns one after the other, kBlock numbers each.
  std::vector<std::shared_ptr<double[]>> blocks;
  std::vector<std::vector<NodeIndex>> gathered;  // by row
  std::vector<double> numbers;

  const double* column(std::size_t block, std::uint32_t which) const {
    return blocks[block].get() + std::size_t{which} * kBlock;
  }
  double number(std::size_t row, std::uint32_t which) const {
    return column(row / kBlock, which)[row % kBlock];
  }
  // Adds a row with these numbers, one for each column.
  void add_row(const double* numbers_of_row);
  std::size_t bytes() const;  // that it takes, about
};

// The nodes of the graph that its rows use.
std::vector<NodeIndex> nodes_of(const Plate& plate);

}  // namespace chancel
