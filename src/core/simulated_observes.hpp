// SPDX-License-Identifier: Apache-2.0
// Programs whose observes are simulated, or observe what was simulated (docs/decisions/018-verify.md).
// Both are rewritings of core before it is compiled (pass "simulate" of compile/passes.cpp). An observe is known by its number in the text,
// from 0, and by how often the execution has met it before, which is counted in the store.
#pragma once
#include <string>
#include <vector>

#include "core/core.hpp"
#include "diag/diagnostic.hpp"
#include "value/heap.hpp"

namespace chancel {

// The variable that holds the data: a vector with a vector of values for each observe of the text.
inline constexpr const char* kSimulatedData = "%simulated-data";
// Labels of simulated values begin with this: [%observed 3 0].
inline constexpr const char* kObservedLabel = "%observed";

class ObserveRewriter {
 public:
  enum class To { Simulate, Replay };
  explicit ObserveRewriter(To to) : to_(to) {}
  // Reports factors, which cannot be simulated, to the sink.
  void rewrite(core::Node*& root, core::NodeArena& nodes, Arena& constants,
               const SourceMap& sources, DiagnosticSink& sink);
  // Lines of the observes met so far, by number.
  const std::vector<std::size_t>& lines() const { return lines_; }

 private:
  To to_;
  std::vector<std::size_t> lines_;
};

}  // namespace chancel
