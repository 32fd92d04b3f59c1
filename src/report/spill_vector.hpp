// SPDX-License-Identifier: Apache-2.0
// A growing array that moves to disk. The arrays of a SpillPool share a budget of memory: once it
// is used up, what an array holds is written to an unlinked temporary file as soon as it fills a
// block. Elements are read back one by one (the last block read is kept) or all together. Cost: a
// comparison and a store for each element, one write for each block. Blocks are small because every
// array keeps the beginning of one in memory, and there may be ten thousand. Texts cannot move; they
// have a budget of their own.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <vector>

namespace chancel::report {

class SpillPool {
 public:
  static constexpr std::size_t kBudget = std::size_t{24} << 20;  // bytes in memory, over all arrays
  static constexpr std::size_t kBlock = 4096;                    // bytes
  static constexpr std::size_t kTextBudget = std::size_t{16} << 20;
  SpillPool() = default;
  ~SpillPool();
  SpillPool(const SpillPool&) = delete;
  SpillPool& operator=(const SpillPool&) = delete;

  std::size_t in_memory() const { return in_memory_; }
  bool is_full() const { return in_memory_ > kBudget; }
  void add(std::ptrdiff_t bytes) { in_memory_ += static_cast<std::size_t>(bytes); }
  // False when so much text has been kept already that this does not fit.
  bool keep_text(std::size_t bytes) {
    if (bytes > kTextBudget - text_bytes_) return false;
    text_bytes_ += bytes;
    return true;
  }
  std::uint32_t write_block(const void* block);  // its number
  void read_block(std::uint32_t number, void* block) const;

 private:
  int file_ = -1;
  std::uint32_t blocks_ = 0;
  std::size_t in_memory_ = 0;
  std::size_t text_bytes_ = 0;
};

template <class T>
class SpillVector {
  static_assert(std::is_trivially_copyable_v<T>);
  static constexpr std::size_t kPerBlock = SpillPool::kBlock / sizeof(T);

 public:
  explicit SpillVector(std::shared_ptr<SpillPool> pool = nullptr) : pool_(std::move(pool)) {}

  void push_back(T x) {
    if (tail_.size() % kPerBlock == 0 && !tail_.empty() && pool_ && pool_->is_full()) spill();
    if (tail_.size() == tail_.capacity()) grow();
    tail_.push_back(x);
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
    blocks_ = {};
    empty_tail();
    cache_ = {};
    cached_ = kNone;
  }

 private:
  static constexpr std::size_t kNone = ~std::size_t{0};
  // By whole blocks: an array that is full may then move to disk instead.
  void grow() {
    const std::size_t before = tail_.capacity();
    const std::size_t blocks = before / kPerBlock;
    tail_.reserve(blocks == 0 ? std::max<std::size_t>(16, 2 * before)
                              : (blocks + (blocks + 1) / 2) * kPerBlock);
    count(tail_.capacity(), before);
  }
  void spill() {
    for (std::size_t at = 0; at < tail_.size(); at += kPerBlock)
      blocks_.push_back(pool_->write_block(tail_.data() + at));
    if (tail_.capacity() > kPerBlock)
      empty_tail();
    else
      tail_.clear();
  }
  void empty_tail() {
    count(0, tail_.capacity());
    tail_ = std::vector<T>();
  }
  void count(std::size_t now, std::size_t before) {
    if (pool_)
      pool_->add((static_cast<std::ptrdiff_t>(now) - static_cast<std::ptrdiff_t>(before)) *
                 static_cast<std::ptrdiff_t>(sizeof(T)));
  }

  std::shared_ptr<SpillPool> pool_;  // null: stays in memory
  std::vector<std::uint32_t> blocks_;
  std::vector<T> tail_;
  mutable std::vector<T> cache_;
  mutable std::size_t cached_ = kNone;
};

}  // namespace chancel::report
