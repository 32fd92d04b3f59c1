// SPDX-License-Identifier: Apache-2.0
// See evidence_text.hpp.
#include "report/evidence_text.hpp"

#include <fmt/format.h>

#include <cmath>

namespace chancel::report {

std::string evidence_doubt(const Summary& summary, const RunStatistics& statistics) {
  const bool known = statistics.log_evidence_se && std::isfinite(*statistics.log_evidence_se);
  if (!statistics.log_evidence || !std::isfinite(*statistics.log_evidence) || known ||
      statistics.evidence_parts < 2)
    return "";
  const bool executions = summary.sweeps > 0 && summary.sweeps == summary.draws;
  const char* what = executions ? "execution" : "sweep";
  std::string out =
      statistics.evidence_top_share > 0.5
          ? fmt::format("one of {} {}s makes up {:.0f} % of it", statistics.evidence_parts, what,
                        100 * statistics.evidence_top_share)
      : statistics.evidence_parts == 2
          ? fmt::format("two {}s are too few to tell its error", what)
          : fmt::format("a few of {} {}s make up most of it", statistics.evidence_parts, what);
  if (statistics.evidence_spread > 0)
    out += fmt::format("; log Z of a {} has a standard deviation of {:.3g}", what,
                       statistics.evidence_spread);
  return out;
}

}  // namespace chancel::report
