// SPDX-License-Identifier: Apache-2.0
#include "report/json_text.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/double_text.hpp"
#include "base/utf8.hpp"

namespace chancel::report {

void append_json_string(std::string& out, std::string_view text) {
  out += '"';
  for (std::size_t i = 0; i < text.size();) {
    const unsigned char c = static_cast<unsigned char>(text[i]);
    if (c >= 0x80) {
      const DecodedChar decoded = decode_utf8(text, i);
      append_utf8(out, decoded.valid ? decoded.code_point : kReplacement);
      i += decoded.length;
      continue;
    }
    ++i;
    switch (c) {
      case '"':
        out += "\\\"";
        break;
      case '\\':
        out += "\\\\";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\t':
        out += "\\t";
        break;
      case '\r':
        out += "\\r";
        break;
      default:
        if (c < 0x20 || c == 0x7F) {
          out += fmt::format("\\u{:04x}", c);
        } else {
          out += static_cast<char>(c);
        }
    }
  }
  out += '"';
}

void append_json_number(std::string& out, double value) {
  if (std::isnan(value)) {
    out += "\"NaN\"";
  } else if (std::isinf(value)) {
    out += value > 0 ? "\"Infinity\"" : "\"-Infinity\"";
  } else {
    append_java_double(out, value);
  }
}

std::string label_text(const std::string& printed) {
  if (printed.size() < 2 || printed.front() != '"' || printed.back() != '"') return printed;
  std::string out;
  for (std::size_t i = 1; i + 1 < printed.size(); ++i) {
    if (printed[i] != '\\' || i + 2 >= printed.size()) {
      out += printed[i];
      continue;
    }
    const char c = printed[++i];
    out += c == 'n' ? '\n' : c == 't' ? '\t' : c == 'r' ? '\r' : c;
  }
  return out;
}

}  // namespace chancel::report
