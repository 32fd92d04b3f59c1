// SPDX-License-Identifier: Apache-2.0
// The streams of neighbouring slots at one step, one after the other: their first blocks are made together,
// from the second one on.
#pragma once
#include "random/blocks.hpp"
#include "random/stream.hpp"

namespace chancel {

class Neighbours {
 public:
  Neighbours(StreamName name, std::uint32_t step) { at(name, step); }
  // Of another name or step, from now on.
  void at(StreamName name, std::uint32_t step) {
    name_ = name;
    step_ = step;
    from_ = kNowhere;
  }
  // As stream.reset(name, slot, step); slots should count up.
  void reset(Stream& stream, std::uint32_t slot) {
    if (slot - from_ >= kAhead) {
      if (from_ == kNowhere) {
        from_ = kSoon;
        stream.reset(name_, slot, step_);
        return;
      }
      from_ = slot;
      blocks_of_slots((static_cast<std::uint64_t>(slot) << 32) | step_, 0, name_.key, kAhead,
                      first_, second_);
    }
    stream.reset(name_, slot, step_, first_[slot - from_], second_[slot - from_]);
  }

 private:
  static constexpr std::uint64_t kAhead = 32;
  static constexpr std::uint64_t kNowhere = std::uint64_t{1} << 40, kSoon = kNowhere + 1;
  StreamName name_;
  std::uint32_t step_ = 0;
  std::uint64_t from_ = kNowhere;
  std::uint64_t first_[kAhead], second_[kAhead];
};

}  // namespace chancel
