// SPDX-License-Identifier: Apache-2.0
// Reading the files that a command line names; `-` is standard input.
#pragma once
#include <string>

#include "chancel/chancel.hpp"

namespace chancel::tool {

// The whole file; throws UsageError (U002, exit code 66) when it cannot be read, L001 or L002 (70) when it
// is larger, or comes later, than the limits allow. `what` it is said to hold: "the data".
std::string read_input(const std::string& path, const char* what, const Limits& limits = {});
// A program: like read_input, with a `#!` line turned into a comment of the same length.
std::string read_program(const std::string& path, const Limits& limits = {});
// How messages name it: the path, or "<stdin>".
std::string input_name(const std::string& path);

}  // namespace chancel::tool
