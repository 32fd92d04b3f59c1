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

struct Segments {
  std::vector<std::unique_ptr<RestPoint>> points;
  std::vector<Value> constants;       // objects that stand still
  std::vector<const void*> pointers;  // protos, laws, natives
  std::string text;                   // of the functions segment_0, segment_1 ...
  bool worthwhile = false;            // some executions get somewhere
};

// `prefix` stands where executions begin, with its law in the Common of point 0 if it waits for a
// draw. The image's globals and the query are in heaps that stand still; `run` is the one that does
// not.
Segments translate(const Prefix& prefix, const Value* globals, const Heap* run,
                   NativeContext& context);

}  // namespace chancel::native
