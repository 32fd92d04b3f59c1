// SPDX-License-Identifier: Apache-2.0
// What we tell a person about a mistake: a code from codes.def, one sentence, a place, notes with
// places, one hint. Reader, front and compile collect several in a DiagnosticSink and continue;
// they do not throw.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "diag/source.hpp"
#include "diag/span.hpp"

namespace chancel {

enum class Severity { Error, Warning, Note };

enum class Code : std::uint16_t {
#define CHANCEL_CODE(id, title, explanation) id,
#include "diag/codes.def"
#undef CHANCEL_CODE
};

const char* code_name(Code code);         // "R001"
const char* code_title(Code code);        // short title
const char* code_explanation(Code code);  // a paragraph for docs/errors.md
std::size_t code_count();

struct DiagnosticNote {
  Span span;
  std::string text;
};

struct Diagnostic {
  Code code;
  Severity severity = Severity::Error;
  Span span;
  std::string message;
  std::string hint;                   // empty = none
  std::vector<DiagnosticNote> notes;  // "expanded from", "first defined here", call stack entries
};

class DiagnosticSink {
 public:
  Diagnostic& error(Code code, Span span, std::string message, std::string hint = {});
  Diagnostic& warning(Code code, Span span, std::string message, std::string hint = {});
  void add(Diagnostic diagnostic) { list_.push_back(std::move(diagnostic)); }
  bool has_errors() const;
  const std::vector<Diagnostic>& list() const { return list_; }
  void clear() { list_.clear(); }

 private:
  std::vector<Diagnostic> list_;
};

// The message as users see it: place, code, sentence, source line, caret, notes, hint.
// With `colour`, ANSI escapes mark severity and caret.
std::string render(const Diagnostic& diagnostic, const SourceMap& sources, bool colour = false);

// The candidate closest to `name` by edit distance, if close enough to be a likely slip; else one
// that has the same parts between its dashes (get-state-obs-mean, get-state-observation-mean); else
// empty.
std::string did_you_mean(std::string_view name, const std::vector<std::string>& candidates);

}  // namespace chancel
