// SPDX-License-Identifier: Apache-2.0
// Escapes as Clojure's reader takes them. UTF-16 pairs such as \uD83D\uDE00 join into one
// character; half a pair is refused, because strings here are UTF-8 and could not hold it.
#include "reader/literal.hpp"

#include "base/utf8.hpp"
#include "reader/characters.hpp"

namespace chancel {
namespace {

Span place(std::uint32_t file, std::size_t begin, std::size_t end) {
  return {file, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
}

bool is_high_surrogate(std::uint32_t c) { return c >= 0xD800 && c <= 0xDBFF; }
bool is_low_surrogate(std::uint32_t c) { return c >= 0xDC00 && c <= 0xDFFF; }

// Up to `most` digits of the base from `at`; returns how many there were.
std::size_t take_digits(std::string_view text, std::size_t at, int base, std::size_t most,
                        std::uint32_t& value) {
  value = 0;
  std::size_t count = 0;
  while (count < most && at + count < text.size()) {
    const int digit = digit_value(static_cast<unsigned char>(text[at + count]));
    if (digit >= base) break;
    value = value * static_cast<std::uint32_t>(base) + static_cast<std::uint32_t>(digit);
    ++count;
  }
  return count;
}

class StringReader {
 public:
  StringReader(std::string_view text, std::size_t begin, std::uint32_t file, DiagnosticSink& sink)
      : text_(text), at_(begin + 1), file_(file), sink_(sink) {}

  StringLiteral read() {
    StringLiteral result;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '"') {
        result.closed = true;
        ++at_;
        break;
      }
      if (c == '\\') {
        if (at_ + 1 >= text_.size()) {
          at_ = text_.size();
          break;
        }
        read_escape();
        continue;
      }
      const DecodedChar decoded = decode_utf8(text_, at_);
      if (!decoded.valid && !encoding_reported_) {
        sink_.error(Code::S010, place(file_, at_, at_ + 1), "the string is not valid UTF-8");
        encoding_reported_ = true;
      }
      value_.append(text_.substr(at_, decoded.length));
      at_ += decoded.length;
    }
    result.value = std::move(value_);
    result.end = at_;
    return result;
  }

 private:
  void read_escape() {
    const std::size_t begin = at_;
    const char c = text_[at_ + 1];
    at_ += 2;
    switch (c) {
      case 'n':
        value_ += '\n';
        return;
      case 't':
        value_ += '\t';
        return;
      case 'r':
        value_ += '\r';
        return;
      case 'b':
        value_ += '\b';
        return;
      case 'f':
        value_ += '\f';
        return;
      case '"':
        value_ += '"';
        return;
      case '\\':
        value_ += '\\';
        return;
      case 'u':
        read_unicode(begin);
        return;
      case 'o':
        read_octal(begin);
        return;
      default:
        break;
    }
    if (digit_value(static_cast<unsigned char>(c)) < 8) {
      --at_;
      read_octal(begin);
      return;
    }
    const DecodedChar decoded = decode_utf8(text_, begin + 1);
    at_ = begin + 1 + decoded.length;
    const bool shown = decoded.valid && !is_control(decoded.code_point) && c != '\n';
    sink_.error(Code::S004, place(file_, begin, at_),
                "unknown escape " +
                    (shown ? std::string(text_.substr(begin, at_ - begin)) : std::string("\\")) +
                    " in a string",
                "write \\\\ for a backslash");
  }

  void read_octal(std::size_t begin) {
    std::uint32_t value = 0;
    const std::size_t count = take_digits(text_, at_, 8, 3, value);
    at_ += count;
    if (count == 0 || value > 0377) {
      sink_.error(Code::S004, place(file_, begin, at_),
                  "an octal escape needs one to three digits, at most 377");
      return;
    }
    append_utf8(value_, value);
  }

  void read_unicode(std::size_t begin) {
    std::uint32_t value = 0;
    const std::size_t count = take_digits(text_, at_, 16, 4, value);
    at_ += count;
    if (count != 4) {
      sink_.error(Code::S004, place(file_, begin, at_), "\\u needs four hexadecimal digits");
      return;
    }
    std::uint32_t low = 0;
    if (is_high_surrogate(value) && text_.substr(at_, 2) == "\\u" &&
        take_digits(text_, at_ + 2, 16, 4, low) == 4 && is_low_surrogate(low)) {
      at_ += 6;
      value = 0x10000 + ((value - 0xD800) << 10) + (low - 0xDC00);
    }
    if (is_high_surrogate(value) || is_low_surrogate(value)) {
      sink_.error(Code::S004, place(file_, begin, at_), "this is half of a UTF-16 pair");
      return;
    }
    append_utf8(value_, value);
  }

  std::string_view text_;
  std::size_t at_;
  std::uint32_t file_;
  DiagnosticSink& sink_;
  std::string value_;
  bool encoding_reported_ = false;
};

struct NamedChar {
  std::string_view name;
  std::uint32_t code_point;
};
constexpr NamedChar kNamedChars[] = {{"newline", '\n'}, {"space", ' '},     {"tab", '\t'},
                                     {"return", '\r'},  {"formfeed", '\f'}, {"backspace", '\b'}};

}  // namespace

StringLiteral read_string_literal(std::string_view text, std::size_t begin, std::uint32_t file,
                                  DiagnosticSink& sink) {
  return StringReader(text, begin, file, sink).read();
}

StringLiteral read_regex_literal(std::string_view text, std::size_t begin) {
  StringLiteral result;
  std::size_t at = begin + 1;
  while (at < text.size() && text[at] != '"') at += text[at] == '\\' ? 2 : 1;
  result.closed = at < text.size();
  at = at < text.size() ? at : text.size();
  result.value = std::string(text.substr(begin + 1, at - begin - 1));
  result.end = result.closed ? at + 1 : at;
  return result;
}

CharLiteral read_char_literal(std::string_view text, std::size_t begin, std::uint32_t file,
                              DiagnosticSink& sink) {
  CharLiteral result;
  if (begin + 1 >= text.size()) {
    sink.error(Code::S006, place(file, begin, begin + 1), "a character literal has no character");
    result.end = text.size();
    return result;
  }
  const DecodedChar first = decode_utf8(text, begin + 1);
  std::size_t end = begin + 1 + first.length;
  while (end < text.size()) {
    const DecodedChar c = decode_utf8(text, end);
    if (is_white_space(c.code_point) || is_terminator(c.code_point)) break;
    end += c.length;
  }
  result.end = end;
  result.code_point = first.code_point;
  const std::string_view token = text.substr(begin + 1, end - begin - 1);
  if (!first.valid) {
    sink.error(Code::S010, place(file, begin, end), "the character is not valid UTF-8");
    return result;
  }
  if (token.size() == first.length) return result;
  for (const NamedChar& named : kNamedChars) {
    if (token == named.name) {
      result.code_point = named.code_point;
      return result;
    }
  }
  std::uint32_t value = 0;
  if (token[0] == 'u' && token.size() == 5 && take_digits(token, 1, 16, 4, value) == 4) {
    if (is_high_surrogate(value) || is_low_surrogate(value)) {
      sink.error(Code::S004, place(file, begin, end), "this is half of a UTF-16 pair");
    }
    result.code_point = value;
    return result;
  }
  if (token[0] == 'o' && token.size() <= 4 &&
      take_digits(token, 1, 8, 3, value) == token.size() - 1 && value <= 0377) {
    result.code_point = value;
    return result;
  }
  sink.error(token[0] == 'u' || token[0] == 'o' ? Code::S004 : Code::S006, place(file, begin, end),
             "there is no character with this name",
             "one character, or newline, space, tab, return, backspace, formfeed, uXXXX, oNNN");
  return result;
}

}  // namespace chancel
