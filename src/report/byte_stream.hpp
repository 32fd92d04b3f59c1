// SPDX-License-Identifier: Apache-2.0
// Bytes (base/bytes.hpp) that go somewhere as they come, because all of them together may be more than
// memory should hold. Code that writes many bytes calls flow() now and then.
#pragma once
#include <functional>
#include <utility>

#include "base/bytes.hpp"

namespace chancel::report {

class ByteStream : public ByteWriter {
 public:
  using Output = std::function<void(std::string_view)>;
  explicit ByteStream(Output output) : output_(std::move(output)) {}
  void flow() {
    if (size() >= kBuffer) end();
  }
  void end() {
    output_(bytes());
    clear();
  }

 private:
  static constexpr std::size_t kBuffer = 1 << 18;
  Output output_;
};

}  // namespace chancel::report
