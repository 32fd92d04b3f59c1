// SPDX-License-Identifier: Apache-2.0
// See evidence_text.hpp.
#include "report/evidence_text.hpp"

#include <fmt/format.h>

#include <cmath>

namespace chancel::report {

std::string evidence_doubt(const Summary& summary, const Figures& figures) {
  const bool known = figures.log_evidence_se && std::isfinite(*figures.log_evidence_se);
  if (!figures.log_evidence || !std::isfinite(*figures.log_evidence) || known ||
      figures.evidence_parts < 2)
    return "";
  const bool executions = summary.sweeps > 0 && summary.sweeps == summary.draws;
  const char* what = executions ? "execution" : "sweep";
  std::string out =
      figures.evidence_top_share > 0.5
          ? fmt::format("one of {} {}s makes up {:.0f} % of it", figures.evidence_parts, what,
                        100 * figures.evidence_top_share)
      : figures.evidence_parts == 2
          ? fmt::format("two {}s are too few to tell its error", what)
          : fmt::format("a few of {} {}s make up most of it", figures.evidence_parts, what);
  if (figures.evidence_spread > 0)
    out += fmt::format("; log Z of a {} has a standard deviation of {:.3g}", what,
                       figures.evidence_spread);
  return out;
}

}  // namespace chancel::report
