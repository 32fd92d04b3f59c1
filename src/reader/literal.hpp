// SPDX-License-Identifier: Apache-2.0
// Strings, regular expressions and characters, from their first mark to their last. A bad escape is
// reported at its own place and reading continues after it, so one literal may give several
// messages.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

#include "diag/diagnostic.hpp"

namespace chancel {

struct StringLiteral {
  std::string value;
  std::size_t end = 0;  // offset after the closing quote, or of the end of the text
  bool closed = false;  // if not, nothing was reported: the caller knows what to say
};

// `begin` is the offset of the opening quote. Escapes: \n \t \r \b \f \" \\ \uXXXX and octal \101
// or \o101.
StringLiteral read_string_literal(std::string_view text, std::size_t begin, std::uint32_t file,
                                  DiagnosticSink& sink);
// The text between the quotes as it stands: backslashes belong to the expression.
StringLiteral read_regex_literal(std::string_view text, std::size_t begin);

struct CharLiteral {
  std::uint32_t code_point = 0;
  std::size_t end = 0;
};

// `begin` is the offset of the backslash: \a \( \newline \space \tab \u03BB \o101.
CharLiteral read_char_literal(std::string_view text, std::size_t begin, std::uint32_t file,
                              DiagnosticSink& sink);

}  // namespace chancel
