// SPDX-License-Identifier: Apache-2.0
#include "usage.hpp"

#include <fmt/format.h>

#include "chancel/suggest.hpp"
#include "console.hpp"

namespace chancel::tool {
std::string suggest(std::string_view word, const std::vector<std::string>& candidates,
                    const std::string& otherwise) {
  const std::string guess = did_you_mean(word, candidates);
  if (guess.empty()) return otherwise;
  return fmt::format("did you mean {}?{}{}", guess, otherwise.empty() ? "" : " ", otherwise);
}

std::string join(const std::vector<std::string>& words, std::string_view between) {
  std::string out;
  for (const std::string& word : words) {
    if (!out.empty()) out += between;
    out += word;
  }
  return out;
}

void show_error(const UsageError& error) {
  const bool colour = error_colour();
  std::string text = fmt::format("chancel: {}error[{}]:{} {}\n", colour ? "\x1b[1;31m" : "",
                                 error.code(), colour ? "\x1b[0m" : "", error.what());
  if (!error.hint().empty()) text += fmt::format("hint: {}\n", error.hint());
  write_error(text);
}

void show_message(const Message& message) {
  write_error((message.line == 0 ? "chancel: " : "") + message.text + "\n");
}

}  // namespace chancel::tool
