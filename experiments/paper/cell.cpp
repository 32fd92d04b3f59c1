// SPDX-License-Identifier: Apache-2.0
#include "paper/cell.hpp"

#include <fmt/format.h>

#include <charconv>

namespace chancel::paper {

void Rows::add(std::string_view kind, std::vector<double> row) {
  of[std::string(kind)].push_back(std::move(row));
}

const std::vector<std::vector<double>>& Rows::at(std::string_view kind) const {
  static const std::vector<std::vector<double>> none;
  const auto found = of.find(kind);
  return found == of.end() ? none : found->second;
}

std::string Rows::text() const {
  std::string out;
  for (const auto& [kind, rows] : of) {
    for (const std::vector<double>& row : rows) {
      out += kind;
      for (const double x : row) out += fmt::format(",{}", x);
      out += '\n';
    }
  }
  return out;
}

Rows Rows::parse(std::string_view text) {
  Rows out;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) throw std::runtime_error("the last line is cut off");
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end + 1);
    std::size_t comma = std::min(line.find(','), line.size());
    const std::string_view kind = line.substr(0, comma);
    line.remove_prefix(comma);
    std::vector<double> row;
    while (!line.empty()) {
      line.remove_prefix(1);
      comma = std::min(line.find(','), line.size());
      double x = 0;
      const auto read = std::from_chars(line.data(), line.data() + comma, x);
      if (read.ec != std::errc() || read.ptr != line.data() + comma)
        throw std::runtime_error("not a number: " + std::string(line.substr(0, comma)));
      row.push_back(x);
      line.remove_prefix(comma);
    }
    out.add(kind, std::move(row));
  }
  return out;
}

}  // namespace chancel::paper
