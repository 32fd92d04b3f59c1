// SPDX-License-Identifier: Apache-2.0
// Which library functions have instructions of their own. One list each for one and two operands.
#pragma once
#include <optional>
#include <string_view>

#include "bytecode/code.hpp"
#include "core/core.hpp"

namespace chancel {

enum class Relation { None, Less, LessEqual, Greater, GreaterEqual, Equal };
Relation relation_of(std::string_view name);
std::optional<Op> binary_op(std::string_view name);
std::optional<Op> unary_op(std::string_view name);
bool is_left_fold(std::string_view name);  // + - * / with more than two operands
bool is_scalar_constant(const core::Node* node);
bool is_nil(const core::Node* node);
bool small_constant(const core::Node* node, std::int64_t* out);  // an integer that fits in 15 bits

}  // namespace chancel
