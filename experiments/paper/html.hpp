// SPDX-License-Identifier: Apache-2.0
// Pieces of HTML that sections are made of.
#pragma once
#include <string>
#include <vector>

namespace chancel::paper {

std::string html_text(const std::string& text);  // with &, < and > escaped
// The cells are HTML; the first column is left-aligned, the others are numbers.
std::string html_table(const std::vector<std::string>& head,
                       const std::vector<std::vector<std::string>>& rows);
std::string number(double x);      // three digits: 0.00123, 12.3, 4.1e-6
std::string count_text(double x);  // 1000000 with thin spaces between thousands

}  // namespace chancel::paper
