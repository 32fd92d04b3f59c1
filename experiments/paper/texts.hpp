// SPDX-License-Identifier: Apache-2.0
// The files of models/ and test/lang that the program carries (cmake/ChancelEmbed.cmake), so that
// `chancel paper` runs anywhere. Found by their path in the source tree.
#pragma once
#include <span>
#include <string>
#include <string_view>

namespace chancel::paper {

struct Text {
  std::string_view name, text;  // "models/hmm/hmm.clj"
};
std::span<const Text> texts();
// Throws std::logic_error when there is none.
std::string text_of(std::string_view name);

}  // namespace chancel::paper
