// SPDX-License-Identifier: Apache-2.0
// The tables of codes, made from codes.def, and the sink. Code numbers are the order of the list,
// so a lookup is an array index.
#include "diag/diagnostic.hpp"

#include <algorithm>
#include <array>

#include "base/assert.hpp"
#include "base/edit_distance.hpp"

namespace chancel {
namespace {

struct CodeEntry {
  const char* name;
  const char* title;
  const char* explanation;
};

constexpr CodeEntry kCodes[] = {
#define CHANCEL_CODE(id, title, explanation) {#id, title, explanation},
#include "diag/codes.def"
#undef CHANCEL_CODE
};

const CodeEntry& entry(Code code) {
  const auto index = static_cast<std::size_t>(code);
  CHANCEL_ASSERT(index < std::size(kCodes), "a diagnostic code is not in codes.def");
  return kCodes[index];
}

}  // namespace

const char* code_name(Code code) { return entry(code).name; }
const char* code_title(Code code) { return entry(code).title; }
const char* code_explanation(Code code) { return entry(code).explanation; }
std::size_t code_count() { return std::size(kCodes); }

Diagnostic& DiagnosticSink::error(Code code, Span span, std::string message, std::string hint) {
  list_.push_back({code, Severity::Error, span, std::move(message), std::move(hint), {}});
  return list_.back();
}

Diagnostic& DiagnosticSink::warning(Code code, Span span, std::string message, std::string hint) {
  list_.push_back({code, Severity::Warning, span, std::move(message), std::move(hint), {}});
  return list_.back();
}

bool DiagnosticSink::has_errors() const {
  return std::any_of(list_.begin(), list_.end(),
                     [](const Diagnostic& d) { return d.severity == Severity::Error; });
}

std::string did_you_mean(std::string_view name, const std::vector<std::string>& candidates) {
  // One slip in a name of up to four characters, two up to eight, three beyond: closer names are
  // rarely meant. A name of one character is never a slip for another one.
  if (name.size() < 2) return {};
  const std::size_t limit = name.size() <= 4 ? 1 : name.size() <= 8 ? 2 : 3;
  std::size_t best = limit + 1;
  const std::string* closest = nullptr;
  for (const std::string& candidate : candidates) {
    if (candidate == name) continue;
    const std::size_t d = edit_distance(name, candidate, limit);
    // Equally close: the smaller one, so that the answer does not hang on the order of the list.
    if (d < best || (d == best && d <= limit && closest != nullptr && candidate < *closest)) {
      best = d;
      closest = &candidate;
    }
  }
  return closest != nullptr ? *closest : std::string{};
}

}  // namespace chancel
