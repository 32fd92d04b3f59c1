// SPDX-License-Identifier: Apache-2.0
// Rows of cells laid out in columns as wide as their widest cell: the first to the left, all others
// to the right. A row of one cell is a line of its own and widens nothing. Widths count characters,
// not bytes.
#pragma once
#include <string>
#include <vector>

namespace chancel::report {

class TextTable {
 public:
  void add_row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  // The first row is a heading, which is emphasised with `colour`.
  std::string text(bool colour) const;

 private:
  std::vector<std::vector<std::string>> rows_;
};

// Four significant digits; "-" for NaN.
std::string short_number(double value);
// "1.002"; ">100" for chains that do not move: they have no spread of their own to compare with.
std::string r_hat_text(double value);
// ", Pareto k-hat 0.83", after the effective sample size of weights; empty for NaN.
std::string pareto_k_text(double shape);
// "12.3 MB", "1.2 million".
std::string bytes_text(double bytes);
std::string count_text(double count);
std::string seconds_text(double seconds);

}  // namespace chancel::report
