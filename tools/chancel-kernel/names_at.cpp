// SPDX-License-Identifier: Apache-2.0
#include "names_at.hpp"

#include <algorithm>
#include <vector>

namespace chancel::kernel {
namespace {

bool is_part_of_name(char c) {
  constexpr std::string_view kEnds = " \t\r\n,;()[]{}\"'`~@^\\";
  return kEnds.find(c) == kEnds.npos;  // bytes of other characters are parts of names
}

bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

std::size_t offset_of(std::string_view code, std::size_t characters) {
  std::size_t at = 0;
  for (; at < code.size(); ++at) {
    if (continues_character(code[at])) continue;
    if (characters-- == 0) return at;
  }
  return code.size();
}

std::size_t characters_before(std::string_view code, std::size_t offset) {
  return static_cast<std::size_t>(std::count_if(code.begin(),
                                                code.begin() + static_cast<std::ptrdiff_t>(offset),
                                                [](char c) { return !continues_character(c); }));
}

NameAt between(std::string_view code, std::size_t begin, std::size_t end) {
  return {std::string(code.substr(begin, end - begin)), characters_before(code, begin),
          characters_before(code, end)};
}

std::size_t begin_of_name(std::string_view code, std::size_t at) {
  while (at > 0 && is_part_of_name(code[at - 1])) --at;
  return at;
}

}  // namespace

NameAt name_before(std::string_view code, std::size_t cursor) {
  const std::size_t at = offset_of(code, cursor);
  return between(code, begin_of_name(code, at), at);
}

NameAt name_around(std::string_view code, std::size_t cursor) {
  const std::size_t at = offset_of(code, cursor);
  std::size_t end = at;
  while (end < code.size() && is_part_of_name(code[end])) ++end;
  return between(code, begin_of_name(code, at), end);
}

std::string function_around(std::string_view code, std::size_t cursor) {
  const std::size_t until = offset_of(code, cursor);
  std::vector<std::size_t> open;
  bool in_string = false, in_comment = false;
  for (std::size_t i = 0; i < until; ++i) {
    const char c = code[i];
    if (in_comment) {
      in_comment = c != '\n';
    } else if (in_string) {
      if (c == '\\') ++i;
      in_string = c != '"';
    } else if (c == '"') {
      in_string = true;
    } else if (c == ';') {
      in_comment = true;
    } else if (c == '\\') {
      ++i;
    } else if (c == '(' || c == '[' || c == '{') {
      open.push_back(i);
    } else if ((c == ')' || c == ']' || c == '}') && !open.empty()) {
      open.pop_back();
    }
  }
  for (auto at = open.rbegin(); at != open.rend(); ++at) {
    if (code[*at] != '(') continue;
    std::size_t end = *at + 1;
    while (end < code.size() && is_part_of_name(code[end])) ++end;
    return std::string(code.substr(*at + 1, end - *at - 1));
  }
  return {};
}

std::string line_before(std::string_view code, std::size_t cursor) {
  const std::size_t at = offset_of(code, cursor);
  const std::size_t start = code.rfind('\n', at == 0 ? 0 : at - 1);
  const std::size_t begin = start == code.npos || at == 0 ? 0 : start + 1;
  return std::string(code.substr(begin, at - begin));
}

}  // namespace chancel::kernel
