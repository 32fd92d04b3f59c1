// SPDX-License-Identifier: Apache-2.0
// The library's natives: one list per family (one file each), and all of them together. Names,
// docs, completion and tests are derived from these lists. Constructors of distributions are listed
// by dist, doquery and eval by api.
#pragma once
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "value/native.hpp"

namespace chancel {

std::span<const NativeDef> arithmetic_natives();
std::span<const NativeDef> comparison_natives();
std::span<const NativeDef> predicate_natives();
std::span<const NativeDef> sequence_natives();
std::span<const NativeDef> partition_natives();
std::span<const NativeDef> collection_natives();
std::span<const NativeDef> form_natives();
std::span<const NativeDef> map_natives();
std::span<const NativeDef> metadata_natives();
std::span<const NativeDef> set_natives();
std::span<const NativeDef> sorting_natives();
std::span<const NativeDef> string_natives();
std::span<const NativeDef> name_natives();
std::span<const NativeDef> regex_natives();
std::span<const NativeDef> format_natives();
std::span<const NativeDef> printing_natives();
std::span<const NativeDef> math_natives();
std::span<const NativeDef> statistics_natives();
std::span<const NativeDef> matrix_natives();
std::span<const NativeDef> array_part_natives();
std::span<const NativeDef> array_element_natives();
std::span<const NativeDef> array_product_natives();
std::span<const NativeDef> linear_algebra_natives();
std::span<const NativeDef> array_relation_natives();
std::span<const NativeDef> random_host_natives();
std::span<const NativeDef> io_natives();
std::span<const NativeDef> file_natives();
std::span<const NativeDef> view_natives();
std::span<const NativeDef> java_natives();

// All families in order. Names are unique.
const std::vector<const NativeDef*>& all_natives();
// The native with this name, or null.
const NativeDef* find_native(std::string_view name);

// Named values that are not functions: PI, Math/PI, Double/NaN ...
struct ConstantDef {
  const char* name;
  Value value;
  const char* doc;
};
std::span<const ConstantDef> constants();

}  // namespace chancel
