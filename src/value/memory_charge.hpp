// SPDX-License-Identifier: Apache-2.0
// Charges memory outside the blocks of a heap to the limit of the heap, until it is destroyed.
#pragma once
#include <cstddef>

#include "value/heap.hpp"

namespace chancel {

class MemoryCharge {
 public:
  explicit MemoryCharge(Heap& heap) : heap_(heap) {}
  MemoryCharge(const MemoryCharge&) = delete;
  MemoryCharge& operator=(const MemoryCharge&) = delete;
  ~MemoryCharge() { heap_.discharge(bytes_); }
  // It is so much now. Throws MemoryLimit.
  void set(std::size_t bytes) {
    if (bytes > bytes_) heap_.charge(bytes - bytes_);
    if (bytes < bytes_) heap_.discharge(bytes_ - bytes);
    bytes_ = bytes;
  }
  std::size_t bytes() const { return bytes_; }

 private:
  Heap& heap_;
  std::size_t bytes_ = 0;
};

}  // namespace chancel
