// SPDX-License-Identifier: Apache-2.0
// The text of segment/abi.h, with which generated code begins.
#pragma once
#include <span>
#include <string_view>

namespace chancel::native {

struct AbiFile {
  std::string_view name;
  std::string_view text;
};
std::span<const AbiFile> abi_files();

}  // namespace chancel::native
