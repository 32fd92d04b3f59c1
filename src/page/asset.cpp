// SPDX-License-Identifier: Apache-2.0
#include "page/asset.hpp"

namespace chancel::page {

std::string_view asset(std::string_view name) {
  for (const Asset& a : assets()) {
    if (a.name == name) return a.text;
  }
  return {};
}

}  // namespace chancel::page
