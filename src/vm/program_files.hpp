// SPDX-License-Identifier: Apache-2.0
// The files that a program may read, find and write at top level. Implemented by project; a run without one
// (check, --no-files) has no files.
#pragma once
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace chancel {

class ProgramFiles {
 public:
  virtual ~ProgramFiles() = default;
  // False when the file cannot be read; `error` then says why. `look` is called with the bytes so far, and
  // throws to end the work (base/read_file.hpp).
  virtual bool read(std::string_view path, std::string* text, std::string* error,
                    const std::function<void(std::size_t)>& look) = 0;
  // Where a path leads that the program reads; the path itself where nothing is.
  virtual std::string place_of(std::string_view path) = 0;
  // The place of a resource; nothing: there is none.
  virtual std::optional<std::string> resource(std::string_view path) = 0;
  // Changes below the folder of the project or script only. False: `error` says why not.
  virtual bool write(std::string_view path, std::string_view text, bool append,
                     std::string* error) = 0;
  virtual bool make_folders(std::string_view path, std::string* error) = 0;
  virtual bool remove(std::string_view path, std::string* error) = 0;
};

}  // namespace chancel
