// SPDX-License-Identifier: Apache-2.0
// Programs that are started by this one and are not part of it: chancel-paper, chancel-kernel.
#pragma once
#include <string>

#include "command.hpp"

namespace chancel::tool {

// Becomes that program, which lies beside this one in a build and in libexec when installed.
// Returns when it is not there.
void become(const std::string& program, const Arguments& arguments);
// The path of this program.
std::string own_path();

}  // namespace chancel::tool
