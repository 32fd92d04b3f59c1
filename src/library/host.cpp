// SPDX-License-Identifier: Apache-2.0
#include "library/host.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

namespace chancel {

void write_output(NativeContext& cx, std::string_view text) {
  if (!cx.captures.empty())
    cx.captures.back().append(text);
  else if (cx.run && cx.run->host->write && !cx.run->host->write(text))
    cx.run->limits->output_exceeded = true;
}

void flush_output(NativeContext& cx) {
  if (cx.run && cx.run->host->write) cx.run->host->write({});
}

bool read_file_from_disk(std::string_view path, std::string* text, std::string* error) {
  errno = 0;
  std::ifstream in{std::string(path), std::ios::binary};
  std::ostringstream all;
  if (in) all << in.rdbuf();
  if (!in || in.bad()) {
    *error = errno ? std::strerror(errno) : "it cannot be read";
    return false;
  }
  *text = std::move(all).str();
  return true;
}

}  // namespace chancel
