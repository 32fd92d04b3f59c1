// SPDX-License-Identifier: Apache-2.0
// Grey levels as a PNG file in a data: address, one pixel each.
#pragma once
#include <string>
#include <vector>

namespace chancel::page {

// Rows of equal length, 0 (white) to 1 (black). Empty for an empty picture.
std::string png_address(const std::vector<std::vector<double>>& rows);

}  // namespace chancel::page
