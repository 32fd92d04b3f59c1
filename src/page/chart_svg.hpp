// SPDX-License-Identifier: Apache-2.0
// A chart as SVG: for notebooks, which run no scripts of ours. Axes and text have the colour of the
// text around the picture, so it fits light and dark pages.
#pragma once
#include <string>

#include "report/chart.hpp"

namespace chancel::page {

std::string chart_svg(const report::Chart& chart);

}  // namespace chancel::page
