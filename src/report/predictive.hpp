// SPDX-License-Identifier: Apache-2.0
// Whether a row or column belongs to a predictive label of its run (RunStatistics).
#pragma once
#include <algorithm>
#include <string>

#include "chancel/chancel.hpp"
#include "report/json_text.hpp"

namespace chancel::report {

// `label` may be a part: ":y-rep[3]" of ":y-rep".
inline bool is_predictive(const std::string& label, const RunStatistics& statistics) {
  return std::any_of(statistics.predictive_labels.begin(), statistics.predictive_labels.end(),
                     [&](const std::string& printed) {
                       const std::string whole = label_text(printed);
                       return label.starts_with(whole) &&
                              (label.size() == whole.size() || label[whole.size()] == '[');
                     });
}

}  // namespace chancel::report
