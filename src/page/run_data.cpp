// SPDX-License-Identifier: Apache-2.0
#include "page/run_data.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <string_view>

#include "data/csv.hpp"
#include "report/run_file.hpp"

namespace chancel::page {
namespace {

using Cells = std::vector<std::string_view>;

double number_of(std::string_view cell) {
  double value = NAN;
  std::from_chars(cell.data(), cell.data() + cell.size(), value);
  return value;
}
std::uint64_t count_of(std::string_view cell) {
  std::uint64_t value = 0;
  std::from_chars(cell.data(), cell.data() + cell.size(), value);
  return value;
}

// The records of a file, the header first.
void for_records(const std::string& path, const std::function<void(const Cells&)>& each) {
  if (!report::file_exists(path)) return;
  const std::string text = report::read_file(path);
  std::string_view rest = text;
  Cells cells;
  std::string unquoted;
  while (!rest.empty()) {
    const std::size_t length = data::split_record(rest, cells, unquoted);
    if (length == 0) return;
    each(cells);
    rest.remove_prefix(length);
  }
}

// Rows by the names of their columns; files with other columns give nothing.
void for_rows(const std::string& path, const std::vector<std::string_view>& names,
              const std::function<void(const Cells&)>& each) {
  std::vector<std::size_t> where;
  bool first = true;
  Cells picked;
  for_records(path, [&](const Cells& cells) {
    if (first) {
      first = false;
      for (const std::string_view name : names) {
        const auto found = std::find(cells.begin(), cells.end(), name);
        if (found == cells.end()) where.clear();
        if (found == cells.end()) return;
        where.push_back(static_cast<std::size_t>(found - cells.begin()));
      }
      return;
    }
    if (where.size() != names.size()) return;
    picked.clear();
    for (const std::size_t i : where) {
      if (i >= cells.size()) return;
      picked.push_back(cells[i]);
    }
    each(picked);
  });
}

}  // namespace

void BarrierStatistics::add(double ess, bool resampled_here) {
  if (!std::isfinite(ess)) return;
  ess_least = count == 0 ? ess : std::min(ess_least, ess);
  ess_most = count == 0 ? ess : std::max(ess_most, ess);
  ess_sum += ess;
  ++count;
  resampled += resampled_here ? 1 : 0;
}

Barriers read_barriers(const std::string& directory) {
  Barriers barriers;
  for_rows(directory + "/smc.csv", {"barrier", "line", "ess", "resampled"},
           [&](const Cells& cells) {
             const std::size_t line = count_of(cells[1]);
             const double ess = number_of(cells[2]);
             const bool resampled = cells[3] == "true";
             barriers.by_place[{line, count_of(cells[0])}].add(ess, resampled);
             barriers.by_line[line].add(ess, resampled);
           });
  return barriers;
}

std::map<std::pair<std::uint64_t, std::uint64_t>, std::vector<Descent>> read_ancestry(
    const std::string& directory) {
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::vector<Descent>> sweeps;
  for_rows(directory + "/ancestry.csv",
           {"chain", "sweep", "barrier", "line", "particle", "ancestor"}, [&](const Cells& cells) {
             const auto small = [&](std::size_t i) {
               return static_cast<std::uint32_t>(count_of(cells[i]));
             };
             const Descent d{small(0),           count_of(cells[1]), small(2),
                             count_of(cells[3]), small(4),           small(5)};
             sweeps[{d.chain, d.sweep}].push_back(d);
           });
  return sweeps;
}

Profile read_profile(const std::string& directory) {
  Profile profile;
  std::size_t line_at = std::string::npos;
  for_records(directory + "/profile.csv", [&](const Cells& cells) {
    if (profile.columns.empty()) {
      for (std::size_t i = 0; i < cells.size(); ++i) {
        if (cells[i] == "line") line_at = i;
        profile.columns.emplace_back(cells[i]);
      }
      return;
    }
    if (line_at >= cells.size() || cells.size() != profile.columns.size()) return;
    std::vector<double>& row = profile.by_line[count_of(cells[line_at])];
    row.resize(cells.size());
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const double value = number_of(cells[i]);
      if (std::isfinite(value)) row[i] += value;
    }
  });
  if (line_at == std::string::npos) return {};
  return profile;
}

double particles_of(const RunRecord& run) {
  const auto found = run.options.find("number-of-particles");
  const double value = found == run.options.end() ? 0 : number_of(found->second);
  return std::isfinite(value) ? value : 0;
}

}  // namespace chancel::page
