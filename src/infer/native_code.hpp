// SPDX-License-Identifier: Apache-2.0
// Native code of an engine's query: asked for when the engine is hot, compiled beside the run, and there from some
// turn on. What an engine does must not depend on when that is.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>

#include "infer/native_tier.hpp"

namespace chancel {

// Processor time after which a query is hot, in seconds: about a tenth of what its compiler needs.
inline constexpr double kHotSeconds = 0.03;

class NativeCode {
 public:
  // Null: there is none, or not yet. It is made once this process has computed for kHotSeconds since the first look.
  NativeTier* look(const Prefix& prefix, const RunSetup& setup, Executor& machine,
                   NativeNeeds needs = {});
  void visit(Evacuator& e) {
    if (tier_) tier_->visit(e);
  }

 private:
  std::unique_ptr<NativeTier> tier_;
  std::optional<double> first_look_;  // processor time then
  bool asked_ = false;
  bool ready_ = false;
};

}  // namespace chancel
