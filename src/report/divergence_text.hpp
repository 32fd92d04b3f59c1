// SPDX-License-Identifier: Apache-2.0
// Where the divergences of a run gather, in words.
#pragma once
#include <fmt/format.h>

#include <string>

#include "chancel/chancel.hpp"

namespace chancel::report {

// The place where they do; null when they are spread like the draws.
inline const DivergencePlace* gathering_place(const RunStatistics& statistics) {
  if (statistics.divergences == 0 || statistics.divergence_places.empty() ||
      !statistics.divergence_places.front().gathers)
    return nullptr;
  return &statistics.divergence_places.front();
}

// "small values of tau (line 4)"
inline std::string place_text(const DivergencePlace& place) {
  const char* which = !place.ordered ? "certain" : place.shift < 0 ? "small" : "large";
  return place.name.empty()
             ? fmt::format("{} values of the draw at line {}", which, place.line)
             : fmt::format("{} values of {} (line {})", which, place.name, place.line);
}

// "262; they gather at small values of tau (line 4)"
inline std::string divergences_text(const RunStatistics& statistics) {
  if (statistics.divergences == 0) return "none";
  const DivergencePlace* place = gathering_place(statistics);
  return fmt::format("{}{}", statistics.divergences,
                     place ? "; they gather at " + place_text(*place) : "");
}

}  // namespace chancel::report
