// SPDX-License-Identifier: Apache-2.0
// Wrong rules that other systems have shipped, planted on purpose: a test that cannot tell them
// from the right ones has no power (test/exact). They exist only in a variant of the files
// concerned that is built for tests (CHANCEL_SABOTAGE, test/CMakeLists.txt).
#pragma once
#include <cstdint>

namespace chancel {

enum class Sabotage : std::uint8_t {
  None,
  LoseRetained,         // the retained execution is an ordinary particle once its draws are used up
  ProtectedSystematic,  // systematic resampling of the others around the retained one
  FinishedNotResampled,  // particles that finish early stay out of later resamplings
  EvidenceWithoutLast,   // the evidence misses what has been weighted since the last resampling
  UnweightedOutput,  // particles are given out with equal weights although the last observe did not resample
  WeightsNotReset,   // weights accumulate across resamplings, or from temperature to temperature
  UniformNodeIndex,  // ipmcmc picks its nodes without their evidence
  AcceptAlways,      // pimh takes every sweep, block every proposal
  NoCardinality,     // lmh forgets how many draws there are to pick from
  RedrawOutsideSupport,  // lmh redraws a kept value that its distribution cannot give and forgets to check
                         // whether the reverse move would redraw it, too
  MassesAsDensities,   // lmh divides a mass under one distribution by a density under another
  FreshCountsTwice,    // lmh counts the prior of fresh draws although they were proposed from it
  WalkWithoutPrior,    // rmh forgets the prior density of the draw that it walked
  UniformTrajectory,   // nuts picks among the states of a trajectory without their weights
  ChoiceOfUnfinished,  // nuts picks from a half that turned back within
  TurnReversed,        // nuts stops while the trajectory goes straight on
  WithoutTemperature,  // moves of anneal leave the posterior invariant at every temperature
  NoiseAsIfSymmetric,  // moves by noise forget where their proposals would rather be
  UniformStarts,       // anneal starts its chains from states without their weights
  MovesForgetObserve,  // moves after a resampling of smc leave out the observe of that barrier
  SeatsWithoutSums,    // partition accepts as if items had been seated with equal chances
  SeatsNotLookedBack,  // partition does so for the seats that items had before
  PathNotRescored,     // pgibbs continues with the path that its parameters had before they moved
  PriorLeftOut,        // pmmh does not weigh parameters by their prior densities
  FreshEstimate,  // pmmh estimates the likelihood of the current parameters again for each proposal
  OneComponent,  // lais weighs a draw by the proposal that gave it, after drawing from a mixture of others
  ProposalLeftOut,  // lais and bbvb weigh as if they had drawn from the prior
  WarmupGoesOn,     // the step size of nuts, or the walk of block, is tuned for ever
};

#ifdef CHANCEL_SABOTAGE
constexpr bool kCanSabotage = true;
#else
constexpr bool kCanSabotage = false;
#endif
// Is `mistake` the one that was asked for? Not for inline functions of headers: it differs between the
// variants.
static inline bool planted(Sabotage asked, Sabotage mistake) {
  return kCanSabotage && asked == mistake;
}

}  // namespace chancel
