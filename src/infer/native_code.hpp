// SPDX-License-Identifier: Apache-2.0
// Native code of an engine's query: asked for when the engine is hot, compiled beside the run, and there from some
// turn on. What an engine does must not depend on when that is.
#pragma once
#include <cstdint>
#include <memory>

#include "infer/native_tier.hpp"

namespace chancel {

// Particle-steps after which a population is hot.
inline constexpr std::uint64_t kHotSteps = 300000;

class NativeCode {
 public:
  // Null: there is none, or not yet. `hot`: the engine has run for some thirty milliseconds.
  NativeTier* look(const Prefix& prefix, const RunSetup& setup, Executor& machine, bool hot,
                   NativeNeeds needs = {});
  void visit(Evacuator& e) {
    if (tier_) tier_->visit(e);
  }

 private:
  std::unique_ptr<NativeTier> tier_;
  bool asked_ = false;
  bool ready_ = false;
};

}  // namespace chancel
