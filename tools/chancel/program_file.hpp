// SPDX-License-Identifier: Apache-2.0
// What a command is given as its program: a file, - (standard input), or a namespace of the project that the current
// folder belongs to, perhaps with one of its queries (bayes.model, bayes.model/coin).
#pragma once
#include <string>

#include "chancel/project.hpp"

namespace chancel::tool {

struct ProgramFile {
  std::string path;
  std::string query;  // of NAMESPACE/QUERY
};
// Throws UsageError for a namespace that is not there.
ProgramFile find_program(const std::string& word);
// The project of the current folder; throws UsageError when there is none.
Project current_project(const std::string& command);
// Notes, once for each process, what is ignored in the project of this program: dependencies, and paths outside it.
void note_project(const std::string& path, bool quiet = false);

}  // namespace chancel::tool
