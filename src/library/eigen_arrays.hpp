// SPDX-License-Identifier: Apache-2.0
// Arrays of programs as matrices of Eigen and back, for the families of matrix functions.
#pragma once
#include <Eigen/Dense>
#include <initializer_list>
#include <vector>

#include "library/array.hpp"
#include "math/linear_algebra.hpp"
#include "value/native.hpp"

namespace chancel {

using Matrix = Eigen::MatrixXd;
using Index = Eigen::Index;

Matrix to_matrix(const NumberArray& a);  // vectors become columns
NumberArray from_matrix(const Matrix& m, std::vector<std::size_t> shape, bool integers = false);
Value matrix_value(NativeContext& cx, const Matrix& m);
// Room for the array as doubles, and for results of its size.
void room_for_matrices(NativeContext& cx, const NumberArray& array);
bool read_square(NativeContext& cx, const char* function, const Value* a, NumberArray* out);
bool read_square(NativeContext& cx, const char* function, const Value* a, Matrix* out);
StepCount steps_of(NativeContext& cx);
// Decompositions look for the largest element, and among NaN there is none.
bool check_finite(NativeContext& cx, const char* function, const Matrix& m);

// Numbers that depend on draws, while a program is recorded.
inline bool is_node(const Value& v) { return v.is(Tag::Node); }
bool has_nodes(const NumberArray& a);
Value of_nodes(NativeContext& cx, const char* native, std::initializer_list<Value> args);

}  // namespace chancel
