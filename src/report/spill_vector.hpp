// SPDX-License-Identifier: Apache-2.0
// A growing array that moves to disk. The arrays of a SpillPool share a budget of memory: once it
// is used up, what an array holds is written to an unlinked temporary file as soon as it fills a
// block. Elements are read back one by one (the last block read is kept) or all together. Cost: a
// comparison and a store for each element, one write for each block.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <vector>

namespace chancel::report {

class SpillPool {
 public:
  static constexpr std::size_t kBudget = std::size_t{64} << 20;  // bytes in memory, over all arrays
  static constexpr std::size_t kBlock = 32768;                   // bytes
  SpillPool() = default;
  ~SpillPool();
  SpillPool(const SpillPool&) = delete;
  SpillPool& operator=(const SpillPool&) = delete;

  bool is_full() const { return in_memory_ > kBudget; }
  void add(std::ptrdiff_t bytes) { in_memory_ += static_cast<std::size_t>(bytes); }
  std::uint32_t write_block(const void* block);  // its number
  void read_block(std::uint32_t number, void* block) const;

 private:
  int file_ = -1;
  std::uint32_t blocks_ = 0;
  std::size_t in_memory_ = 0;
};

template <class T>
class SpillVector {
  static_assert(std::is_trivially_copyable_v<T>);
  static constexpr std::size_t kPerBlock = SpillPool::kBlock / sizeof(T);

 public:
  explicit SpillVector(std::shared_ptr<SpillPool> pool = nullptr) : pool_(std::move(pool)) {}

  void push_back(T x) {
    tail_.push_back(x);
    if (tail_.size() % kPerBlock != 0 || !pool_) return;
    pool_->add(SpillPool::kBlock);
    if (pool_->is_full()) spill();
  }
  std::size_t size() const { return blocks_.size() * kPerBlock + tail_.size(); }
  T operator[](std::size_t i) const {
    const std::size_t spilled = blocks_.size() * kPerBlock;
    if (i >= spilled) return tail_[i - spilled];
    if (cached_ != i / kPerBlock) {
      cache_.resize(kPerBlock);
      cached_ = i / kPerBlock;
      pool_->read_block(blocks_[cached_], cache_.data());
    }
    return cache_[i % kPerBlock];
  }
  // Calls visit(x) for every element.
  template <class Visit>
  void each(const Visit& visit) const {
    std::vector<T> block(blocks_.empty() ? 0 : kPerBlock);
    for (const std::uint32_t number : blocks_) {
      pool_->read_block(number, block.data());
      for (const T& x : block) visit(x);
    }
    for (const T& x : tail_) visit(x);
  }
  void clear() {
    if (pool_)
      pool_->add(-static_cast<std::ptrdiff_t>(tail_.size() / kPerBlock * SpillPool::kBlock));
    blocks_ = {};
    tail_ = {};
    cache_ = {};
    cached_ = kNone;
  }

 private:
  static constexpr std::size_t kNone = ~std::size_t{0};
  void spill() {
    for (std::size_t at = 0; at < tail_.size(); at += kPerBlock)
      blocks_.push_back(pool_->write_block(tail_.data() + at));
    pool_->add(-static_cast<std::ptrdiff_t>(tail_.size() * sizeof(T)));
    if (tail_.size() > kPerBlock) tail_ = {};
    tail_.clear();
  }

  std::shared_ptr<SpillPool> pool_;  // null: stays in memory
  std::vector<std::uint32_t> blocks_;
  std::vector<T> tail_;
  mutable std::vector<T> cache_;
  mutable std::size_t cached_ = kNone;
};

}  // namespace chancel::report
