// SPDX-License-Identifier: Apache-2.0
#include "usage.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "console.hpp"

namespace chancel::tool {
namespace {

// Insertions, deletions, changes and swaps of neighbours (optimal string alignment).
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = a[i - 1] == b[j - 1] ? 0 : 1;
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + change});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
      }
    }
  }
  return d[a.size()][b.size()];
}

}  // namespace

std::string closest(std::string_view word, const std::vector<std::string>& candidates) {
  std::string best;
  std::size_t fewest = std::max<std::size_t>(1, word.size() / 3) + 1;
  if (word.size() > 100) return best;
  for (const std::string& candidate : candidates) {
    const std::size_t slips = distance(word, candidate);
    if (slips < fewest) {
      fewest = slips;
      best = candidate;
    }
  }
  return best;
}

std::string suggest(std::string_view word, const std::vector<std::string>& candidates,
                    const std::string& otherwise) {
  const std::string guess = closest(word, candidates);
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
