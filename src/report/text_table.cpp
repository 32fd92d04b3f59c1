// SPDX-License-Identifier: Apache-2.0
#include "report/text_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/utf8.hpp"

namespace chancel::report {

std::string TextTable::text(bool colour) const {
  std::vector<std::size_t> width;
  for (const auto& row : rows_) {
    if (row.size() == 1) continue;
    width.resize(std::max(width.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) width[i] = std::max(width[i], utf8_length(row[i]));
  }
  std::string out;
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    std::string line;
    for (std::size_t i = 0; i < rows_[r].size(); ++i) {
      const std::string& cell = rows_[r][i];
      if (rows_[r].size() == 1) {
        line = cell;
        break;
      }
      const std::string blanks(width[i] - utf8_length(cell), ' ');
      if (i > 0) line += "  ";
      line += i == 0 ? cell + blanks : blanks + cell;
    }
    const std::size_t end = line.find_last_not_of(' ');
    line.erase(end == std::string::npos ? 0 : end + 1);
    out += r == 0 && colour ? fmt::format("\x1b[1m{}\x1b[0m\n", line) : line + "\n";
  }
  return out;
}

std::string r_hat_text(double value) {
  constexpr double kMost = 100;
  if (std::isnan(value)) return "-";
  return value > kMost ? fmt::format(">{:.0f}", kMost) : fmt::format("{:.3f}", value);
}

std::string short_number(double value) {
  if (std::isnan(value)) return "-";
  if (value == 0) return "0";
  const double size = std::fabs(value);
  if (size >= 1e6 || size < 1e-4) return fmt::format("{:.3g}", value);
  if (size >= 1000) return fmt::format("{:.1f}", value);
  // As many decimals as four significant digits need, so that neighbours in a column align well
  // enough to be read.
  const int decimals = std::clamp(3 - static_cast<int>(std::floor(std::log10(size))), 1, 6);
  return fmt::format("{:.{}f}", value, decimals);
}

std::string pareto_k_text(double shape) {
  return std::isnan(shape) ? "" : fmt::format(", Pareto k-hat {:.2f}", shape);
}

std::string bytes_text(double bytes) {
  const char* units[] = {"bytes", "kB", "MB", "GB", "TB"};
  std::size_t unit = 0;
  while (bytes >= 1000 && unit + 1 < std::size(units)) {
    bytes /= 1000;
    ++unit;
  }
  return fmt::format("{:.{}f} {}", bytes, unit == 0 || bytes >= 100 ? 0 : 1, units[unit]);
}

std::string count_text(double count) {
  if (count >= 1e9) return fmt::format("{:.3g} billion", count / 1e9);
  if (count >= 1e6) return fmt::format("{:.3g} million", count / 1e6);
  return fmt::format("{:.0f}", count);
}

std::string seconds_text(double seconds) {
  if (seconds < 0.001) return fmt::format("{:.0f} us", seconds * 1e6);
  if (seconds < 1) return fmt::format("{:.0f} ms", seconds * 1e3);
  if (seconds < 120) return fmt::format("{:.1f} s", seconds);
  const auto whole = static_cast<std::uint64_t>(seconds);
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole / 60 % 60);
}

}  // namespace chancel::report
