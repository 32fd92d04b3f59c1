// SPDX-License-Identifier: Apache-2.0
// What main() does around a command: whatever it throws becomes a message and an exit code.
#pragma once
#include <functional>

namespace chancel::tool {

int guarded(const std::function<int()>& command);

}  // namespace chancel::tool
