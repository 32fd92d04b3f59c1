// SPDX-License-Identifier: Apache-2.0
// From bytecode to segments (docs/decisions/019-segments.md, 026-segment-form.md). From the state in
// which the executions of a query begin, lowering follows them symbolically to their next observes,
// and again from each resume point that it reaches.
#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "bytecode/code.hpp"
#include "segment/ir.hpp"
#include "value/native.hpp"
#include "vm/execution.hpp"
#include "vm/row.hpp"

namespace chancel::segment {

// The state in which executions begin.
struct Start {
  Execution at;
  // It waits for a draw from this distribution, which is then the last common value of point 0 (unless
  // it is a constant). Nothing: it has been at an observe.
  std::optional<Value> draws_from;
  std::uint32_t site = 0;
};

// Exits of a segment.
struct Exits {
  std::vector<std::size_t> points;  // ascending
  bool ends = false;
  struct Place {
    const CodeBlock* code;
    const Instr* at;
  };
  std::vector<Place> left;   // instructions that are left to the interpreter
  std::size_t room = 0;      // places that had no room in the segment
  bool by_particle = false;  // particles of one batch may take different exits
  // All particles of a batch take the same exit.
  bool aligned() const { return points.size() + (ends ? 1 : 0) <= 1 || !by_particle; }
};

class Lowering;

class SegmentLowering {
 public:
  // Globals and the query are in heaps that are not collected during the run, unlike `run`.
  // `futures`: each segment but the first is followed by its second version, which takes given draws.
  SegmentLowering(const Start& start, const Value* globals, const Heap* run, NativeContext& context,
                  bool futures);
  ~SegmentLowering();
  // The code from the next resume point. Nothing: there are no more. A segment has at most `room`
  // instructions; places beyond that are left to the interpreter.
  std::optional<Function> next(std::size_t room);

  // Instructions of the program that some segment has met.
  std::size_t met() const;
  bool worthwhile() const;                  // some segment reaches an observe or the end
  const std::vector<Exits>& exits() const;  // by segment
  std::size_t points() const;               // that were reached
  bool in_blocks(std::size_t point) const;  // states at the point may be headerless rows
  // All points that were reached, those without a segment too. At the end.
  std::vector<std::unique_ptr<ResumePoint>> take_points();

 private:
  std::unique_ptr<Lowering> lowering_;
};

}  // namespace chancel::segment
