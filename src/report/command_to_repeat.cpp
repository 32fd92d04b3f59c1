// SPDX-License-Identifier: Apache-2.0
// See command_to_repeat.hpp.
#include "report/command_to_repeat.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace chancel::report {

namespace {

// The first word of a shell's command, with its quotes; it is taken off.
std::string_view take_word(std::string_view& text) {
  std::size_t end = 0;
  for (bool quoted = false; end < text.size() && (quoted || text[end] != ' '); ++end) {
    if (text[end] == '\\' && !quoted)
      ++end;
    else if (text[end] == '\'')
      quoted = !quoted;
  }
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(std::min(text.size(), end + 1));
  return word;
}

}  // namespace

std::string command_to_repeat(const RunInfo& info, const RunStatistics& statistics) {
  if (info.command.empty() || !statistics.cut) return info.command;
  std::string out;
  for (std::string_view left = info.command; !left.empty();) {
    const std::string_view word = take_word(left);
    if (word == "--timeout" || word == "--rounds") {
      take_word(left);
    } else if (!word.starts_with("--timeout=") && !word.starts_with("--rounds=")) {
      out += out.empty() ? "" : " ";
      out += word;
    }
  }
  return out + fmt::format(" --rounds {}", statistics.rounds);
}

}  // namespace chancel::report
