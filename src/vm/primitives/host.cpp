// SPDX-License-Identifier: Apache-2.0
#include "vm/primitives/host.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>
#include <vector>

namespace chancel {

namespace {
thread_local std::vector<std::string> captures;

bool read_from_disk(std::string_view path, std::string* text, std::string* error) {
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
}  // namespace

Host& host() {
  static Host the_host{[](std::string_view) {}, read_from_disk, nullptr};
  return the_host;
}

void begin_capture() { captures.emplace_back(); }

std::string end_capture() {
  if (captures.empty()) return {};
  std::string text = std::move(captures.back());
  captures.pop_back();
  return text;
}

void write_output(std::string_view text) {
  if (!captures.empty()) {
    captures.back().append(text);
  } else {
    host().write(text);
  }
}

}  // namespace chancel
