// SPDX-License-Identifier: Apache-2.0
#include "input.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "signals.hpp"
#include "usage.hpp"

namespace chancel::tool {

std::string input_name(const std::string& path) { return path == "-" ? "<stdin>" : path; }

std::string read_input(const std::string& path, const char* what) {
  const auto fail = [&](const std::string& why, const std::string& hint) {
    return UsageError(fmt::format("cannot read {}: {}", input_name(path), why), hint, "U002",
                      ExitCode::NoInput);
  };
  const int file = path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) {
    const int why = errno;
    throw fail(
        why == ENOENT ? "there is no such file" : std::strerror(why),
        why == ENOENT ? fmt::format("check the path; - reads {} from standard input", what) : "");
  }
  struct stat status = {};
  if (::fstat(file, &status) == 0 && S_ISDIR(status.st_mode)) {
    if (path != "-") ::close(file);
    throw fail("it is a directory", "name a file in it");
  }
  std::string text;
  if (S_ISREG(status.st_mode)) text.reserve(static_cast<std::size_t>(status.st_size));
  char part[1 << 16];
  while (true) {
    const ssize_t got = ::read(file, part, sizeof part);
    if (got == 0) break;
    if (got < 0) {
      if (errno == EINTR && !user_interrupt().requested()) continue;
      const int why = errno;
      if (path != "-") ::close(file);
      throw fail(std::strerror(why), "");
    }
    text.append(part, static_cast<std::size_t>(got));
  }
  if (path != "-") ::close(file);
  return text;
}

std::string read_program(const std::string& path) {
  std::string text = read_input(path, "the program");
  if (text.starts_with("#!")) text[0] = text[1] = ';';
  return text;
}

}  // namespace chancel::tool
