// SPDX-License-Identifier: Apache-2.0
#include "quantity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <utility>

#include "usage.hpp"

namespace chancel::tool {
namespace {

struct Quantity {
  double number = 0;
  std::string unit;  // lower case
};

// False when the text does not start with a number that is finite and not negative.
bool split(const std::string& text, Quantity* out) {
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, out->number);
  if (error != std::errc() || !std::isfinite(out->number) || out->number < 0) return false;
  out->unit.assign(rest, end);
  for (char& c : out->unit) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return true;
}

[[noreturn]] void refuse(const std::string& option, const std::string& text, const char* rule,
                         const char* example) {
  throw UsageError(fmt::format("{}: {} expected, got '{}'", option, rule, text),
                   fmt::format("for example {} {}", option, example));
}

}  // namespace

std::uint64_t parse_count(const std::string& option, const std::string& text) {
  std::uint64_t whole = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), whole);
  if (error == std::errc() && rest == text.data() + text.size()) return whole;
  Quantity q;
  // 1e6 is a handy way to write a million; beyond 2^53 a double could not tell whole numbers apart.
  if (!split(text, &q) || !q.unit.empty() || q.number != std::floor(q.number) ||
      q.number > 0x1p53) {
    refuse(option, text, "a whole number", "1000");
  }
  return static_cast<std::uint64_t>(q.number);
}

std::uint64_t parse_bytes(const std::string& option, const std::string& text) {
  Quantity q;
  if (split(text, &q)) {
    static const std::pair<const char*, double> units[] = {
        {"", 1},         {"b", 1},       {"k", 0x1p10},   {"kb", 0x1p10}, {"kib", 0x1p10},
        {"m", 0x1p20},   {"mb", 0x1p20}, {"mib", 0x1p20}, {"g", 0x1p30},  {"gb", 0x1p30},
        {"gib", 0x1p30}, {"t", 0x1p40},  {"tb", 0x1p40},  {"tib", 0x1p40}};
    for (const auto& [name, size] : units) {
      if (q.unit == name && q.number * size >= 1 && q.number * size < 0x1p62) {
        return static_cast<std::uint64_t>(q.number * size);
      }
    }
  }
  refuse(option, text, "a size", "4G");
}

double parse_seconds(const std::string& option, const std::string& text) {
  Quantity q;
  if (split(text, &q)) {
    static const std::pair<const char*, double> units[] = {{"", 1},   {"s", 1},    {"ms", 1e-3},
                                                           {"m", 60}, {"min", 60}, {"h", 3600}};
    for (const auto& [name, size] : units) {
      if (q.unit == name && q.number > 0 && q.number * size < 1e9) return q.number * size;
    }
  }
  refuse(option, text, "a time", "10s");
}

}  // namespace chancel::tool
