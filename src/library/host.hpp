// SPDX-License-Identifier: Apache-2.0
// Printed text on its way to the host of the run (vm/run_state.hpp).
#pragma once
#include <string_view>

#include "vm/run_state.hpp"

namespace chancel {

// To the innermost capture (with-out-str), else to the host.
void write_output(NativeContext& cx, std::string_view text);
void flush_output(NativeContext& cx);
// Reads a file of the file system: what a Host has that allows it.
bool read_file_from_disk(std::string_view path, std::string* text, std::string* error);

}  // namespace chancel
