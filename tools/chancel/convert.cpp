// SPDX-License-Identifier: Apache-2.0
// chancel convert DIR --to FORMAT: a kept run in the files of other tools.
#include <fmt/format.h>

#include <algorithm>

#include "chancel/export.hpp"
#include "command.hpp"
#include "console.hpp"
#include "option_parser.hpp"
#include "usage.hpp"

namespace chancel::tool {

int convert_command(const Arguments& arguments) {
  std::string directory, to, out, prior;
  const std::vector<std::string> names = export_formats();
  OptionParser parser(
      "chancel convert DIR --to FORMAT [-o STEM] [--prior DIR]",
      "Writes the draws of a run that was kept with `chancel infer ... --out DIR` in the format of "
      "another tool.\n"
      "Weighted draws are written twice: equally weighted (resampled), and as they are with their "
      "weights.",
      "  chancel convert runs/1 --to arviz-netcdf\n"
      "      runs/1/arviz.nc, and runs/1/arviz-weighted.nc when the draws have weights\n"
      "  chancel convert runs/1 --to cmdstan-csv -o out/hmm\n"
      "      out/hmm-1.csv, out/hmm-2.csv ... one for each chain\n"
      "  chancel convert runs/1 --to arviz-netcdf --prior runs/prior\n"
      "      the draws of `chancel infer ... --prior --out runs/prior` in groups beside the "
      "posterior's\n");
  parser.positional("DIR", &directory, true);
  parser.group("Output");
  parser.option("--to", &to, "FORMAT", join(names), names);
  parser.option("-o,--output", &out, "STEM",
                "beginning of the files' names; in DIR when not given");
  parser.option("--prior", &prior, "DIR",
                "a run with --prior, whose draws become the groups prior and prior_predictive");
  if (!parser.parse(arguments)) return 0;
  if (std::find(names.begin(), names.end(), to) == names.end())
    throw UsageError(to.empty() ? "--to is missing" : fmt::format("there is no format '{}'", to),
                     suggest(to, names, "the formats are " + join(names)));
  const Exported exported = export_run(directory, to, out, prior);
  for (const std::string& note : exported.notes) write_error("chancel: note: " + note + "\n");
  for (const std::string& file : exported.files) write_output(file + "\n");
  return 0;
}

}  // namespace chancel::tool
