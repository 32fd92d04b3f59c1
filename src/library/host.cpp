// SPDX-License-Identifier: Apache-2.0
#include "library/host.hpp"

#include <fmt/format.h>

#include "base/read_file.hpp"
#include "library/arguments.hpp"
#include "library/files.hpp"

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

bool read_file_from_disk(std::string_view path, std::string* text, std::string* error,
                         const std::function<void(std::size_t)>& look) {
  return read_whole_file(std::string(path), text, error, look);
}

bool read_file(NativeContext& cx, const char* function, const Value* args, std::string* text) {
  if (cx.in_query) {
    cx.fail(Code::F010, fmt::format("{}: files cannot be read inside a query", function), -1,
            "read the file at top level and pass the data in");
    return false;
  }
  const auto path = path_of(args[0]);
  if (!path) {
    if (args[0].is_nil())
      cx.fail_as("java.lang.IllegalArgumentException", Code::R001,
                 fmt::format("{}: there is no file: nil", function), 0,
                 "(io/resource name) is nil where there is no such resource");
    else
      cx.wrong_type(function, 0, "a path or a file", args[0]);
    return false;
  }
  std::string error = "files are out of reach here (check, --no-files)";
  if (cx.run && cx.run->host->files) {
    error.clear();
    const auto look = [&cx](std::size_t bytes) {
      cx.arena->heap().room_for(bytes);
      if (auto reason = stop_requested(cx.run)) throw RunStopped{std::move(*reason)};
    };
    if (cx.run->host->files->read(*path, text, &error, look)) return true;
  }
  cx.fail(Code::U002, fmt::format("{}: cannot read {}: {}", function, *path, error), 0);
  return false;
}

}  // namespace chancel
