// SPDX-License-Identifier: Apache-2.0
#include "scratch_directory.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "usage.hpp"

namespace chancel::tool {

ScratchDirectory::ScratchDirectory() {
  const char* place = std::getenv("TMPDIR");
  base_ = std::string(place && *place ? place : "/tmp") + "/chancel-XXXXXX";
  if (::mkdtemp(base_.data()) == nullptr)
    throw UsageError(fmt::format("cannot make a directory {}: {}", base_, std::strerror(errno)),
                     "set TMPDIR, or keep the run with --out DIR", "U004", ExitCode::Failed);
}

ScratchDirectory::~ScratchDirectory() {
  std::error_code ignored;
  std::filesystem::remove_all(base_, ignored);
}

}  // namespace chancel::tool
