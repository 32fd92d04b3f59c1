// SPDX-License-Identifier: Apache-2.0
// Mistakes that tests plant: a test that cannot tell them from the right rule has no power. Code that
// has one asks planted(), which is a constant unless a file is built for tests (CHANCEL_SABOTAGE,
// src/CMakeLists.txt), so that programs contain none of them. Tests: test/exact, test/record,
// test/delay, test/calibration, test/unit.
#pragma once
#include <cstdint>

namespace chancel {

enum class Mistake : std::uint8_t {
  None,

  // Engines: wrong rules that other systems have shipped.
  LoseRetained,         // the retained execution is an ordinary particle once its draws are used up
  ProtectedSystematic,  // systematic resampling of the others around the retained one
  FinishedNotResampled,  // particles that finish early stay out of later resamplings
  EvidenceWithoutLast,   // the evidence misses what has been weighted since the last resampling
  UnweightedOutput,  // particles are given out with equal weights although the last observe did not resample
  WeightsNotReset,   // weights accumulate across resamplings, or from temperature to temperature
  UniformNodeIndex,  // ipmcmc picks its nodes without their evidence
  AcceptAlways,      // pimh takes every sweep, block and partition every proposal
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
  MixtureOfDraws,  // bbvb weighs as if each draw, and not the execution, had its own choice of proposal
  ProposalLeftOut,  // lais and bbvb weigh as if they had drawn from the prior
  WarmupGoesOn,     // the step size of nuts, or the walk of block, is tuned for ever

  // Recordings.
  GuardFlipped,      // less and greater are mixed up when a guard is looked at
  OrderNotGuarded,   // a comparison leaves no guard
  EqualNotGuarded,   // nor does =
  PinNotGuarded,     // nor does a number that a function of unknown kind has seen
  FailureNotPinned,  // nor does a failure that the program may catch
  LawNotGuarded,     // nor does a distribution that is made and not scored
  ArrayNotGuarded,   // nor does a decomposition that may fail
  BatchLeftOut,      // the last batch keeps its numbers of an earlier point
  OutputsStale,      // so do the nodes that only outputs need
  WrongSlope,        // the derivative of a function of one number is a little off
  UserLost,          // a node of the flow of values does not know its last user
  PinForgotten,      // nor that control has looked at it
  SharedSlopeLost,   // what all rows of a batch share gets the derivative of the first row only
  BlockLeftOut,      // the last block of the rows of a plate is not evaluated
  GatheredAsShared,  // a plate takes the node of its first row for all rows
  ColumnAsNumber,    // a plate takes the number of its first row for all rows
  SharedTooEarly,    // rows that have a node of the graph for a step of a plate stand for all
  WayKept,         // where both ways of a branch were recorded, the one counts that was taken then
  RowsNotPutBack,  // a step that is undone leaves the scores of rows as they would have been
  TermKept,        // the log density of a state has a term of the state before

  // Delayed sampling.
  EdgeHalfTurned,        // a Gaussian edge is turned round, and the parent stays as it was
  FiniteEdgeHalfTurned,  // the same of finite draws
  ScaleNotConditioned,   // an unknown precision does not learn from the numbers that it scales
  ChildNotTakenIn,       // a drawn child does not condition its parent
  MeanNotShifted,        // a forced number leaves the mean of the rest of its block as it was
  ScaleKeptAfterDraw,    // covariances stay in units of a precision that has been drawn
};

// The mistake that is planted now, in all threads.
inline Mistake planted_mistake = Mistake::None;

// Not for inline functions of headers: it differs between files.
#ifdef CHANCEL_SABOTAGE
static inline bool planted(Mistake mistake) { return planted_mistake == mistake; }
#else
static inline constexpr bool planted(Mistake) { return false; }
#endif

// Plants a mistake as long as it exists.
class PlantedMistake {
 public:
  explicit PlantedMistake(Mistake mistake) : before_(planted_mistake) { planted_mistake = mistake; }
  ~PlantedMistake() { planted_mistake = before_; }
  PlantedMistake(const PlantedMistake&) = delete;
  PlantedMistake& operator=(const PlantedMistake&) = delete;

 private:
  Mistake before_;
};

}  // namespace chancel
