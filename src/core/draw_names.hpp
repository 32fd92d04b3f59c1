// SPDX-License-Identifier: Apache-2.0
// What a program calls its draws: the variable that a `sample` is the value of, or the nearest one whose
// value is computed with it.
#pragma once
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/core.hpp"

namespace chancel::core {

using DrawNames = std::map<std::pair<std::uint32_t, std::uint32_t>, std::string>;  // file, begin
DrawNames draw_names(const std::vector<Node*>& program);

}  // namespace chancel::core
