// SPDX-License-Identifier: Apache-2.0
#include "library/registry.hpp"

#include <cmath>
#include <limits>
#include <unordered_map>

#include "base/assert.hpp"

namespace chancel {

const std::vector<const NativeDef*>& all_natives() {
  static const std::vector<const NativeDef*> all = [] {
    std::vector<const NativeDef*> list;
    for (auto family :
         {arithmetic_natives,    comparison_natives,  predicate_natives,  sequence_natives,
          partition_natives,     collection_natives,  form_natives,       map_natives,
          set_natives,           sorting_natives,     string_natives,     name_natives,
          regex_natives,         format_natives,      printing_natives,   math_natives,
          statistics_natives,    matrix_natives,      array_part_natives, array_element_natives,
          array_product_natives, random_host_natives, io_natives,         file_natives,
          metadata_natives,      view_natives,        java_natives,       linear_algebra_natives,
          array_relation_natives}) {
      for (const NativeDef& def : family()) list.push_back(&def);
    }
    return list;
  }();
  return all;
}

const NativeDef* find_native(std::string_view name) {
  static const std::unordered_map<std::string_view, const NativeDef*> index = [] {
    std::unordered_map<std::string_view, const NativeDef*> map;
    for (const NativeDef* def : all_natives()) {
      const bool is_new = map.emplace(def->name, def).second;
      CHANCEL_ASSERT(is_new, def->name);
    }
    return map;
  }();
  const auto found = index.find(name);
  return found == index.end() ? nullptr : found->second;
}

std::span<const ConstantDef> constants() {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  static const ConstantDef kConstants[] = {
      {"PI", Value::real(M_PI), "The ratio of a circle's circumference to its diameter."},
      {"pi", Value::real(M_PI), "The same as PI."},
      {"Math/PI", Value::real(M_PI), "The ratio of a circle's circumference to its diameter."},
      {"Math/E", Value::real(M_E), "The base of natural logarithms."},
      {"Double/NaN", Value::real(std::numeric_limits<double>::quiet_NaN()), "Not a number."},
      {"Double/POSITIVE_INFINITY", Value::real(kInfinity), "Positive infinity."},
      {"Double/NEGATIVE_INFINITY", Value::real(-kInfinity), "Negative infinity."},
      {"Double/MAX_VALUE", Value::real(std::numeric_limits<double>::max()),
       "The largest finite double."},
      {"Double/MIN_VALUE", Value::real(std::numeric_limits<double>::denorm_min()),
       "The smallest positive double."},
      {"Float/NaN", Value::real(std::numeric_limits<double>::quiet_NaN()), "Not a number."},
      {"Float/POSITIVE_INFINITY", Value::real(kInfinity), "Positive infinity."},
      {"Float/NEGATIVE_INFINITY", Value::real(-kInfinity), "Negative infinity."},
      {"Float/MAX_VALUE", Value::real(std::numeric_limits<float>::max()),
       "The largest finite single-precision number."},
      {"Integer/MAX_VALUE", Value::integer(std::numeric_limits<std::int32_t>::max()), "2^31 - 1."},
      {"Integer/MIN_VALUE", Value::integer(std::numeric_limits<std::int32_t>::min()), "-2^31."},
      {"Long/MAX_VALUE", Value::integer(std::numeric_limits<std::int64_t>::max()), "2^63 - 1."},
      {"Long/MIN_VALUE", Value::integer(std::numeric_limits<std::int64_t>::min()), "-2^63."},
  };
  return kConstants;
}

}  // namespace chancel
