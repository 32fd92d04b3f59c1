// SPDX-License-Identifier: Apache-2.0
// CmdStan's CSV, one file a chain: comments about the run, a header, a row for each draw. Elements
// are named `states.1.2`. rstan's read_stan_csv wants the columns and comments of its sampler, so
// lp__ (here the log weight), accept_stat__ and others stand first. Weighted draws have
// log_weight__ as a parameter of its own.
#include <fmt/format.h>

#include <cmath>

#include "report/exports.hpp"
#include "report/run_file.hpp"

namespace chancel::report {
namespace {

void append_number(std::string& out, double x, bool integer) {
  if (std::isnan(x)) {
    out += "nan";
  } else if (std::isinf(x)) {
    out += x > 0 ? "inf" : "-inf";
  } else if (integer) {
    fmt::format_to(std::back_inserter(out), "{}", static_cast<std::int64_t>(x));
  } else {
    fmt::format_to(std::back_inserter(out), "{}", x);
  }
}

}  // namespace

std::vector<std::string> export_cmdstan_csv(const TabledRun& tabled, const TabledRun*,
                                            const std::string& stem) {
  const auto& [run, table] = tabled;
  const RunInfo& info = run.description.info;
  std::vector<std::string> files;
  for (std::size_t c = 0; c < table.chains.size(); ++c) {
    std::string out =
        "# stan_version_major = 2\n# stan_version_minor = 31\n# stan_version_patch = 0\n";
    out += fmt::format(
        "# model = {}\n# method = sample (Default)\n#   sample\n#     num_samples = {}\n#     "
        "num_warmup = {}\n",
        info.query, table.chains[c].size(), run.statistics.warmup / table.chains.size());
    out += fmt::format(
        "#     save_warmup = 0 (Default)\n#     thin = 1 (Default)\n#     adapt\n#       engaged = "
        "0\n"
        "#     algorithm = {}\n# id = {}\n# data\n#   file = {}\n# init = 0\n# random\n#   seed = "
        "{}\n# output\n#   file = {}\n",
        "fixed_param", c + 1, info.program, info.seed, stem);
    out += fmt::format("# chancel_version = {}\n# chancel_algorithm = {}\n", run.version,
                       run.statistics.engine);
    for (const Variable& v : table.variables)
      for (std::size_t i = 0; i < v.meanings.size(); ++i)
        out += fmt::format("# value of {}: {} = {}\n", v.name, i, v.meanings[i]);
    // Readers want the first two. Where an engine knows no log joint density, the weight stands there.
    const std::vector<Variable>& sampler = table.sampler;
    const bool has_joint = !sampler.empty() && sampler[0].label == "lp__";
    const std::size_t moves = has_joint ? 1 : 0;  // where statistics of moves begin
    out += "lp__";
    if (sampler.size() == moves) out += ",accept_stat__";
    for (std::size_t i = moves; i < sampler.size(); ++i) out += "," + sampler[i].label;
    if (table.weighted) out += ",log_weight__";
    for (const Variable& v : table.variables)
      for (std::size_t e = 0; e < v.elements(); ++e)
        out += "," + v.name + element_suffix(v, e, false);
    out += '\n';
    for (const std::size_t row : table.chains[c]) {
      append_number(out, has_joint ? sampler[0].columns[0][row] : table.log_weights[row], false);
      if (sampler.size() == moves) out += ",1";
      for (std::size_t i = moves; i < sampler.size(); ++i) {
        out += ',';
        append_number(out, sampler[i].columns[0][row], sampler[i].integer);
      }
      if (table.weighted) {
        out += ',';
        append_number(out, table.log_weights[row], false);
      }
      for (const Variable& v : table.variables)
        for (const auto& column : v.columns) {
          out += ',';
          append_number(out, column[row], v.integer);
        }
      out += '\n';
    }
    out += fmt::format(
        "# \n#  Elapsed Time: 0 seconds (Warm-up)\n#                {0} seconds (Sampling)\n"
        "#                {0} seconds (Total)\n# \n",
        run.statistics.seconds);
    files.push_back(fmt::format("{}-{}.csv", stem, c + 1));
    replace_file(files.back(), out);
  }
  return files;
}

}  // namespace chancel::report
