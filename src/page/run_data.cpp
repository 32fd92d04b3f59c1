// SPDX-License-Identifier: Apache-2.0
#include "page/run_data.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <string_view>
#include <variant>

#include "data/csv.hpp"

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

std::string text_of(const report::RunFolder& folder, const std::string& name) {
  return folder.has(name) ? folder.read(name, report::kMostInText) : std::string();
}

// The records of a text, the header first.
void for_records(std::string_view rest, const std::function<void(const Cells&)>& each) {
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
void for_rows(const report::RunFolder& folder, const std::string& name,
              const std::vector<std::string_view>& names,
              const std::function<void(const Cells&)>& each) {
  std::vector<std::size_t> where;
  bool first = true;
  Cells picked;
  for_records(text_of(folder, name), [&](const Cells& cells) {
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

void Barriers::add(const Barrier& b) {
  by_place[{b.line, b.barrier}].add(b.ess, b.resampled);
  by_line[b.line].add(b.ess, b.resampled);
}

void for_barriers(const report::RunFolder& folder,
                  const std::function<void(const Barrier&)>& each) {
  for_rows(folder, "smc.csv", {"barrier", "line", "ess", "resampled"}, [&](const Cells& cells) {
    Barrier b;
    b.barrier = static_cast<std::uint32_t>(count_of(cells[0]));
    b.line = count_of(cells[1]);
    b.ess = number_of(cells[2]);
    b.resampled = cells[3] == "true";
    each(b);
  });
}

void for_descents(const report::RunFolder& folder,
                  const std::function<void(const Descent&)>& each) {
  for_rows(folder, "ancestry.csv", {"chain", "sweep", "barrier", "line", "particle", "ancestor"},
           [&](const Cells& cells) {
             const auto small = [&](std::size_t i) {
               return static_cast<std::uint32_t>(count_of(cells[i]));
             };
             each({small(0), count_of(cells[1]), small(2), count_of(cells[3]), small(4), small(5)});
           });
}

Profile read_profile(const report::RunFolder& folder) {
  return profile_of(text_of(folder, "profile.csv"));
}

Profile profile_of(std::string_view csv) {
  Profile profile;
  std::size_t line_at = std::string::npos;
  for_records(csv, [&](const Cells& cells) {
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

double particles_of(const RunInfo& info, const std::string& made_by) {
  const std::string name = "number-of-particles";
  for (const EngineOption& option : info.engine_options)
    if (const auto* count = std::get_if<std::int64_t>(&option.value); count && option.name == name)
      return static_cast<double>(*count);
  for (const EngineInfo& engine : engines())
    for (const EngineInfo::Option& option : engine.options)
      if (engine.name == made_by && option.name == name) return number_of(option.default_value);
  return 0;
}

}  // namespace chancel::page
