// SPDX-License-Identifier: Apache-2.0
// The files of src/page/assets and the chart library, put into the program at build time
// (cmake/ChancelEmbed.cmake).
#pragma once
#include <span>
#include <string_view>

namespace chancel::page {

struct Asset {
  std::string_view name, text;
};
std::span<const Asset> assets();

std::string_view asset(std::string_view name);  // empty when there is none

}  // namespace chancel::page
