// SPDX-License-Identifier: Apache-2.0
#include "data/document.hpp"

#include <algorithm>

namespace chancel::data {

std::size_t line_of(std::string_view text, std::size_t at) {
  const std::string_view before = text.substr(0, std::min(at, text.size()));
  return 1 + static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
}

std::size_t byte_order_mark(std::string_view text) {
  return text.starts_with("\xef\xbb\xbf") ? 3 : 0;
}

}  // namespace chancel::data
