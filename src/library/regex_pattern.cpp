// SPDX-License-Identifier: Apache-2.0
// Patterns as values of programs: records that hold the text; the program of a text is kept per thread.
#include <fmt/format.h>

#include <unordered_map>

#include "base/symbol.hpp"
#include "diag/diagnostic.hpp"
#include "library/regex_program.hpp"
#include "value/collections.hpp"
#include "value/record.hpp"

namespace chancel {

namespace {
const RecordType& pattern_type() {
  static const RecordType type = [] {
    RecordType t;
    t.name = intern("re-pattern");
    t.kind = RecordKind::Host;
    t.class_name = "java.util.regex.Pattern";
    t.fields = {intern("pattern")};
    t.parameter_count = 1;
    return t;
  }();
  return type;
}
std::shared_ptr<const Regex> compiled_text(std::string_view text, std::string* error) {
  thread_local std::unordered_map<std::string, std::shared_ptr<const Regex>> cache;
  const auto found = cache.find(std::string(text));
  if (found != cache.end()) return found->second;
  auto regex = Regex::compile(text, error);
  if (regex) {
    if (cache.size() >= 64) cache.clear();
    cache.emplace(std::string(text), regex);
  }
  return regex;
}
}  // namespace

bool is_pattern(const Value& v) {
  return v.is(Tag::Record) && v.as<Record>()->type == &pattern_type();
}

std::string_view pattern_text(const Value& pattern) {
  return string_view_of(pattern.as<Record>()->fields[0]);
}

Value make_pattern(NativeContext& cx, std::string_view text) {
  std::string error;
  if (!compiled_text(text, &error))
    return cx.fail_as("java.util.regex.PatternSyntaxException", Code::R009,
                      fmt::format("re-pattern: {}", error), 0);
  const Value s = make_string(*cx.arena, text);
  auto* r = cx.arena->make<Record>(Tag::Record);
  r->type = &pattern_type();
  r->fields[0] = s;
  return Value::object(r);
}

std::shared_ptr<const Regex> compiled(const Value& pattern) {
  std::string error;
  auto regex = compiled_text(pattern_text(pattern), &error);
  CHANCEL_ASSERT(regex, "a pattern value is always well formed");
  return regex;
}

}  // namespace chancel
