// SPDX-License-Identifier: Apache-2.0
// From bytecode to segments in C (docs/decisions/019-segments.md). Beginning with the prefix of a
// query, it follows executions to their next observes, and from each of the rest points found there
// again. The text names no address: what it needs of the process is in the tables beside it.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "infer/prefix.hpp"
#include "vm/row.hpp"

namespace chancel::native {

// Where the executions of a segment end up.
struct WaysOut {
  std::vector<std::size_t> points;  // ascending
  bool ends = false;
  std::size_t left = 0;      // places from which the interpreter goes on
  bool by_particle = false;  // which one it is may differ between particles that stand together
  // All particles that stand together go to the same one.
  bool aligned() const { return points.size() + (ends ? 1 : 0) <= 1 || !by_particle; }
};

struct Segments {
  std::vector<WaysOut> ways_out;  // by segment
  std::vector<std::unique_ptr<RestPoint>> points;
  std::vector<Value> constants;       // objects that stand still
  std::vector<const void*> pointers;  // protos, laws, natives
  std::vector<std::string> texts;     // of the functions segment_0, segment_1 ...: one, or pieces
  bool worthwhile = false;            // some executions get somewhere
};

// `prefix` stands where executions begin, with its law in the Common of point 0 if it waits for a
// draw. The image's globals and the query are in heaps that stand still; `run` is the one that does
// not. `futures`: also the functions future_1, future_2 ..., which take given draws (NativeTurn).
Segments translate(const Prefix& prefix, const Value* globals, const Heap* run,
                   NativeContext& context, bool futures = false);

}  // namespace chancel::native
