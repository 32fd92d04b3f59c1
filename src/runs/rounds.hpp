// SPDX-License-Identifier: Apache-2.0
// Rounds: fixed numbers of turns of every chain (a turn is a draw, or a sweep where engines give
// sweeps). A run that something outside it may end (the clock, the user) or that ends by its work
// gives whole rounds only, with the statistics that its chains had at the end of the last one. So the
// number of rounds says what the run was, on any machine. A round is short in comparison with what came
// before it, so that little is lost.
#pragma once
#include <algorithm>
#include <cstdint>

namespace chancel {

// Draws of each chain after which the stopping rule looks first; then after half as many again, and so
// on.
constexpr std::uint64_t kFirstLook = 1000;

struct RoundCount {
  static constexpr std::uint64_t kMostTurns = std::uint64_t{1} << 62;
  std::uint64_t rounds = 0;
  std::uint64_t end = 0;  // turns of each chain in all of them

  // The end of the round after these.
  std::uint64_t next_end(bool sweeps) const {
    if (sweeps) return end + 1;
    std::uint64_t look = kFirstLook;  // a round ends there
    while (look <= end) look += look / 2;
    return std::min(look, end + std::clamp<std::uint64_t>(end / kShare, 1, kLongest));
  }
  void advance(bool sweeps) {
    end = next_end(sweeps);
    ++rounds;
  }
  // To the last end at or before `turns`, in steps that grow with them.
  void advance_to(std::uint64_t turns, bool sweeps) {
    if (sweeps && turns > end) {
      rounds += turns - end;
      end = turns;
    }
    while (next_end(sweeps) <= turns) {
      std::uint64_t look = kFirstLook;
      while (look <= end) look += look / 2;
      const std::uint64_t even =
          end >= kShare * kLongest ? (std::min(look, turns) - end) / kLongest : 0;
      rounds += even;
      end += even * kLongest;
      if (even == 0) advance(sweeps);
    }
  }

 private:
  static constexpr std::uint64_t kShare = 16, kLongest = 64;  // turns
};

// The first end of a round at or after `turns`.
inline std::uint64_t round_end(std::uint64_t turns, bool sweeps) {
  if (sweeps) return turns;
  RoundCount count;
  while (count.end < turns) count.advance(sweeps);
  return count.end;
}

}  // namespace chancel
