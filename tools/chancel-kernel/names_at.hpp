// SPDX-License-Identifier: Apache-2.0
// The name at a place of a cell, for completion and questions. Places count characters (code points),
// as Jupyter does.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace chancel::kernel {

struct NameAt {
  std::string text;                // up to the cursor, or all of it
  std::size_t begin = 0, end = 0;  // in characters
};
// The beginning of a name that ends at the cursor; may be empty.
NameAt name_before(std::string_view code, std::size_t cursor);
// The whole name around the cursor; may be empty.
NameAt name_around(std::string_view code, std::size_t cursor);
// The function of the innermost call that is open at the cursor: normal in (normal 0 |; or empty.
std::string function_around(std::string_view code, std::size_t cursor);
// Words of the line up to the cursor.
std::string line_before(std::string_view code, std::size_t cursor);

}  // namespace chancel::kernel
