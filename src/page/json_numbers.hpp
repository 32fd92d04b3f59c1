// SPDX-License-Identifier: Apache-2.0
// Numbers for charts: rounded to a ten-thousandth of their spread, which no screen can show, so
// that they take few characters; null for what is not finite.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <span>

namespace chancel::page {

using Json = nlohmann::ordered_json;

Json json_number(double value);
Json json_numbers(std::span<const double> values);

}  // namespace chancel::page
