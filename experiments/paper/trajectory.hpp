// SPDX-License-Identifier: Apache-2.0
// One run of one engine, looked at where the paper's curves have their points: at simulation counts
// on a log scale, the distance of all predicts so far to the exact law, with function applications
// and wall-clock time. The clock stands still while a distance is computed.
//
// Rows of data: "distance" simulations, applications, distance; "posterior" row, value, probability
// (or 0, point, CDF) at the end, "early" the same after a thousand simulations; "effective"
// simulations, effective draws. Rows of times: "time" wall-clock seconds for each "distance".
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "paper/cell.hpp"
#include "paper/problem.hpp"
#include "paper/settings.hpp"

namespace chancel::paper {

// The paper counts function applications of a random database that runs the program at every step.
inline constexpr const char* kRandomDatabase = ":recording :none";

struct Trajectory {
  const Problem* problem = nullptr;
  std::string engine;
  std::string options;            // EDN
  std::uint64_t simulations = 0;  // to run; the engine's last step is a whole one
  std::uint64_t seed = 0;
  unsigned threads = 1;
  std::uint64_t burn = 0;  // draws left out at the start; the paper's figures leave out none
};

CellResult follow(const Trajectory& plan);

// Run `run` of a curve as a cell, with a seed from its name. `plan` without problem and seed.
Cell trajectory_cell(const Settings& settings, const std::string& curve, unsigned run,
                     std::shared_ptr<const Problem> problem, Trajectory plan);

// Eight points a decade, from 100 on in hundreds, so that engines with sweeps of 100 have the same.
std::vector<std::uint64_t> checkpoints(std::uint64_t simulations);

}  // namespace chancel::paper
