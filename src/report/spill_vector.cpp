// SPDX-License-Identifier: Apache-2.0
#include "report/spill_vector.hpp"

#include <stdlib.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <string>

#include "report/file_error.hpp"

namespace chancel::report {

SpillPool::~SpillPool() {
  if (file_ >= 0) ::close(file_);
}

std::uint32_t SpillPool::write_block(const void* block) {
  if (file_ < 0) {
    std::string path = (std::filesystem::temp_directory_path() / "chancel-draws-XXXXXX").string();
    file_ = ::mkstemp(path.data());
    if (file_ < 0) throw_unwritable(path);
    ::unlink(path.c_str());
  }
  const char* from = static_cast<const char*>(block);
  for (std::size_t done = 0; done < kBlock;) {
    const ssize_t n =
        ::pwrite(file_, from + done, kBlock - done, static_cast<off_t>(blocks_ * kBlock + done));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) throw_unwritable("the temporary file for draws");
    done += static_cast<std::size_t>(n);
  }
  return blocks_++;
}

void SpillPool::read_block(std::uint32_t number, void* block) const {
  char* to = static_cast<char*>(block);
  for (std::size_t done = 0; done < kBlock;) {
    const ssize_t n =
        ::pread(file_, to + done, kBlock - done, static_cast<off_t>(number * kBlock + done));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) throw_unreadable("the temporary file for draws");
    done += static_cast<std::size_t>(n);
  }
}

}  // namespace chancel::report
