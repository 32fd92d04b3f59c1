// SPDX-License-Identifier: Apache-2.0
// A tag is written from its name and the attributes that are known; nothing of its text is
// copied unescaped. Elements that were left open are closed at the end, and an end tag closes only
// what is open here, so that the rest of the page stays as it was.
#include "page/safe_html.hpp"

#include <algorithm>
#include <cctype>
#include <vector>

#include "page/html_text.hpp"

namespace chancel::page {
namespace {

constexpr std::string_view kElements[] = {
    "b",          "i",        "em",      "strong", "u",     "s",     "small",  "sub",
    "sup",        "code",     "pre",     "p",      "div",   "span",  "ul",     "ol",
    "li",         "dl",       "dt",      "dd",     "table", "thead", "tbody",  "tr",
    "th",         "td",       "caption", "h1",     "h2",    "h3",    "h4",     "h5",
    "blockquote", "mark",     "svg",     "g",      "path",  "rect",  "circle", "ellipse",
    "line",       "polyline", "polygon", "text",   "tspan", "center"};
constexpr std::string_view kEmpty[] = {"br", "hr"};
constexpr std::string_view kAttributes[] = {"title",
                                            "colspan",
                                            "rowspan",
                                            "align",
                                            "width",
                                            "height",
                                            "viewBox",
                                            "x",
                                            "y",
                                            "x1",
                                            "y1",
                                            "x2",
                                            "y2",
                                            "cx",
                                            "cy",
                                            "r",
                                            "rx",
                                            "ry",
                                            "d",
                                            "points",
                                            "fill",
                                            "stroke",
                                            "stroke-width",
                                            "fill-opacity",
                                            "stroke-opacity",
                                            "opacity",
                                            "transform",
                                            "text-anchor",
                                            "font-size"};

template <class List>
bool among(std::string_view word, const List& list) {
  return std::find(std::begin(list), std::end(list), word) != std::end(list);
}

// A value of an attribute that names nothing outside: no url(...), no scheme.
bool is_plain_value(std::string_view value) {
  return value.find(':') == value.npos && value.find("url") == value.npos &&
         value.find('&') == value.npos;
}

class Cleaner {
 public:
  explicit Cleaner(std::string_view text) : text_(text) {}

  std::string clean() {
    while (at_ < text_.size()) {
      if (text_[at_] == '<' && tag()) continue;
      if (text_[at_] == '&' && entity()) continue;
      out_ += html(text_.substr(at_++, 1));
    }
    while (!open_.empty()) close(open_.back());
    return out_;
  }

 private:
  static bool is_name(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_';
  }
  void skip_space(std::size_t& at) const {
    while (at < text_.size() && std::isspace(static_cast<unsigned char>(text_[at]))) ++at;
  }
  std::string name(std::size_t& at) const {
    const std::size_t from = at;
    while (at < text_.size() && is_name(text_[at])) ++at;
    return std::string(text_.substr(from, at - from));
  }
  static std::string lower(std::string text) {
    for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
  }

  // At '&'. True: a character by its name or number, which has been taken.
  bool entity() {
    std::size_t at = at_ + 1;
    if (at < text_.size() && text_[at] == '#') ++at;
    const std::size_t from = at;
    while (at < text_.size() && at - from < 12 &&
           std::isalnum(static_cast<unsigned char>(text_[at])))
      ++at;
    if (at == from || at >= text_.size() || text_[at] != ';') return false;
    out_ += text_.substr(at_, at + 1 - at_);
    at_ = at + 1;
    return true;
  }

  // At '<'. False: not a tag that is known; nothing was taken.
  bool tag() {
    std::size_t at = at_ + 1;
    const bool end = at < text_.size() && text_[at] == '/';
    if (end) ++at;
    const std::string element = lower(name(at));
    const bool empty = among(element, kEmpty);
    if (!empty && !among(element, kElements)) return false;
    std::string attributes;
    for (;;) {
      skip_space(at);
      if (at >= text_.size()) return false;
      if (text_[at] == '>') break;
      if (text_[at] == '/') {
        ++at;
        continue;
      }
      if (!attribute(at, attributes)) return false;
    }
    const bool closed = at > at_ && text_[at - 1] == '/';
    at_ = at + 1;
    if (end) {
      if (among(element, open_)) {
        while (open_.back() != element) close(open_.back());
        close(element);
      }
      return true;
    }
    out_ += "<" + element + attributes + ">";
    if (empty) return true;
    open_.push_back(element);
    if (closed) close(element);
    return true;
  }

  bool attribute(std::size_t& at, std::string& out) const {
    const std::string key = name(at);
    if (key.empty()) return false;
    skip_space(at);
    std::string value;
    if (at < text_.size() && text_[at] == '=') {
      ++at;
      skip_space(at);
      if (at >= text_.size()) return false;
      const char quote = text_[at];
      if (quote == '"' || quote == '\'') {
        const std::size_t end = text_.find(quote, at + 1);
        if (end == text_.npos) return false;
        value = text_.substr(at + 1, end - at - 1);
        at = end + 1;
      } else {
        const std::size_t from = at;
        while (at < text_.size() && !std::isspace(static_cast<unsigned char>(text_[at])) &&
               text_[at] != '>')
          ++at;
        value = text_.substr(from, at - from);
      }
    }
    if (among(key, kAttributes) && is_plain_value(value))
      out += " " + key + "=\"" + html(value) + "\"";
    return true;
  }

  void close(std::string element) {
    out_ += "</" + element + ">";
    open_.pop_back();
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string out_;
  std::vector<std::string> open_;
};

}  // namespace

std::string safe_html(std::string_view text) { return Cleaner(text).clean(); }

}  // namespace chancel::page
