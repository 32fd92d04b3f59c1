// SPDX-License-Identifier: Apache-2.0
// The folder of a run of `chancel paper`.
//   run.json             seed, size and version: what the cells depend on
//   cells/<name>.csv     one finished cell: rows that depend on the seed alone
//   cells/<name>.time    what the clock said during it
//   data/*.csv|json      all cells of an experiment in one table; findings
//   figures/*.svg        the figures, also inside the page
//   index.html           the page
// A file appears whole or not at all (written beside its name, then renamed), and the time before
// the rows, so a cell that is there is finished: going on after an interrupt is skipping those.
#pragma once
#include <filesystem>
#include <string>
#include <string_view>

#include "paper/cell.hpp"
#include "paper/settings.hpp"

namespace chancel::paper {

class Store {
 public:
  // Makes the folder. With --resume it must hold a run of the same seed and size; without, cells of
  // an earlier run are removed. Throws tool::UsageError.
  explicit Store(const Settings& settings);
  bool has(const Cell& cell) const;
  void put(const Cell& cell, const CellResult& result) const;
  CellResult get(const std::string& cell) const;
  void write(const std::string& name, std::string_view text) const;  // "figures/x.svg"
  const std::filesystem::path& folder() const { return folder_; }

 private:
  std::filesystem::path folder_;
};

}  // namespace chancel::paper
