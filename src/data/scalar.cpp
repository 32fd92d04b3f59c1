// SPDX-License-Identifier: Apache-2.0
#include "data/scalar.hpp"

#include <fmt/format.h>

#include <charconv>
#include <limits>

namespace chancel::data {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Digits with at most one point among them, and an exponent: what from_chars takes besides (inf,
// hexadecimal, a point alone) is left out.
bool is_decimal(std::string_view s, bool* whole) {
  std::size_t i = 0, digits = 0;
  *whole = true;
  for (; i < s.size() && (is_digit(s[i]) || s[i] == '.'); ++i) {
    if (is_digit(s[i])) {
      ++digits;
    } else if (*whole) {
      *whole = false;
    } else {
      return false;
    }
  }
  if (digits == 0) return false;
  if (i == s.size()) return true;
  if (s[i] != 'e' && s[i] != 'E') return false;
  *whole = false;
  if (++i < s.size() && (s[i] == '+' || s[i] == '-')) ++i;
  if (i == s.size()) return false;
  for (; i < s.size(); ++i)
    if (!is_digit(s[i])) return false;
  return true;
}

// A decimal that from_chars finds out of range is too large or too small: it is too small when it
// is 0 followed by zeros, or its exponent is negative enough.
bool is_tiny(std::string_view s) {
  const std::size_t e = s.find_first_of("eE");
  const std::string_view digits = s.substr(0, e);
  long exponent = 0;
  if (e != std::string_view::npos) {
    std::string_view text = s.substr(e + 1);
    if (text.starts_with('+')) text.remove_prefix(1);
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), exponent);
    if (error != std::errc{}) return text.starts_with('-');
  }
  const std::size_t point = std::min(digits.find('.'), digits.size());
  const std::size_t first = digits.find_first_of("123456789");
  if (first == std::string_view::npos) return true;
  const long power =
      first < point ? static_cast<long>(point - first) - 1 : -static_cast<long>(first - point);
  return exponent + power < 0;
}

}  // namespace

NumberText parse_number(std::string_view text, std::int64_t* integer, double* real) {
  const bool negative = text.starts_with('-');
  std::string_view s = text;
  if (negative || s.starts_with('+')) s.remove_prefix(1);
  if (s.empty()) return NumberText::None;
  if (!is_digit(s[0]) && s[0] != '.') {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    if (s == "Inf" || s == "inf" || s == "Infinity") {
      *real = negative ? -kInfinity : kInfinity;
      return NumberText::Real;
    }
    if (text == "NaN" || text == "nan") {
      *real = std::numeric_limits<double>::quiet_NaN();
      return NumberText::Real;
    }
    return NumberText::None;
  }
  const std::string_view number = negative ? text : s;
  const char* const last = number.data() + number.size();
  // Integers and plain decimals are by far the most common: one pass each.
  if (const auto r = std::from_chars(number.data(), last, *integer);
      r.ec == std::errc{} && r.ptr == last)
    return NumberText::Integer;
  bool whole = false;
  if (!is_decimal(s, &whole)) return NumberText::None;
  const auto r = std::from_chars(number.data(), last, *real);
  if (r.ec == std::errc{}) return NumberText::Real;
  if (!is_tiny(s)) return NumberText::TooLarge;
  *real = negative ? -0.0 : 0.0;
  return NumberText::Real;
}

std::string_view without_blanks(std::string_view s) {
  while (!s.empty() && (s.front() == ' ' || s.front() == '\t')) s.remove_prefix(1);
  while (!s.empty() && (s.back() == ' ' || s.back() == '\t')) s.remove_suffix(1);
  return s;
}

bool read_scalar(std::string_view cell, Node* out) {
  const std::string_view s = without_blanks(cell);
  switch (parse_number(s, &out->integer, &out->real)) {
    case NumberText::Integer:
      out->kind = NodeKind::Integer;
      return true;
    case NumberText::Real:
      out->kind = NodeKind::Real;
      return true;
    case NumberText::TooLarge:
      return false;
    case NumberText::None:
      break;
  }
  if (s.empty() || s == "NA" || s == "null" || s == "NULL" || s == "nil") {
    out->kind = NodeKind::Null;
  } else if (s == "true" || s == "TRUE" || s == "True" || s == "false" || s == "FALSE" ||
             s == "False") {
    out->kind = NodeKind::Bool;
    out->boolean = s[0] == 't' || s[0] == 'T';
  } else {
    out->kind = NodeKind::Text;
    out->text = cell;
  }
  return true;
}

bool reads_as_text(std::string_view text) {
  Node node;
  return read_scalar(text, &node) && node.kind == NodeKind::Text;
}

std::string too_large_message(std::string_view number) {
  return fmt::format("{} is too large for a number of 64 bits", number);
}

}  // namespace chancel::data
