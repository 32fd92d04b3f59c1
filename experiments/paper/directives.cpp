// SPDX-License-Identifier: Apache-2.0
#include "paper/directives.hpp"

#include <map>
#include <numeric>
#include <set>

#include "paper/random.hpp"

namespace chancel::paper {
namespace {

bool ends_word(char c) { return std::string_view(" \t\r\n()[]").find(c) != std::string_view::npos; }

std::vector<std::string> words(std::string_view line) {
  std::vector<std::string> out;
  std::string word;
  for (const char c : line) {
    if (!ends_word(c)) {
      word += c;
    } else if (!word.empty()) {
      out.push_back(std::move(word));
      word.clear();
    }
  }
  return out;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string out;
  for (const std::string& line : lines) out += line + "\n";
  return out;
}

}  // namespace

std::vector<std::string> directives(std::string_view program) {
  std::vector<std::string> out;
  std::string line;
  int depth = 0;
  bool comment = false;
  for (const char c : program) {
    if (c == '\n') comment = false;
    if (c == ';') comment = true;
    if (comment) continue;
    if (c == '[') ++depth;
    if (depth > 0) line += c;
    if (c == ']' && --depth == 0) {
      out.push_back(std::move(line));
      line.clear();
    }
  }
  return out;
}

std::string without_observes(std::string_view program) {
  std::vector<std::string> kept;
  for (const std::string& line : directives(program))
    if (words(line).at(0) != "observe") kept.push_back(line);
  return joined(kept);
}

std::string in_order(const std::vector<std::string>& lines, const std::vector<std::size_t>& wish) {
  std::map<std::string, std::size_t> defined_at;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::vector<std::string> w = words(lines[i]);
    if (w.at(0) == "assume") defined_at[w.at(1)] = i;
  }
  std::vector<std::string> out;
  std::set<std::size_t> begun;
  const auto place = [&](const auto& self, std::size_t i) -> void {
    if (!begun.insert(i).second) return;
    for (const std::string& word : words(lines[i])) {
      const auto found = defined_at.find(word);
      if (found != defined_at.end()) self(self, found->second);
    }
    out.push_back(lines[i]);
  };
  for (const std::size_t i : wish) place(place, i);
  return joined(out);
}

std::string reversed(std::string_view program) {
  const std::vector<std::string> lines = directives(program);
  std::vector<std::size_t> wish(lines.size());
  std::iota(wish.rbegin(), wish.rend(), std::size_t{0});
  return in_order(lines, wish);
}

std::string shuffled(std::string_view program, std::uint64_t seed) {
  const std::vector<std::string> lines = directives(program);
  std::vector<std::size_t> wish(lines.size());
  std::iota(wish.begin(), wish.end(), std::size_t{0});
  Random random(seed);
  for (std::size_t i = wish.size(); i > 1; --i) std::swap(wish[i - 1], wish[random.below(i)]);
  return in_order(lines, wish);
}

}  // namespace chancel::paper
