// SPDX-License-Identifier: Apache-2.0
// How long engines look for an execution that does not contradict the observations, and what they
// report when there was none.
#pragma once
#include <cstdint>

namespace chancel {

struct GiveUp {
  std::uint64_t tries;
  const char* message;
  const char* remedy = "more particles help when it is merely rare";
};

// Executions that an engine weights one by one: some seconds of a small program.
inline constexpr GiveUp kGiveUpExecutions = {100000,
                                             "every execution contradicts the observations"};
// Executions of which rejection keeps none: it is asked for where most are rejected.
inline constexpr GiveUp kGiveUpRejections = {
    50000000, "no execution was kept: the observations are too unlikely for rejection",
    "a lower :log-bound keeps more, if it is still a bound"};
// Sweeps in a row that die out: of engines that need no state to start from, each is an answer (zero).
inline constexpr GiveUp kGiveUpSweeps = {
    20, "every execution contradicts the observations, in every sweep"};
// Sweeps before the first that gives a chain its state.
inline constexpr GiveUp kGiveUpStarts = {
    100, "every execution contradicts the observations, in every sweep"};

}  // namespace chancel
