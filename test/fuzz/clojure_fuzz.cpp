// SPDX-License-Identifier: Apache-2.0
// Any bytes as a program of the clojure dialect: reading, translating and compiling must end, with
// messages or without.
#include <cstddef>
#include <cstdint>
#include <string>

#include "chancel/chancel.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  chancel::CompileOptions options;
  options.dialect = "clojure";
  options.limits.max_memory = std::size_t{256} << 20;
  options.limits.timeout = 2;
  options.limits.max_depth = 100000;
  chancel::check(std::string(reinterpret_cast<const char*>(data), size), options);
  return 0;
}
