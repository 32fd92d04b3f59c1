// SPDX-License-Identifier: Apache-2.0
// Draws that have left the engine's heap and wait to be handed out. A heap costs more to make than
// a draw of a single-site engine, so a batch holds a hundred draws and more where an engine gives
// one at a time; all go together, and small batches are used again.
#pragma once
#include <deque>
#include <optional>
#include <span>
#include <unordered_set>
#include <utility>
#include <vector>

#include "infer/engine.hpp"
#include "infer/sink.hpp"
#include "value/heap.hpp"

namespace chancel {

struct KeptDraw {
  EngineDraw raw;
  // Order of first occurrence, the last value of each label.
  std::vector<std::pair<Value, Value>> predicts;
  std::uint64_t run_simulations = 0, run_applications = 0;  // of the run, when it was made
  double run_seconds = 0;
};

class DrawBatch {
 public:
  // What it holds counts for the memory of the run.
  explicit DrawBatch(const RunSetup& setup);
  // Copies the draw; what lives in one of the heaps stays where it is. Throws RunStopped when a
  // value of the draw has no end.
  void add(const EngineDraw& draw, std::span<const Heap* const> outlive);
  std::deque<KeptDraw> draws;
  // Where the values of draws live that come from elsewhere.
  Arena& arena() { return *arena_; }
  std::size_t bytes() const { return heap_.used(); }
  // Empty again; its memory is kept for the next draws.
  void reset() {
    draws.clear();
    arena_.emplace(heap_);
  }

 private:
  void check_printable(const Value& v, const Value* label);

  Run* run_;
  Heap heap_;
  std::optional<Arena> arena_{heap_};
  std::vector<Value> flat_;                    // reused
  std::unordered_set<const Object*> checked_;  // values that stay where they are and have an end
};

}  // namespace chancel
