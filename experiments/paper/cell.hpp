// SPDX-License-Identifier: Apache-2.0
// The unit of work of `chancel paper`: one run of one sampler with one seed. A cell gives rows of
// numbers under a word that says what they are ("distance", "posterior", ...). Rows depend on the
// seed alone and are the same bits everywhere; what a clock said is kept apart.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace chancel::paper {

struct Rows {
  std::map<std::string, std::vector<std::vector<double>>, std::less<>> of;
  void add(std::string_view kind, std::vector<double> row);
  const std::vector<std::vector<double>>& at(std::string_view kind) const;  // none: empty
  // One line a row, numbers in the shortest form that reads back to the same bits.
  std::string text() const;
  static Rows parse(std::string_view text);  // throws std::runtime_error
};

struct CellResult {
  Rows data;   // the same bits for the same seed
  Rows times;  // "time": wall-clock seconds, in the order of the rows of data
};

struct Cell {
  std::string name;        // "convergence/hmm/pmcmc/01"; also the path of its file
  unsigned run = 1;        // cells are run in order of it, so that all curves grow together
  std::uint64_t work = 1;  // about how long: simulations
  bool alone = false;      // uses several threads, or its time must not be disturbed
  std::function<CellResult()> compute;
};

// The user has asked to stop.
struct Stopped : std::runtime_error {
  Stopped() : std::runtime_error("stopped") {}
};

}  // namespace chancel::paper
