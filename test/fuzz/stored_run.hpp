// SPDX-License-Identifier: Apache-2.0
// Runs of small programs, recorded into a directory in memory and stopped half-way, for fuzz targets of run
// directories and of the states in them.
#pragma once
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "chancel/run_directory.hpp"

namespace chancel::fuzz {

using Files = std::map<std::string, std::string>;  // by name

// A directory of this process, removed at its end.
class Folder {
 public:
  Folder();
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  const std::string& path() const { return path_; }
  Files contents() const;
  // These files and no others. A file that has the text already is left alone.
  void hold(const Files& files) const;

 private:
  std::string path_;
};

// A run that was stopped after a few draws.
struct StoppedRun {
  std::string engine;
  RunDescription description;
  std::shared_ptr<Model> model;
  Files files;            // of its directory; one is state.bin
  std::string run_state;  // what Inference::restore takes; empty: the engine has none
};

// One for each row of a table of engines, options and programs, made when it is asked for. `states`: only those of
// engines that have a state.
const std::vector<StoppedRun>& stopped_runs(bool states);

}  // namespace chancel::fuzz
