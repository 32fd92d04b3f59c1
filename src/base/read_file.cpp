// SPDX-License-Identifier: Apache-2.0
// See read_file.hpp.
#include "base/read_file.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <vector>

namespace chancel {

namespace {
struct OpenFile {
  int descriptor;
  ~OpenFile() {
    if (descriptor >= 0) ::close(descriptor);
  }
};
}  // namespace

bool read_whole_file(const std::string& path, std::string* text, std::string* error,
                     const std::function<void(std::size_t)>& look) {
  constexpr std::size_t kPart = std::size_t{256} << 10;
  constexpr int kWait = 50;  // ms
  text->clear();
  const auto fail = [&](int why) {
    *error = std::strerror(why);
    return false;
  };
  // A pipe without a writer would not even open otherwise.
  const OpenFile file{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)};
  if (file.descriptor < 0) return fail(errno);
  struct stat status = {};
  if (::fstat(file.descriptor, &status) != 0) return fail(errno);
  if (S_ISDIR(status.st_mode)) return fail(EISDIR);
  if (S_ISREG(status.st_mode) && status.st_size > 0) {
    if (look) look(static_cast<std::size_t>(status.st_size));
    text->reserve(static_cast<std::size_t>(status.st_size));
  }
  std::vector<char> part(kPart);
  for (;;) {
    pollfd ready{file.descriptor, POLLIN, 0};
    const int some = ::poll(&ready, 1, look ? kWait : -1);
    if (look) look(text->size());
    if (some == 0 || (some < 0 && errno == EINTR)) continue;
    const ssize_t got = ::read(file.descriptor, part.data(), part.size());
    if (got == 0) return true;
    if (got < 0) {
      if (errno == EINTR || errno == EAGAIN) continue;
      return fail(errno);
    }
    text->append(part.data(), static_cast<std::size_t>(got));
  }
}

}  // namespace chancel
