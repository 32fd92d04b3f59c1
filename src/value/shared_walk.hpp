// SPDX-License-Identifier: Apache-2.0
// Walks over values follow pointers, and what is shared is met again on every path: [s s] doubled
// 50 times is 50 objects and 2^50 paths. So a walk that has become long remembers where it has
// been. Short ones, which is nearly all of them, pay one counter.
#pragma once
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <unordered_set>

#include "value/object.hpp"

namespace chancel {

struct TwoWords {
  std::uint64_t a;
  std::uint64_t b;
  bool operator==(const TwoWords&) const = default;
};
struct TwoWordsHash {
  std::size_t operator()(const TwoWords& w) const {
    const std::uint64_t h = (w.a ^ (w.b << 29 | w.b >> 35)) * 0x9e3779b97f4a7c15u;
    return static_cast<std::size_t>(h ^ (h >> 32));
  }
};

// Steps before a walk begins to remember.
inline constexpr std::uint32_t kShortWalk = 4096;

// Places, or pairs of them, that need no second visit.
class VisitedPlaces {
 public:
  // True when the walk was there before.
  bool again(const Object* a, const Object* b = nullptr) {
    if (++steps_ <= kShortWalk) return false;
    if (!places_) places_ = std::make_unique<Places>();
    return !places_->insert(words(a, b)).second;
  }

 private:
  using Places = std::unordered_set<TwoWords, TwoWordsHash>;
  static TwoWords words(const Object* a, const Object* b) {
    return {reinterpret_cast<std::uintptr_t>(a), reinterpret_cast<std::uintptr_t>(b)};
  }
  std::uint32_t steps_ = 0;
  std::unique_ptr<Places> places_;
};

}  // namespace chancel
