// SPDX-License-Identifier: Apache-2.0
// chancel compare DIR DIR...: which of several models of the same data predicts best.
#include "chancel/loo.hpp"
#include "command.hpp"
#include "console.hpp"
#include "option_parser.hpp"
#include "usage.hpp"

namespace chancel::tool {

int compare_command(const Arguments& arguments) {
  std::vector<std::string> paths;
  OptionParser parser(
      "chancel compare DIR DIR...",
      "Compares models of the same data by leave-one-out cross-validation, best "
      "first. The runs were kept with\n`chancel infer ... --pointwise --out DIR`. A "
      "difference of elpd that is not several times its se_diff says little.",
      "  chancel compare runs/linear runs/quadratic\n");
  parser.rest("DIR", &paths, true, false);
  if (!parser.parse(arguments)) return 0;
  if (paths.size() < 2)
    throw UsageError("compare takes at least two runs", "chancel summary --loo DIR shows one");
  write_output(comparison_table(compare_runs(paths), output_colour()));
  flush_output();
  return 0;
}

}  // namespace chancel::tool
