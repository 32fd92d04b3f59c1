// SPDX-License-Identifier: Apache-2.0
// A program as a tree of brackets and tokens, for fuzzers that change programs. It knows nothing of
// the language but brackets, strings, characters and comments, reads any text, and writes it back
// with the same tokens.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace chancel::fuzz {

struct Form {
  std::string token;  // of a leaf, or the opening bracket with the marks before it: "(", "#{", "'("
  char close = 0;     // 0 = leaf
  std::vector<Form> parts;
};

// All forms of the text, as the parts of one tree.
Form parse_forms(std::string_view text);
std::string text_of(const Form& program);

}  // namespace chancel::fuzz
