// SPDX-License-Identifier: Apache-2.0
// Printed text and files on their way to and from the host of the run (vm/run_state.hpp).
#pragma once
#include <string_view>

#include "vm/run_state.hpp"

namespace chancel {

// To the innermost capture (with-out-str), else to the host.
void write_output(NativeContext& cx, std::string_view text);
void flush_output(NativeContext& cx);
// The file whose name is the first argument of a native. False: it cannot be read, which is reported.
bool read_file(NativeContext& cx, const char* function, const Value* args, std::string* text);
// Reads a file of the file system: what a Host has that allows it.
bool read_file_from_disk(std::string_view path, std::string* text, std::string* error,
                         const std::function<void(std::size_t)>& look);

}  // namespace chancel
