// SPDX-License-Identifier: Apache-2.0
// A chart as data for worksheet.js, which draws it with Chart.js.
#pragma once
#include "page/json_numbers.hpp"
#include "report/chart.hpp"

namespace chancel::page {

Json chart_json(const report::Chart& chart);

}  // namespace chancel::page
