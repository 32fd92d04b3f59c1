// SPDX-License-Identifier: Apache-2.0
// summary.csv: a row for each row of the summary, and below a discrete one a row for each of its
// values.
#include <cmath>

#include "chancel/run_directory.hpp"
#include "report/csv_text.hpp"

namespace chancel {

std::string summary_csv(const Summary& summary) {
  std::string out =
      "label,kind,value,p,p_mcse,mean,mcse,sd,mad,q5,q50,q95,ess_bulk,ess_tail,r_hat,presence\n";
  const auto add = [&](double x) {
    out += ',';
    if (!std::isnan(x)) report::append_number_cell(out, x);
  };
  for (const Estimate& row : summary.estimates) {
    const char* kinds[] = {"real", "discrete", "structure"};
    report::append_text_cell(out, row.label());
    out += ',';
    out += kinds[static_cast<int>(row.kind)];
    out += ",,,";
    for (const double x : {row.mean, row.mcse, row.sd, row.mad, row.q5, row.q50, row.q95}) {
      add(row.numeric ? x : NAN);
    }
    for (const double x : {row.ess_bulk, row.ess_tail, row.r_hat, row.presence}) add(x);
    out += '\n';
    for (const Support& s : row.support) {
      report::append_text_cell(out, row.label());
      out += ",value,";
      report::append_text_cell(out, s.value);
      add(s.probability);
      add(s.mcse);
      out += ",,,,,,,,,,,\n";
    }
  }
  return out;
}

}  // namespace chancel
