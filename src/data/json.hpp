// SPDX-License-Identifier: Apache-2.0
// JSON (RFC 8259). Reading keeps its own stack and refuses what is nested deeper than kMaxDepth, so
// that no text exhausts its stack or that of code that walks the resulting values. A number out of
// the range of doubles is an error at its place, not infinity. A key that comes twice is an error:
// programs that read JSON do not agree which one counts.
#pragma once
#include <string_view>

#include "data/document.hpp"

namespace chancel::data {

inline constexpr std::size_t kMaxDepth = 1000;

bool read_json(std::string_view text, Document* document, DataError* error);

}  // namespace chancel::data
