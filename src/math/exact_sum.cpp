// SPDX-License-Identifier: Apache-2.0
// See exact_sum.hpp.
#include "math/exact_sum.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "base/assert.hpp"

namespace chancel {

namespace {
constexpr std::int64_t kBase = std::int64_t{1} << 32;
constexpr int kLeastExponent = -1074;  // of the smallest double
// The nearest double of head * 2^exponent, and of a little more where there is a rest. A result below the normal doubles
// has fewer bits; it is exact, since every term is a multiple of the smallest.
double rounded(int sign, unsigned __int128 head, bool rest, int exponent) {
  const auto high = static_cast<std::uint64_t>(head >> 64);
  const int bits = high != 0 ? 128 - __builtin_clzll(high)
                             : 64 - __builtin_clzll(static_cast<std::uint64_t>(head));
  auto kept = static_cast<std::uint64_t>(head);
  if (bits > 53) {
    const int drop = bits - 53;
    kept = static_cast<std::uint64_t>(head >> drop);
    const auto half = static_cast<unsigned __int128>(1) << (drop - 1);
    const unsigned __int128 dropped = head & ((half << 1) - 1);
    if (dropped > half || (dropped == half && (rest || (kept & 1) != 0))) ++kept;
    exponent += drop;
  }
  const double number = sign * static_cast<double>(kept);
  if (CHANCEL_LIKELY(exponent > -1000 &&
                     exponent < 900))  // the power of two and the product are normal doubles
    return number * std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52);
  return std::ldexp(number, exponent);
}
}  // namespace

void ExactSum::change_special(bool is_nan, bool negative, int sign) {
  (is_nan ? nans_ : negative ? negative_ : positive_) += sign;
}

// Brings digits below the highest into 0 .. 2^32 - 1.
void ExactSum::carry() {
  terms_ = 0;
  for (int i = lowest_; i <= highest_; ++i) {
    const std::int64_t over = digits_[i] >> 32;  // rounds down
    if (over == 0 || i + 1 == kDigits || (i == highest_ && over == -1)) continue;
    digits_[i] -= over * kBase;
    digits_[i + 1] += over;
    highest_ = std::max(highest_, i + 1);
  }
}

double ExactSum::value() const {
  if (nans_ > 0 || (positive_ > 0 && negative_ > 0)) return NAN;
  if (positive_ > 0) return INFINITY;
  if (negative_ > 0) return -INFINITY;
  if (highest_ < 0) return 0;
  constexpr std::int64_t kSmall = std::int64_t{1} << 29;
  if (CHANCEL_LIKELY(highest_ - lowest_ <= 3 && digits_[highest_] < kSmall &&
                     digits_[highest_] > -kSmall)) {
    __int128 sum = 0;
    for (int i = highest_; i >= lowest_; --i) sum = sum * kBase + digits_[i];
    if (sum == 0) return 0;
    const int sign = sum < 0 ? -1 : 1;
    return rounded(sign, static_cast<unsigned __int128>(sum < 0 ? -sum : sum), false,
                   32 * lowest_ + kLeastExponent);
  }
  // The digits of the absolute value, each below 2^32, from the lowest on.
  std::uint32_t plain[kDigits + 2];
  const auto spread = [&](int sign) {
    std::int64_t over = 0;
    for (int i = lowest_; i <= highest_; ++i) {
      const std::int64_t digit = sign * digits_[i] + over;
      over = digit >> 32;
      plain[i] = static_cast<std::uint32_t>(digit);
    }
    return over;
  };
  int sign = digits_[highest_] < 0 ? -1 : 1;  // mostly it is that of the highest digit
  std::int64_t over = spread(sign);
  if (over < 0) {
    sign = -sign;
    over = spread(sign);
  }
  int top = highest_;
  for (; over > 0; over >>= 32) plain[++top] = static_cast<std::uint32_t>(over);
  while (top >= lowest_ && plain[top] == 0) --top;
  if (top < lowest_) return 0;
  // The three highest digits hold the 53 bits and the one that rounds; of the others it counts whether one is there.
  unsigned __int128 head = 0;
  for (int i = 0; i < 3; ++i)
    head = head << 32 | (top - i >= lowest_ ? plain[top - i] : std::uint32_t{0});
  bool rest = false;
  for (int i = lowest_; i <= top - 3; ++i) rest = rest || plain[i] != 0;
  return rounded(sign, head, rest, 32 * (top - 2) + kLeastExponent);
}

}  // namespace chancel
