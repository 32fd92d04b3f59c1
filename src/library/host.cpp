// SPDX-License-Identifier: Apache-2.0
#include "library/host.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include "library/arguments.hpp"

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

bool read_file(NativeContext& cx, const char* function, const Value* args, std::string* text) {
  if (cx.in_query) {
    cx.fail(Code::F010, fmt::format("{}: files cannot be read inside a query", function), -1,
            "read the file at top level and pass the data in");
    return false;
  }
  std::string_view path;
  if (!read_string(cx, function, args, 0, &path)) return false;
  std::string error = "this run has no files";
  if (cx.run && cx.run->host->read_file) {
    error.clear();
    if (cx.run->host->read_file(path, text, &error)) return true;
  }
  cx.fail(Code::U002, fmt::format("{}: cannot read {}: {}", function, path, error), 0);
  return false;
}

}  // namespace chancel
