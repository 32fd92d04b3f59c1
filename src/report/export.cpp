// SPDX-License-Identifier: Apache-2.0
// The list of export formats, and a run in one of them: see chancel/export.hpp.
#include "chancel/export.hpp"

#include <fmt/format.h>

#include "report/exports.hpp"
#include "report/file_error.hpp"
#include "report/run_file.hpp"
#include "report/run_json.hpp"

namespace chancel {
namespace report {
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

}  // namespace report

std::vector<std::string> export_formats() {
  std::vector<std::string> names;
  for (const report::Format& format : report::kFormats) names.emplace_back(format.name);
  return names;
}

Exported export_run(const std::string& directory, const std::string& name,
                    const std::string& given_stem) {
  const report::Format* format = nullptr;
  for (const report::Format& f : report::kFormats)
    if (name == f.name) format = &f;
  if (format == nullptr)
    report::throw_malformed(directory, fmt::format("there is no export format '{}'", name));
  const RunRecord run = read_run(directory);
  report::DrawTable table = report::read_draw_table(directory);
  const std::string pointwise = directory + "/" + report::pointwise_file_name(run.description);
  if (report::file_exists(pointwise))  // row by row the same draws
    table.log_likelihood = report::read_draw_table(pointwise).variables;
  if (table.length() == 0) report::throw_malformed(directory, "there is no draw in this run");
  const std::string stem = given_stem.empty() ? directory + "/" + format->stem : given_stem;
  Exported out;
  out.notes = table.notes;
  out.files = format->write(report::equally_weighted(table, run.description.info.seed), run, stem);
  if (table.weighted)
    for (std::string& file : format->write(table, run, stem + "-weighted"))
      out.files.push_back(std::move(file));
  return out;
}

}  // namespace chancel
