// SPDX-License-Identifier: Apache-2.0
// What auto wraps around an engine that runs parts of executions again. The survey sees a few executions, so
// the engine may meet a random number outside sample (a doquery inside the query, rand) in a part of the program that
// is seldom reached, and refuses it (R014). The chain then continues with an engine of the same kind that takes such
// numbers, with a warning:
//   draws one by one            rmh, after a warm-up of its own
//   sweeps by their evidence    smc: its sweeps are weighted by an estimate of the same evidence
//   sweeps that are a chain     pgibbs without moves of parameters
// What was drawn before stays valid: each engine has the same posterior.
#pragma once
#include <memory>

#include "infer/engine.hpp"

namespace chancel {

// `engine` itself where there is nothing to fall back to. (nuts has its own way: its option :refused.)
std::unique_ptr<Engine> with_fallback(std::unique_ptr<Engine> engine, const EngineDef& def,
                                      const RunSetup& setup);

}  // namespace chancel
