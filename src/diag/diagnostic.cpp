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

namespace {

// The parts of a name between dashes, underscores and slashes, in small letters.
std::vector<std::string> parts_of(std::string_view name) {
  std::vector<std::string> parts(1);
  for (const char c : name) {
    if (c == '-' || c == '_' || c == '/')
      parts.emplace_back();
    else
      parts.back() += c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  }
  std::erase(parts, std::string());
  return parts;
}

// The candidate of the same parts, each written out or cut short (obs for observation), in any
// order but for at most one that only one of the two has. Names of one part are left to spelling.
std::string same_parts(std::string_view name, const std::vector<std::string>& candidates) {
  constexpr std::size_t kShortest = 3;  // a shorter beginning says too little
  const std::vector<std::string> wanted = parts_of(name);
  if (wanted.size() < 2) return {};
  const auto alike = [](const std::string& a, const std::string& b) {
    const std::size_t n = std::min(a.size(), b.size());
    return a == b || (n >= kShortest && a.compare(0, n, b, 0, n) == 0);
  };
  std::size_t best = ~std::size_t{0};
  const std::string* found = nullptr;
  for (const std::string& candidate : candidates) {
    std::vector<std::string> left = parts_of(candidate);
    std::size_t missing = 0;
    for (const std::string& part : wanted) {
      const auto at =
          std::find_if(left.begin(), left.end(), [&](const auto& p) { return alike(p, part); });
      if (at == left.end())
        ++missing;
      else
        left.erase(at);
    }
    const std::size_t apart = missing + left.size();
    // With two parts both must be there; with more, one may be.
    if (candidate == name || apart > (wanted.size() > 2 ? 1 : 0)) continue;
    if (apart < best || (apart == best && candidate < *found)) {
      best = apart;
      found = &candidate;
    }
  }
  return found != nullptr ? *found : std::string{};
}

}  // namespace

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
    // Equally close: a longer one, since letters are forgotten more often than added; then the smaller
    // one, so that the answer does not hang on the order of the list.
    const auto goes_first = [&](const std::string& other) {
      return candidate.size() != other.size() ? candidate.size() > other.size() : candidate < other;
    };
    if (d < best || (d == best && d <= limit && closest != nullptr && goes_first(*closest))) {
      best = d;
      closest = &candidate;
    }
  }
  return closest != nullptr ? *closest : same_parts(name, candidates);
}

}  // namespace chancel
