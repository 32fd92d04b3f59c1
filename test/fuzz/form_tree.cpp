// SPDX-License-Identifier: Apache-2.0
// See form_tree.hpp. Neither direction recurses: mutated programs may be nested deeply.
#include "form_tree.hpp"

#include <cctype>

namespace chancel::fuzz {

namespace {

bool is_blank(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0 || c == ','; }

std::size_t end_of_string(std::string_view text, std::size_t at) {
  for (++at; at < text.size() && text[at] != '"'; ++at)
    if (text[at] == '\\') ++at;
  return at < text.size() ? at + 1 : text.size();
}

// Past a token that starts at `at` and is not a bracket, string or comment.
std::size_t end_of_token(std::string_view text, std::size_t at) {
  if (text[at] == '\\' && at + 1 < text.size()) at += 2;
  while (at < text.size() && !is_blank(text[at]) &&
         std::string_view("()[]{}\";").find(text[at]) == std::string_view::npos)
    ++at;
  return at;
}

char closer(char open) { return open == '(' ? ')' : open == '[' ? ']' : '}'; }

}  // namespace

Form parse_forms(std::string_view text) {
  std::vector<Form> open(1);
  std::string marks;  // ' ` ~ # ... that stand right before a bracket
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (is_blank(c)) {
      ++at;
    } else if (c == ';') {
      at = std::min(text.find('\n', at), text.size());
    } else if (c == '(' || c == '[' || c == '{') {
      open.push_back({marks + c, closer(c), {}});
      marks.clear();
      ++at;
    } else if (c == ')' || c == ']' || c == '}') {
      ++at;
      if (open.size() == 1) continue;
      Form done = std::move(open.back());
      open.pop_back();
      open.back().parts.push_back(std::move(done));
    } else {
      const std::size_t end = c == '"' ? end_of_string(text, at) : end_of_token(text, at);
      const std::string token = marks + std::string(text.substr(at, end - at));
      marks.clear();
      at = end > at ? end : at + 1;
      const bool before =
          at < text.size() && std::string_view("([{\"").find(text[at]) != std::string_view::npos;
      if (before && c != '"')
        marks = token;
      else
        open.back().parts.push_back({token, 0, {}});
    }
  }
  while (open.size() > 1) {
    Form done = std::move(open.back());
    open.pop_back();
    open.back().parts.push_back(std::move(done));
  }
  return std::move(open.front());
}

std::string text_of(const Form& program) {
  struct At {
    const Form* form;
    std::size_t part;
  };
  std::string out;
  std::vector<At> open = {{&program, 0}};
  while (!open.empty()) {
    At& top = open.back();
    if (top.part == top.form->parts.size()) {
      if (top.form->close != 0) out += top.form->close;
      open.pop_back();
      continue;
    }
    if (top.part > 0) out += open.size() == 1 ? '\n' : ' ';
    const Form& part = top.form->parts[top.part++];
    out += part.token;
    if (part.close != 0) open.push_back({&part, 0});
  }
  return out;
}

}  // namespace chancel::fuzz
