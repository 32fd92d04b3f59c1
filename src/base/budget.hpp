// SPDX-License-Identifier: Apache-2.0
// What the work between text and code may cost. Reader, front ends and compiler say what they take
// as they go; its owner decides in grant() whether there is more, and ends the work
// by an exception when there is not (no memory left, out of time, interrupted by the user). Costs
// are counted in bytes, as everything these rooms do makes something: so looking at the clock with
// each grant bounds time as well. Between two grants a take is a subtraction.
#pragma once
#include <cstddef>

namespace chancel {

class Budget {
 public:
  virtual ~Budget() = default;
  void take(std::size_t bytes) {
    if (bytes > left_) {
      grant(bytes + kGrant);
      left_ += bytes + kGrant;
    }
    left_ -= bytes;
  }

 protected:
  static constexpr std::size_t kGrant = std::size_t{64} << 10;
  // `bytes` more are about to be used. Throws to end the work.
  virtual void grant(std::size_t bytes) = 0;

 private:
  std::size_t left_ = 0;
};

}  // namespace chancel
