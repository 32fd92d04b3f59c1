// SPDX-License-Identifier: Apache-2.0
// A chart as a few lines of text: braille dots (two by four in a character) for points, lines and
// histograms, horizontal blocks for bars over categories.
#pragma once
#include <string>
#include <vector>

#include "report/chart.hpp"

namespace chancel::report {

// `columns` is the width of the terminal; the text ends with a line end.
std::string text_chart(const Chart& chart, std::size_t columns);
// Rows of grey levels from 0 to 1, two characters a pixel.
std::string text_image(const std::vector<std::vector<double>>& rows, std::size_t columns);

}  // namespace chancel::report
