// SPDX-License-Identifier: Apache-2.0
// Functions of many numbers that have many results: decompositions of matrices (rows one after the
// other) and softmax, with their derivatives.
#pragma once
#include <span>

#include "record/graph.hpp"

namespace chancel {

// True for operations with results of their own (Graph::Node::results), of which the first is the
// node and the others are Element nodes.
inline bool is_array_op(GraphOp op) { return op >= GraphOp::Cholesky && op <= GraphOp::Softmax; }

// All results; NaN where the function fails.
void array_values(GraphOp op, std::span<const double> x, std::span<double> results);
// Derivatives in x of the sum of weight * result.
void array_slopes(GraphOp op, std::span<const double> x, std::span<const double> results,
                  std::span<const double> weights, double* out);

}  // namespace chancel
