// SPDX-License-Identifier: Apache-2.0
// The list of export formats, and a run in one of them: see chancel/export.hpp.
#include "chancel/export.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <optional>

#include "report/exports.hpp"
#include "report/file_error.hpp"
#include "report/run_json.hpp"

namespace chancel {
namespace report {
namespace {

struct Format {
  const char* name;
  const char* stem;  // of the files, in the run's directory
  bool groups;       // has a place for draws from the prior beside the posterior's
  std::vector<std::string> (*write)(const TabledRun&, const TabledRun*, const std::string&);
};
constexpr Format kFormats[] = {{"cmdstan-csv", "cmdstan", false, export_cmdstan_csv},
                               {"arviz-netcdf", "arviz", true, export_arviz_netcdf},
                               {"arviz-json", "arviz", true, export_arviz_json},
                               {"posteriordb", "posteriordb", false, export_posteriordb}};

TabledRun tabled(const std::string& directory) {
  const RunFolder folder(directory);
  TabledRun out{parse_run_json(folder), read_draw_table(directory)};
  const std::string pointwise = pointwise_file_name(out.run.description);
  if (folder.has(pointwise)) {                // row by row the same draws
    ::close(folder.open_to_read(pointwise));  // refuses a link
    out.table.log_likelihood = read_draw_table(folder.path_of(pointwise)).variables;
  }
  if (out.table.length() == 0) throw_malformed(directory, "there is no draw in this run");
  return out;
}

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
                    const std::string& given_stem, const std::string& prior_directory) {
  const report::Format* format = nullptr;
  for (const report::Format& f : report::kFormats)
    if (name == f.name) format = &f;
  if (format == nullptr)
    report::throw_malformed(directory, fmt::format("there is no export format '{}'", name));
  report::TabledRun run = report::tabled(directory);
  const std::string stem = given_stem.empty() ? directory + "/" + format->stem : given_stem;
  Exported out;
  out.notes = run.table.notes;
  std::optional<report::TabledRun> prior;
  if (!prior_directory.empty()) {
    if (!format->groups)
      report::throw_malformed(prior_directory,
                              fmt::format("{} has no place for draws from the prior", name));
    prior = report::tabled(prior_directory);
    if (!prior->run.description.info.prior)
      report::throw_malformed(prior_directory, "this run has not left out the observes");
    if (run.run.description.info.prior)
      report::throw_malformed(directory, "this run has left out the observes, so it is a prior");
    out.notes.insert(out.notes.end(), prior->table.notes.begin(), prior->table.notes.end());
  }
  const auto write = [&](const report::TabledRun& what, const std::string& to) {
    for (std::string& file : format->write(what, prior ? &*prior : nullptr, to))
      out.files.push_back(std::move(file));
  };
  if (!run.table.weighted) {
    write(run, stem);
  } else {
    write({run.run, report::equally_weighted(run.table, run.run.description.info.seed)}, stem);
    write(run, stem + "-weighted");
  }
  return out;
}

}  // namespace chancel
