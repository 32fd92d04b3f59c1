// SPDX-License-Identifier: Apache-2.0
// The log density of the draws of each Markov chain, its mean and spread, and how often the chain
// accepted: chains that stay in different places show it there. One record for each chain.
#pragma once
#include <map>
#include <memory>
#include <vector>

#include "base/bytes.hpp"
#include "chancel/chancel.hpp"
#include "infer/divergence_places.hpp"
#include "infer/sink.hpp"

namespace chancel {

class Chain;

class ChainDensities {
 public:
  void add(const EngineDraw& draw);
  // `chains`: the engines' own counts of proposals, for engines that do not report each move.
  void fill(const std::vector<std::unique_ptr<Chain>>& chains,
            std::vector<ChainDensity>& out) const;
  void save(ByteWriter& to) const;
  void restore(ByteReader& from);

 private:
  struct Sums {
    RunningMoments density, acceptance;
  };
  std::map<std::uint32_t, Sums> by_chain_;
  std::map<std::uint32_t, Sums>::value_type* last_ = nullptr;  // draws of a chain come in a row
};

}  // namespace chancel
