// SPDX-License-Identifier: Apache-2.0
// chancel convert DIR --to FORMAT: a kept run in the files of other tools.
#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "command.hpp"
#include "console.hpp"
#include "exports.hpp"
#include "option_parser.hpp"
#include "usage.hpp"

namespace chancel::tool {
namespace {

struct Format {
  const char* name;
  const char* stem;  // of the files, in the run's directory
  std::vector<std::string> (*write)(const DrawTable&, const RunRecord&, const std::string&);
};
constexpr Format kFormats[] = {{"cmdstan-csv", "cmdstan", export_cmdstan_csv},
                               {"arviz-netcdf", "arviz", export_arviz_netcdf},
                               {"arviz-json", "arviz", export_arviz_json},
                               {"posteriordb", "posteriordb", export_posteriordb}};

}  // namespace

std::string element_suffix(const Variable& variable, std::size_t element, bool brackets) {
  std::vector<std::size_t> at(variable.shape.size());
  for (std::size_t d = at.size(); d-- > 0;) {
    at[d] = element % variable.shape[d] + 1;
    element /= variable.shape[d];
  }
  std::string out;
  for (const std::size_t i : at)
    out += fmt::format("{}{}", brackets ? (out.empty() ? "[" : ",") : ".", i);
  return brackets && !out.empty() ? out + "]" : out;
}

void write_file(const std::string& path, const std::string& text) {
  std::FILE* file = std::fopen(path.c_str(), "wb");
  const bool written =
      file != nullptr && std::fwrite(text.data(), 1, text.size(), file) == text.size();
  const bool closed = file != nullptr && std::fclose(file) == 0;
  if (!written || !closed)
    throw UsageError(fmt::format("cannot write {}: {}", path, std::strerror(errno)), "", "U004",
                     ExitCode::Failed);
}

int convert_command(const Arguments& arguments) {
  std::string directory, to, out;
  std::vector<std::string> names;
  for (const Format& format : kFormats) names.emplace_back(format.name);
  OptionParser parser(
      "chancel convert DIR --to FORMAT [-o STEM]",
      "Writes the draws of a run that was kept with `chancel infer ... --out DIR` in the format of "
      "another tool.\n"
      "Weighted draws are written twice: equally weighted (resampled), and as they are with their "
      "weights.",
      "  chancel convert runs/1 --to arviz-netcdf\n"
      "      runs/1/arviz.nc, and runs/1/arviz-weighted.nc when the draws have weights\n"
      "  chancel convert runs/1 --to cmdstan-csv -o out/hmm\n"
      "      out/hmm-1.csv, out/hmm-2.csv ... one for each chain\n");
  parser.positional("DIR", &directory, true);
  parser.group("Output");
  parser.option("--to", &to, "FORMAT", join(names));
  parser.option("-o,--output", &out, "STEM",
                "beginning of the files' names; in DIR when not given");
  if (!parser.parse(arguments)) return 0;
  for (const Format& format : kFormats) {
    if (to != format.name) continue;
    const RunRecord run = read_run(directory);
    const DrawTable table = read_draw_table(directory);
    if (table.length() == 0)
      throw UsageError(fmt::format("there is no draw in {}", directory), "", "U003",
                       ExitCode::BadInput);
    const std::string stem = out.empty() ? directory + "/" + format.stem : out;
    for (const std::string& note : table.notes) write_error("chancel: note: " + note + "\n");
    for (const std::string& file :
         format.write(equally_weighted(table, run.description.info.seed), run, stem))
      write_output(file + "\n");
    if (table.weighted)
      for (const std::string& file : format.write(table, run, stem + "-weighted"))
        write_output(file + "\n");
    return 0;
  }
  throw UsageError(to.empty() ? "--to is missing" : fmt::format("there is no format '{}'", to),
                   suggest(to, names, "the formats are " + join(names)));
}

}  // namespace chancel::tool
