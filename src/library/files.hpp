// SPDX-License-Identifier: Apache-2.0
// Files as values: a path, of class java.io.File.
#pragma once
#include <optional>
#include <string>

#include "value/value.hpp"

namespace chancel {

bool is_file(const Value& v);
// Of a file or a string; nothing for other values.
std::optional<std::string> path_of(const Value& v);

}  // namespace chancel
