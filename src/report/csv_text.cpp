// SPDX-License-Identifier: Apache-2.0
#include "report/csv_text.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/double_text.hpp"
#include "data/scalar.hpp"

namespace chancel::report {
namespace {

// Would this text be read as something else than a string (see draw_reader.cpp)?
bool reads_otherwise(std::string_view text) {
  return !data::reads_as_text(text) || data::without_blanks(text) != text ||
         std::string_view("+-.:([{#\"\\'").find(text.front()) != std::string_view::npos;
}

}  // namespace

void append_integer(std::string& out, std::int64_t value) {
  const fmt::format_int text(value);
  out.append(text.data(), text.size());
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
    case ValueView::Kind::BigInteger:
      out += value.text();
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

}  // namespace chancel::report
