// SPDX-License-Identifier: Apache-2.0
// Whole files of the file system, which may be endless (/dev/zero) or wait for a writer (a pipe): a function
// is asked now and then whether to continue.
#pragma once
#include <functional>
#include <string>

namespace chancel {

// False when it cannot be read; `error` then says why. `look` is called with the number of bytes read so far, with
// every 256 kB and twenty times a second while nothing comes; it throws to end the work. May be empty.
bool read_whole_file(const std::string& path, std::string* text, std::string* error,
                     const std::function<void(std::size_t)>& look);

}  // namespace chancel
