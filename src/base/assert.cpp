// SPDX-License-Identifier: Apache-2.0
// The cold half of CHANCEL_ASSERT: builds the text and throws. It is kept out of line, so that a
// check costs its caller one compare and one branch.
#include "base/assert.hpp"

namespace chancel {

void assertion_failed(const char* what, const char* file, int line) {
  // Only the last two parts of the path: messages do not show where the sources were built.
  std::string place = file;
  std::size_t slash = place.rfind('/');
  if (slash != std::string::npos && slash > 0) slash = place.rfind('/', slash - 1);
  if (slash != std::string::npos) place.erase(0, slash + 1);
  throw InternalError("internal error: " + std::string(what) + " (" + place + ":" +
                      std::to_string(line) + ")");
}

}  // namespace chancel
