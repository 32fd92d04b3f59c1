// SPDX-License-Identifier: Apache-2.0
// How far off the evidence of a waste-free run may be (Dau & Chopin 2022), from that run alone.
//
// At each temperature the states come in blocks, which are independent given the temperature before:
// the states of one chain, or at first a single draw from the prior. The evidence is the product over
// temperatures of the mean weight. Its relative error is, to first order, a sum over blocks of what a
// block adds to the means of its own temperature and, by the blocks that start from its states, of the
// next ones. A chain that is long enough forgets where it started, so blocks are followed for some
// temperatures only (fixed lag: Olsson & Douc 2019): for one more as long as the estimate grows, as
// autocovariances are added while they are positive (Geyer 1992). What grows by chance makes the error a
// little too large. With lag 0 this is the estimate of Dau &
// Chopin, which takes temperatures for independent.
//
// Where chains forget slowly, blocks are followed far, and few families carry the weight there: the
// number of these families, less one, is taken as the degrees of freedom of the estimate.
#pragma once
#include <cstdint>
#include <vector>

#include "infer/evidence.hpp"

namespace chancel {

struct BlockGeneration {
  std::vector<double> weights;         // mean weight of each block, in any unit
  std::vector<std::uint32_t> parents;  // the block, one temperature before, that it starts from
};

// Variance of the evidence over its square, and how many families it rests on.
SweepError waste_free_error(const std::vector<BlockGeneration>& generations);

}  // namespace chancel
