// SPDX-License-Identifier: Apache-2.0
// An array of zeros of which only what is written takes memory: a rank that has a slice of a
// population addresses particles by their number among all of them. For types without destructor
// whose zero bytes are a good value (no execution, nil).
#pragma once
#include <sys/mman.h>

#include <cstddef>
#include <new>
#include <type_traits>
#include <utility>

namespace chancel {

template <class T>
class ZeroedArray {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  ZeroedArray() = default;
  ~ZeroedArray() {
    if (items_) munmap(items_, size_ * sizeof(T));
  }
  ZeroedArray(const ZeroedArray&) = delete;
  ZeroedArray& operator=(const ZeroedArray&) = delete;

  void make(std::size_t size) {  // once
    void* memory = mmap(nullptr, size * sizeof(T), PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    if (size * sizeof(T) >= (std::size_t{8} << 20))
      madvise(memory, size * sizeof(T), MADV_HUGEPAGE);
    items_ = static_cast<T*>(memory);
    size_ = size;
  }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* data() { return items_; }
  const T* data() const { return items_; }
  T& operator[](std::size_t i) { return items_[i]; }
  const T& operator[](std::size_t i) const { return items_[i]; }
  void swap(ZeroedArray& other) {
    std::swap(items_, other.items_);
    std::swap(size_, other.size_);
  }

 private:
  T* items_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace chancel
