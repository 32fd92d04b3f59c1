// SPDX-License-Identifier: Apache-2.0
// Tokens by their first character. ::a means :user/a, since a program is one namespace; ::alias/a
// means :alias/a.
#include "reader/token.hpp"

#include "reader/number.hpp"

namespace chancel {
namespace {

// The rules that names after the leading colons share; returns what is wrong, or null.
const char* fault_of_name(std::string_view name) {
  if (name.empty()) return "has no name";
  if (name == "/") return nullptr;
  if (name.front() == '/') return "starts with '/'";
  if (name.back() == ':') return "ends with ':'";
  if (name.find("::") != std::string_view::npos) return "holds '::'";
  if (name.find(":/") != std::string_view::npos) return "has a namespace that ends with ':'";
  if (name.back() == '/' && (name.size() < 2 || name[name.size() - 2] != '/')) {
    return "has a namespace but no name";
  }
  return nullptr;
}

std::string shortened(std::string_view token) {
  constexpr std::size_t kShown = 40;
  if (token.size() <= kShown) return std::string(token);
  return std::string(token.substr(0, kShown)) + "...";
}

}  // namespace

bool parse_token(std::string_view token, Span span, Datum& out, DiagnosticSink& sink) {
  if (looks_like_number(token)) return parse_number(token, span, out, sink);
  if (token == "nil") return out = make_nil(span), true;
  if (token == "true") return out = make_bool(true, span), true;
  if (token == "false") return out = make_bool(false, span), true;
  if (token.front() == ':') {
    const bool automatic = token.size() > 1 && token[1] == ':';
    const std::string_view name = token.substr(automatic ? 2 : 1);
    const char* fault = fault_of_name(name);
    if (fault == nullptr && name.front() == ':') fault = "has too many colons";
    if (fault != nullptr) {
      sink.error(Code::S006, span, "the keyword " + shortened(token) + " " + fault);
      return false;
    }
    const bool qualified = name.size() > 1 && name.find('/') != std::string_view::npos;
    out = make_keyword(automatic && !qualified ? "user/" + std::string(name) : std::string(name),
                       span);
    if (automatic && !qualified) out.text = Datum::kOwnKeyword;
    return true;
  }
  if (const char* fault = fault_of_name(token)) {
    sink.error(Code::S006, span, "the name " + shortened(token) + " " + fault);
    return false;
  }
  out = make_symbol(token, span);
  return true;
}

}  // namespace chancel
