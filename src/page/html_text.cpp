// SPDX-License-Identifier: Apache-2.0
#include "page/html_text.hpp"

namespace chancel::page {

std::string html(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      case '\0':
        out += "\xEF\xBF\xBD";  // HTML has no such character
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string script_json(std::string_view json) {
  std::string out;
  out.reserve(json.size());
  for (const char c : json) {
    // These stand in strings only, where JSON can spell them otherwise.
    if (c == '<') {
      out += "\\u003c";
    } else if (c == '>') {
      out += "\\u003e";
    } else if (c == '&') {
      out += "\\u0026";
    } else {
      out += c;
    }
  }
  return out;
}

std::string fill(std::string_view form,
                 const std::map<std::string, std::string, std::less<>>& texts) {
  std::string out;
  std::size_t at = 0;
  while (at < form.size()) {
    const std::size_t open = form.find("{{", at);
    const std::size_t close = open == std::string_view::npos ? open : form.find("}}", open);
    if (close == std::string_view::npos) break;
    out += form.substr(at, open - at);
    const auto found = texts.find(form.substr(open + 2, close - open - 2));
    out += found == texts.end() ? form.substr(open, close + 2 - open)
                                : std::string_view(found->second);
    at = close + 2;
  }
  out += form.substr(at);
  return out;
}

}  // namespace chancel::page
