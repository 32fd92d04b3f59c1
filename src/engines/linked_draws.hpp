// SPDX-License-Identifier: Apache-2.0
// Whether draws that alternate with observes are a sequence (the states of a hidden Markov model, a walk) or stand beside
// each other (the labels of a mixture): in a sequence, what comes after an observe depends on draws before it other
// than parameters. Two executions from the prior have the same parameters and the same draws after some observe, and
// differ in the draws before it: distributions and scores after it are compared. Particles are for sequences;
// single-site steps move the others one by one. A matter of speed: both are exact.
#pragma once
#include "infer/engine.hpp"

namespace chancel {

// The draws before all observes and the continuous ones inside mem are taken for parameters. False where an execution fails.
bool draws_are_linked(const RunSetup& setup);

}  // namespace chancel
