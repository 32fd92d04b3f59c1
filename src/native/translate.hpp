// SPDX-License-Identifier: Apache-2.0
// Translates bytecode to segments in C (docs/decisions/019-segments.md). From the prefix of a query
// it follows executions symbolically to their next observes, and again from each resume point that
// it reaches. The text contains no addresses: objects and functions of the process are in the
// tables beside it.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "infer/prefix.hpp"
#include "vm/row.hpp"

namespace chancel::native {

// Exits of a segment.
struct Exits {
  std::vector<std::size_t> points;  // ascending
  bool ends = false;
  std::size_t left = 0;      // places from which the interpreter continues
  bool by_particle = false;  // particles of one batch may take different exits
  // All particles of a batch take the same exit.
  bool aligned() const { return points.size() + (ends ? 1 : 0) <= 1 || !by_particle; }
};

struct Segments {
  std::vector<Exits> exits;  // by segment
  std::vector<std::unique_ptr<ResumePoint>> points;
  std::vector<Value> constants;       // objects in heaps that are not collected
  std::vector<const void*> pointers;  // prototypes, distribution types, natives
  std::vector<std::string> texts;     // of the functions segment_0, segment_1 ...: one, or pieces
  bool worthwhile = false;            // some segment reaches an observe or the end
};

// `prefix` is the state in which executions begin; if it waits for a draw, its distribution is in
// the Common of point 0. The image's globals and the query are in heaps that are not collected
// during the run, unlike `run`. `futures`: also emits future_1, future_2 ..., which take given
// draws (NativeTurn).
Segments translate(const Prefix& prefix, const Value* globals, const Heap* run,
                   NativeContext& context, bool futures = false);

}  // namespace chancel::native
