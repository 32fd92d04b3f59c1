// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

namespace chancel {

std::string base64(std::string_view bytes);

}  // namespace chancel
