// SPDX-License-Identifier: Apache-2.0
// Arguments for distribution tests from text: "0 1/3 [1 2.5] {:a 1} (1 2)". A few lines of its own,
// so that these tests need no reader: numbers, ratios, ##Inf, ##-Inf, ##NaN, strings without
// escapes, keywords, true, false, nil, vectors, lists and maps.
#pragma once
#include <cstdlib>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "value/collections.hpp"
#include "value/number.hpp"

namespace chancel {

class Literal {
 public:
  Literal(Arena& arena, std::string_view text) : arena_(arena), text_(text) {}

  // All values up to the end of the text or to the closing bracket.
  std::vector<Value> all() {
    std::vector<Value> items;
    for (skip(); at_ < text_.size() && !closing(text_[at_]); skip()) items.push_back(one());
    return items;
  }

 private:
  static bool closing(char c) { return c == ']' || c == ')' || c == '}'; }
  void skip() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == ',')) ++at_;
  }
  Value one() {
    const char c = text_[at_];
    if (c == '[' || c == '(' || c == '{') {
      ++at_;
      const std::vector<Value> items = all();
      ++at_;
      if (c == '[') return make_vector(arena_, items.data(), items.size());
      if (c == '(') return make_list(arena_, items.data(), items.size());
      Value map = empty_map(arena_);
      for (std::size_t i = 0; i + 1 < items.size(); i += 2) {
        map = map_assoc(arena_, map, items[i], items[i + 1]);
      }
      return map;
    }
    if (c == '"') {
      const std::size_t end = text_.find('"', at_ + 1);
      const Value s = make_string(arena_, text_.substr(at_ + 1, end - at_ - 1));
      at_ = end + 1;
      return s;
    }
    std::size_t end = at_;
    while (end < text_.size() && text_[end] != ' ' && text_[end] != ',' && !closing(text_[end])) {
      ++end;
    }
    const std::string token(text_.substr(at_, end - at_));
    at_ = end;
    return atom(token);
  }
  Value atom(const std::string& t) {
    if (t == "true" || t == "false") return Value::boolean(t == "true");
    if (t == "nil") return Value::nil();
    if (t == "##Inf") return Value::real(std::numeric_limits<double>::infinity());
    if (t == "##-Inf") return Value::real(-std::numeric_limits<double>::infinity());
    if (t == "##NaN") return Value::real(std::numeric_limits<double>::quiet_NaN());
    if (t[0] == ':') return Value::keyword(intern(t.substr(1)));
    const std::size_t slash = t.find('/');
    if (slash != std::string::npos) {
      NativeContext cx(arena_);
      return make_ratio(cx, std::atoll(t.c_str()), std::atoll(t.c_str() + slash + 1));
    }
    if (t.find_first_of(".eE") == std::string::npos) return Value::integer(std::atoll(t.c_str()));
    return Value::real(std::strtod(t.c_str(), nullptr));
  }

  Arena& arena_;
  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace chancel
