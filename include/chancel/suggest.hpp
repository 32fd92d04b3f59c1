// SPDX-License-Identifier: Apache-2.0
// "Did you mean": the rule of all messages about names that are not known.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace chancel {

// The candidate that was probably meant by a name that is none of them, or nothing.
std::string did_you_mean(std::string_view name, const std::vector<std::string>& candidates);

}  // namespace chancel
