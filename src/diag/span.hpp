// SPDX-License-Identifier: Apache-2.0
// A place in a source text: which file, and the start and end byte offsets in it. Twelve bytes, so
// that every datum, core node and instruction can carry one. Line and column are computed only when
// a message is shown.
#pragma once
#include <cstdint>

namespace chancel {

struct Span {
  std::uint32_t file = 0;  // index into SourceMap; 0 = no place (made by the system)
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  bool known() const { return file != 0; }
  friend bool operator==(const Span&, const Span&) = default;
};

// From the start of a to the end of b (same file).
inline Span join(Span a, Span b) {
  if (!a.known()) return b;
  if (!b.known() || a.file != b.file) return a;
  return {a.file, a.begin < b.begin ? a.begin : b.begin, a.end > b.end ? a.end : b.end};
}

}  // namespace chancel
