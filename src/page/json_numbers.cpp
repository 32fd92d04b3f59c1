// SPDX-License-Identifier: Apache-2.0
#include "page/json_numbers.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>

namespace chancel::page {
namespace {

Json reread(const char* text) { return std::strtod(text, nullptr) + 0.0; }

}  // namespace

Json json_number(double value) {
  if (!std::isfinite(value)) return nullptr;
  char text[40];
  std::snprintf(text, sizeof text, "%.6g", value);
  return reread(text);
}

Json json_numbers(std::span<const double> values) {
  double low = INFINITY, high = -INFINITY;
  for (const double v : values) {
    if (!std::isfinite(v)) continue;
    low = std::min(low, v);
    high = std::max(high, v);
  }
  const double range = high - low;
  const int decimals =
      range > 0 && std::isfinite(range) ? 4 - static_cast<int>(std::floor(std::log10(range))) : -1;
  Json out = Json::array();
  char text[400];
  for (const double v : values) {
    if (!std::isfinite(v)) {
      out.push_back(nullptr);
    } else if (decimals >= 0 && decimals <= 12) {
      std::snprintf(text, sizeof text, "%.*f", decimals, v);
      out.push_back(reread(text));
    } else {
      std::snprintf(text, sizeof text, "%.9g", v);
      out.push_back(reread(text));
    }
    if (out.back().is_number() && out.back() == std::floor(out.back().get<double>()) &&
        std::fabs(out.back().get<double>()) < 1e15)
      out.back() = static_cast<std::int64_t>(out.back().get<double>());  // 3, not 3.0
  }
  return out;
}

}  // namespace chancel::page
