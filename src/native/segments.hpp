// SPDX-License-Identifier: Apache-2.0
// The segments of a query as C, in pieces that are compiled at the same time, with the tables that their text refers
// to.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "infer/prefix.hpp"
#include "segment/lower.hpp"
#include "segment/passes.hpp"

namespace chancel::native {

struct Segments {
  std::vector<segment::Exits> exits;  // by segment
  std::vector<std::unique_ptr<ResumePoint>> points;
  std::vector<Value> constants;       // objects in heaps that are not collected
  std::vector<const void*> pointers;  // prototypes, distribution types, natives
  std::vector<std::string> texts;     // of the functions segment_0, segment_1 ...: one, or pieces
  std::string forms;                  // the segments before they were C, if asked for
  // Instead of texts, if they are to be evaluated; a place without blocks has none.
  std::vector<segment::Function> functions, futures;
  bool worthwhile = false;  // some segment reaches an observe or the end
};

struct SegmentChoices {
  bool futures = false;  // also future_1, future_2 ..., which take given draws (NativeTurn)
  bool forms = false;
  bool evaluated = false;                                 // no C
  std::function<bool(const segment::Pass&)> wanted = {};  // passes; empty: all
  // Sees how long each step took: "lower", a pass, "emit".
  std::function<void(std::string_view step, double seconds)> observer = {};
};

// The image's globals and the query are in heaps that are not collected during the run, unlike `run`.
Segments make_segments(const Prefix& prefix, const Value* globals, const Heap* run,
                       NativeContext& context, const SegmentChoices& choices = {});

}  // namespace chancel::native
