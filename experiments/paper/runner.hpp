// SPDX-License-Identifier: Apache-2.0
// Runs the cells that are not in the store yet: first those of run 1, then of run 2, and so on, so
// that the time left is known early. Cells that want the machine for themselves come last. Each
// cell is computed by one thread and its seed comes from its name: the order does not matter. Of several
// ranks each has some of the cells, and all write into one folder; the first has those that come last.
#pragma once
#include <vector>

#include "chancel/cluster.hpp"
#include "paper/cell.hpp"
#include "paper/store.hpp"

namespace chancel::paper {

// False: interrupted; what was finished is in the store. Throws what a cell throws.
bool run_cells(const std::vector<Cell>& cells, const Store& store, unsigned threads,
               const Cluster& cluster);

}  // namespace chancel::paper
