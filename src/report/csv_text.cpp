// SPDX-License-Identifier: Apache-2.0
#include "report/csv_text.hpp"

#include <charconv>
#include <cmath>

#include "base/double_text.hpp"

namespace chancel::report {
namespace {

// Would this text be read as something else than a string?
bool reads_otherwise(std::string_view text) {
  if (text.empty() || text == "true" || text == "false" || text == "nil" || text == "NaN" ||
      text == "Inf")
    return true;
  const char c = text.front();
  return (c >= '0' && c <= '9') ||
         std::string_view("+-.:([{#\"\\'").find(c) != std::string_view::npos;
}

}  // namespace

void append_integer(std::string& out, std::int64_t value) {
  char text[24];
  out.append(text, std::to_chars(text, text + sizeof text, value).ptr);
}

void append_number_cell(std::string& out, double value) {
  if (std::isnan(value)) {
    out += "NaN";
  } else if (std::isinf(value)) {
    out += value > 0 ? "Inf" : "-Inf";
  } else {
    append_java_double(out, value);
  }
}

void append_text_cell(std::string& out, std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) {
    out += text;
    return;
  }
  out += '"';
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  out += '"';
}

void append_cell(std::string& out, const ValueView& value) {
  switch (value.kind()) {
    case ValueView::Kind::Real:
    case ValueView::Kind::Ratio:
      append_number_cell(out, value.number());
      return;
    case ValueView::Kind::Integer:
      append_integer(out, value.integer());
      return;
    case ValueView::Kind::Boolean:
      out += value.boolean() ? "true" : "false";
      return;
    case ValueView::Kind::String: {
      const std::string text = value.text();
      append_text_cell(out, reads_otherwise(text) ? value.print() : text);
      return;
    }
    default:
      append_text_cell(out, value.print());
  }
}

std::size_t split_record(std::string_view text, std::vector<std::string_view>& cells,
                         std::string& unquoted) {
  cells.clear();
  unquoted.clear();
  struct Piece {  // of `unquoted`, which may move while it grows
    std::size_t cell, begin, size;
  };
  std::vector<Piece> pieces;
  std::size_t at = 0;
  const auto finish = [&] {
    for (const Piece& p : pieces)
      cells[p.cell] = std::string_view(unquoted).substr(p.begin, p.size);
    return at;
  };
  while (true) {
    if (at < text.size() && text[at] == '"') {
      const std::size_t begin = unquoted.size();
      for (++at;; ++at) {
        if (at >= text.size()) return 0;
        if (text[at] == '"') {
          if (at + 1 >= text.size()) return 0;
          if (text[at + 1] != '"') break;
          ++at;
        }
        unquoted += text[at];
      }
      ++at;
      pieces.push_back({cells.size(), begin, unquoted.size() - begin});
      cells.emplace_back();
    } else {
      const std::size_t begin = at;
      while (at < text.size() && text[at] != ',' && text[at] != '\n') ++at;
      std::size_t size = at - begin;
      if (size > 0 && at < text.size() && text[at] == '\n' && text[at - 1] == '\r') --size;
      cells.push_back(text.substr(begin, size));
    }
    if (at < text.size() && text[at] == '\r') ++at;
    if (at >= text.size()) return 0;
    if (text[at++] == '\n') return finish();
  }
}

}  // namespace chancel::report
