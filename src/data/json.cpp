// SPDX-License-Identifier: Apache-2.0
#include "data/json.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/utf8.hpp"
#include "data/scalar.hpp"

namespace chancel::data {
namespace {

class JsonReader {
 public:
  JsonReader(std::string_view text, Document* document, DataError* error)
      : text_(text), nodes_(document->nodes), error_(error) {}

  // One loop over values, with the open arrays and objects on a stack.
  bool read() {
    at_ = byte_order_mark(text_);
    do {
      skip_blanks();
      if (peek() == '{' || peek() == '[') {
        if (!open()) return false;
        skip_blanks();
        if (peek() != closing()) {
          if (!read_key()) return false;
          continue;
        }
      } else if (!read_atom()) {
        return false;
      }
      if (!finish_value()) return false;
    } while (!open_.empty());
    skip_blanks();
    if (at_ < text_.size()) return fail(at_, at_ + 1, "the data ends before this", "");
    return true;
  }

 private:
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool in_object() const { return nodes_[open_.back()].kind == NodeKind::Object; }
  char closing() const { return in_object() ? '}' : ']'; }

  bool fail(std::size_t begin, std::size_t end, std::string message, std::string hint) {
    *error_ = {static_cast<std::uint32_t>(begin),
               static_cast<std::uint32_t>(std::min(end, std::max(begin, text_.size()))),
               std::move(message), std::move(hint)};
    return false;
  }
  bool unexpected(const char* expected) {
    if (at_ >= text_.size()) {
      if (open_.empty()) return fail(at_, at_, "there is no data", "");
      const std::uint32_t begin = nodes_[open_.back()].begin;
      return fail(begin, begin + 1,
                  in_object() ? "this { is never closed" : "this [ is never closed", "");
    }
    const char c = text_[at_];
    std::string hint;
    if (c == '\'') hint = "JSON has strings in double quotes only";
    if (c == ':' || c == '#' || c == ';') hint = "this looks like EDN: name the file .edn";
    return fail(at_, at_ + decode_utf8(text_, at_).length,
                fmt::format("{} was expected here", expected), hint);
  }
  void skip_blanks() {
    while (at_ < text_.size() &&
           (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t' || text_[at_] == '\r'))
      ++at_;
  }
  Node& add(NodeKind kind, std::size_t begin) {
    Node& node = nodes_.emplace_back();
    node.kind = kind;
    node.begin = static_cast<std::uint32_t>(begin);
    node.next = static_cast<std::uint32_t>(nodes_.size());
    return node;
  }

  bool open() {
    if (open_.size() >= kMaxDepth)
      return fail(at_, at_ + 1, fmt::format("nested more than {} levels deep", kMaxDepth),
                  "data for programs is flat: columns of numbers");
    open_.push_back(static_cast<std::uint32_t>(nodes_.size()));
    add(peek() == '{' ? NodeKind::Object : NodeKind::Array, at_);
    ++at_;
    return true;
  }

  // The key that comes next inside an object; nothing inside an array.
  bool read_key() {
    if (!in_object()) return true;
    skip_blanks();
    if (peek() != '"') return unexpected("a key in double quotes");
    if (!read_text()) return false;
    skip_blanks();
    if (peek() != ':') return unexpected("a colon after the key");
    ++at_;
    return true;
  }

  // After a value: closes what closes here; then the next value follows, or the end.
  bool finish_value() {
    while (!open_.empty()) {
      skip_blanks();
      if (peek() == ',') {
        ++at_;
        return read_key();
      }
      if (peek() != closing()) return unexpected(in_object() ? "a comma or }" : "a comma or ]");
      ++at_;
      Node& node = nodes_[open_.back()];
      node.end = static_cast<std::uint32_t>(at_);
      node.next = static_cast<std::uint32_t>(nodes_.size());
      if (in_object() && !keys_differ()) return false;
      open_.pop_back();
    }
    return true;
  }

  bool keys_differ() {
    std::vector<std::pair<std::string_view, std::uint32_t>> keys;
    for (std::uint32_t i = open_.back() + 1; i < nodes_.size(); i = nodes_[i + 1].next)
      keys.emplace_back(nodes_[i].text, i);
    std::sort(keys.begin(), keys.end());
    const auto twice = std::adjacent_find(
        keys.begin(), keys.end(), [](const auto& a, const auto& b) { return a.first == b.first; });
    if (twice == keys.end()) return true;
    const Node& second = nodes_[(twice + 1)->second];
    return fail(second.begin, second.end, fmt::format("the key {} comes twice", second.text), "");
  }

  bool read_text() {
    Node& node = add(NodeKind::Text, at_);
    if (!read_string(&node.text)) return false;
    node.end = static_cast<std::uint32_t>(at_);
    return true;
  }

  // null, a truth value, a number or a text. NaN and Infinity are not JSON, but Python writes them.
  bool read_atom() {
    if (peek() == '"') return read_text();
    const std::size_t begin = at_;
    while (at_ < text_.size() &&
           std::string_view(",]}[{\": \n\t\r").find(text_[at_]) == std::string_view::npos)
      ++at_;
    const std::string_view word = text_.substr(begin, at_ - begin);
    Node& node = add(NodeKind::Null, begin);
    node.end = static_cast<std::uint32_t>(at_);
    if (word == "null") return true;
    if (word == "true" || word == "false") {
      node.kind = NodeKind::Bool;
      node.boolean = word == "true";
      return true;
    }
    switch (parse_number(word, &node.integer, &node.real)) {
      case NumberText::Integer:
        node.kind = NodeKind::Integer;
        return true;
      case NumberText::Real:
        node.kind = NodeKind::Real;
        return true;
      case NumberText::TooLarge:
        return fail(begin, at_, too_large_message(word), kTooLargeHint);
      case NumberText::None:
        break;
    }
    at_ = begin;
    return unexpected("a value");
  }

  bool read_hex(std::uint32_t* out) {
    *out = 0;
    for (int i = 0; i < 4; ++i, ++at_) {
      const char c = at_ < text_.size() ? text_[at_] : ' ';
      const int digit = c >= '0' && c <= '9'   ? c - '0'
                        : c >= 'a' && c <= 'f' ? c - 'a' + 10
                        : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                               : -1;
      if (digit < 0) return fail(at_, at_ + 1, "\\u needs four hexadecimal digits", "");
      *out = *out * 16 + static_cast<std::uint32_t>(digit);
    }
    return true;
  }

  bool read_string(std::string* out) {
    const std::size_t begin = at_++;
    while (true) {
      const std::size_t plain = at_;
      while (at_ < text_.size() && text_[at_] != '"' && text_[at_] != '\\' &&
             static_cast<unsigned char>(text_[at_]) >= 0x20)
        ++at_;
      out->append(text_.substr(plain, at_ - plain));
      if (at_ >= text_.size()) return fail(begin, begin + 1, "this string is never closed", "");
      const char c = text_[at_++];
      if (c == '"') return true;
      if (c != '\\')
        return fail(at_ - 1, at_, "a line end or control character inside a string", "write \\n");
      if (at_ >= text_.size()) return fail(begin, begin + 1, "this string is never closed", "");
      const char escape = text_[at_++];
      constexpr std::string_view kEscapes = "\"\\/bfnrt";
      constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
      if (const std::size_t i = kEscapes.find(escape); i != std::string_view::npos) {
        *out += kMeanings[i];
      } else if (escape == 'u') {
        std::uint32_t code = 0;
        if (!read_hex(&code)) return false;
        if (code >= 0xD800 && code < 0xDC00 && text_.substr(at_).starts_with("\\u")) {
          at_ += 2;
          std::uint32_t low = 0;
          if (!read_hex(&low)) return false;
          code = low >= 0xDC00 && low < 0xE000 ? 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00)
                                               : kReplacement;
        }
        append_utf8(*out, code >= 0xD800 && code < 0xE000 ? kReplacement : code);
      } else {
        return fail(at_ - 2, at_, "JSON has no such escape", "a backslash is written \\\\");
      }
    }
  }

  std::string_view text_;
  std::vector<Node>& nodes_;
  DataError* error_;
  std::size_t at_ = 0;
  std::vector<std::uint32_t> open_;  // the arrays and objects around this place
};

}  // namespace

bool read_json(std::string_view text, Document* document, DataError* error) {
  document->nodes.clear();
  return JsonReader(text, document, error).read();
}

}  // namespace chancel::data
