// SPDX-License-Identifier: Apache-2.0
// The operations of a recording, and the indices of its nodes.
#pragma once
#include <cstdint>
#include <span>

namespace chancel {

enum class GraphOp : std::uint8_t {
  Constant,
  Input,
#define CHANCEL_UNARY(name, value, dx) name,
#define CHANCEL_BINARY(name, value, dx, dy) name,
#include "record/graph_ops.def"
  SumOfProducts,  // only made for evaluation (fused_sums.hpp, plate_program.hpp)
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

// A node of the graph, or (from kRowNodes on) one of a row (row_store.hpp).
using NodeIndex = std::uint32_t;
inline constexpr NodeIndex kRowNodes = NodeIndex{1} << 31;

// The value of a function of one or two numbers, or of several (LogSumExp).
double graph_value(GraphOp op, std::span<const double> operands);

}  // namespace chancel
