// SPDX-License-Identifier: Apache-2.0
// Any bytes through the whole `chancel check` path: the dialect is detected, macros are expanded,
// messages are rendered.
#include <cstddef>
#include <cstdint>
#include <string>

#include "chancel/chancel.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  chancel::CompileOptions options;
  options.limits.max_memory = std::size_t{256} << 20;
  options.limits.timeout = 2;
  options.limits.max_depth = 100000;
  const auto result =
      chancel::check(std::string(reinterpret_cast<const char*>(data), size), options);
  std::size_t length = 0;
  for (const auto& m : result.messages) length += m.text.size();
  return length == ~std::size_t{0};
}
