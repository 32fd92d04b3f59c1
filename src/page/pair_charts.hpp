// SPDX-License-Identifier: Apache-2.0
// The data of the pair plot: a few labels against each other, divergent draws apart.
#pragma once
#include <string>
#include <vector>

#include "page/draw_store.hpp"
#include "page/json_numbers.hpp"

namespace chancel::page {

struct PairChoice {
  static constexpr std::size_t kMost = 5;  // when the user names no labels
  std::vector<std::size_t> rows;           // of the summary
  bool chosen = false;                     // there were more
};
// The labels in `wanted` (a label with parts stands for all of them), or, when it is
// empty: numbers that vary and are not predictive. Of more than kMost, those at which divergent draws
// lie furthest from the others, then those that vary together most. Throws U003 for a label that
// does not exist or is not numeric.
PairChoice choose_pairs(const Summary& summary, const RunStatistics& statistics,
                        const DrawStore& store, const std::vector<std::string>& wanted);

// {labels, values, divergent, correlation}: `values` of some draws for each label, `divergent` of those
// that diverged, `correlation` of each with each.
Json pair_charts(const PairChoice& choice, const Summary& summary, const DrawStore& store);

}  // namespace chancel::page
