// SPDX-License-Identifier: Apache-2.0
// The files of a program as it sees them: it reads what its user can read, and writes below the folder of its project,
// or of the script, only. Paths with "..", names that begin with a dot (.git, .bashrc) and links that lead out are
// refused. A file is opened folder by folder without following links, so that a link that appears meanwhile leads
// nowhere.
#pragma once
#include <cstdint>
#include <memory>

#include "project/source_files.hpp"
#include "vm/program_files.hpp"

namespace chancel {

// `most_written`: bytes that the program may write in all; 0: no limit.
std::shared_ptr<ProgramFiles> files_of(const SourceFiles& sources, std::uint64_t most_written);

}  // namespace chancel
