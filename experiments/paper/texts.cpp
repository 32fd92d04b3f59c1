// SPDX-License-Identifier: Apache-2.0
#include "paper/texts.hpp"

#include <stdexcept>

namespace chancel::paper {

std::string text_of(std::string_view name) {
  for (const Text& t : texts())
    if (t.name == name) return std::string(t.text);
  throw std::logic_error("the program carries no file " + std::string(name));
}

}  // namespace chancel::paper
