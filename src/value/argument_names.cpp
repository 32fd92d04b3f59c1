// SPDX-License-Identifier: Apache-2.0
#include "value/argument_names.hpp"

#include <fmt/format.h>

#include <vector>

#include "value/print.hpp"
#include "value/value.hpp"

namespace chancel {

std::string argument_names(std::string_view signature) {
  constexpr std::size_t kMost = 80;
  std::vector<std::string_view> lists;
  std::size_t depth = 0, begin = 0;
  for (std::size_t i = 0; i < signature.size(); ++i) {
    const char c = signature[i];
    if ((c == '[' || c == '{') && depth++ == 0) begin = i;
    if ((c == ']' || c == '}') && depth > 0 && --depth == 0)
      lists.push_back(signature.substr(begin, i + 1 - begin));
  }
  std::string out;
  for (const std::string_view list : lists) {
    out += out.empty() ? " (" : " or ";
    out += lists.size() > 1 ? list : list.substr(1, list.size() - 2);
  }
  return out.size() > kMost || out.size() <= 2 ? "" : out + ")";
}

std::string draw_hint(const Value& v) {
  constexpr std::size_t kShown = 60;
  if (!v.is(Tag::Dist)) return {};
  return fmt::format("(sample {}) draws a value from it", show(v, true, kShown));
}

}  // namespace chancel
